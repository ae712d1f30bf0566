//! Ranges of prompt lengths, and what was sent to whom within a window.

use std::collections::VecDeque;

use tokenyard_det::Digest;

use crate::view::{ReplicaIx, cell};

/// Length that the first ranges share out among the replicas.
const FIRST_RANGE: u64 = 4_096;

/// One request of the window.
#[derive(Clone, Copy, Debug)]
struct Sent {
    at: u64,
    chars: u64,
    to: ReplicaIx,
}

/// The state of the rule. Lengths are in characters, times in picoseconds.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    interval: u64,
    /// Replicas that own ranges, in the order of the ranges.
    owners: Vec<ReplicaIx>,
    /// The last length of each range but the last, which has no end.
    ends: Vec<u64>,
    /// What the next ranges share out: [`FIRST_RANGE`] the first time, everything afterwards.
    range: u64,
    /// Characters sent within the window, by replica.
    chars: Vec<u64>,
    window: VecDeque<Sent>,
    total: u64,
    /// Characters of each range when ranges were adjusted last.
    share: u64,
    next: u64,
}

impl Buckets {
    pub(super) fn new(interval: u64) -> Self {
        Self {
            interval,
            owners: Vec::new(),
            ends: Vec::new(),
            range: FIRST_RANGE,
            chars: Vec::new(),
            window: VecDeque::new(),
            total: 0,
            share: 0,
            next: interval,
        }
    }

    pub(super) fn is_new(&self) -> bool {
        self.range == FIRST_RANGE
    }

    /// Shares the range out evenly among `owners`, and forgets who was sent what. Upstream shares
    /// out a different range from the second time on: so much that the first range holds every
    /// prompt until the next adjustment.
    pub(super) fn share_out(&mut self, owners: Vec<ReplicaIx>) {
        self.chars.iter_mut().for_each(|chars| *chars = 0);
        if let Some(gap) = self.range.checked_div(owners.len() as u64) {
            self.ends = (1..owners.len() as u64).map(|i| (gap * i).saturating_sub(1)).collect();
            self.range = u64::MAX;
        }
        self.owners = owners;
    }

    /// A replica comes to the list of owners.
    pub(super) fn add(&mut self, replica: ReplicaIx) {
        let mut owners = std::mem::take(&mut self.owners);
        if !owners.contains(&replica) {
            owners.push(replica);
        }
        self.share_out(owners);
    }

    /// A replica leaves the list of owners. If it was the last, the ranges stay as they are.
    pub(super) fn remove(&mut self, replica: ReplicaIx) {
        let mut owners = std::mem::take(&mut self.owners);
        owners.retain(|owner| *owner != replica);
        if owners.is_empty() {
            self.owners = owners;
        } else {
            self.share_out(owners);
        }
    }

    /// Whose range a length is in.
    pub(super) fn owner(&self, chars: u64) -> Option<ReplicaIx> {
        let at = self.ends.partition_point(|end| *end < chars);
        self.owners.get(at).copied()
    }

    /// First and last length of a replica's range; the last one has no end.
    pub(super) fn range_of(&self, replica: ReplicaIx) -> Option<(u64, u64)> {
        let at = self.owners.iter().position(|owner| *owner == replica)?;
        let from = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| end + 1);
        Some((from, self.ends.get(at).copied().unwrap_or(u64::MAX)))
    }

    /// Characters sent to a replica within the window.
    pub(super) fn chars(&self, replica: ReplicaIx) -> u64 {
        cell(&self.chars, replica)
    }

    pub(super) fn owners(&self) -> &[ReplicaIx] {
        &self.owners
    }

    /// Counts a request. What is too old is dropped only now, so that it counts on while nobody
    /// comes.
    pub(super) fn count(&mut self, now: u64, chars: u64, to: ReplicaIx) {
        crate::rules::load::room(&mut self.chars, to.saturating_add(1));
        self.add_chars(to, |there| there.saturating_add(chars));
        while let Some(old) = self.window.front().copied() {
            if now.saturating_sub(old.at) <= self.interval {
                break;
            }
            self.window.pop_front();
            self.total = self.total.saturating_sub(old.chars);
            self.add_chars(old.to, |there| there.saturating_sub(old.chars));
        }
        self.window.push_back(Sent { at: now, chars, to });
        self.total = self.total.saturating_add(chars);
    }

    fn add_chars(&mut self, replica: ReplicaIx, change: impl Fn(u64) -> u64) {
        if let Some(there) = self.chars.get_mut(usize::from(replica)) {
            *there = change(*there);
        }
    }

    /// Adjusts ranges to the lengths of the window, where the clock has struck since. Upstream has
    /// a thread for it. Between two decisions nothing moves, and a second adjustment of the same
    /// window changes nothing, so one for all of them comes to the same.
    pub(super) fn tick(&mut self, now: u64) {
        if now < self.next {
            return;
        }
        self.next = (now / self.interval).saturating_add(1).saturating_mul(self.interval);
        let Some(share) = self.total.checked_div(self.owners.len() as u64) else { return };
        let close = share <= 2 * self.share && self.share <= 2 * share && self.share != 0;
        if self.window.is_empty() || close {
            return;
        }
        self.share = share;
        let mut lengths: Vec<u64> = self.window.iter().map(|sent| sent.chars).collect();
        lengths.sort_unstable();
        self.ends = ends(&lengths, share, self.owners.len());
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        for list in [&self.ends, &self.chars] {
            into.u64(list.len() as u64);
            list.iter().for_each(|number| into.u64(*number));
        }
        into.u64(self.owners.len() as u64);
        self.owners.iter().for_each(|owner| into.u64(u64::from(*owner)));
        into.u64(self.window.len() as u64);
        for sent in &self.window {
            [sent.at, sent.chars, u64::from(sent.to)].into_iter().for_each(|number| into.u64(number));
        }
        [self.range, self.total, self.share, self.next].into_iter().for_each(|number| into.u64(number));
    }
}

/// Ends of all ranges but the last: each range takes lengths, from the shortest on, until they
/// make up a share, and ends with the last of them. Where that length is in a range already, or
/// no more lengths are left, the range is as many characters long as the share is.
fn ends(lengths: &[u64], share: u64, ranges: usize) -> Vec<u64> {
    let mut lengths = lengths.iter().copied();
    let mut from = 0_u64;
    let mut ends = Vec::new();
    for _ in 1..ranges {
        let mut sum = 0_u64;
        let full = lengths.find(|length| {
            sum = sum.saturating_add(*length);
            sum >= share
        });
        let end = full.filter(|length| *length > from).unwrap_or(from.saturating_add(share));
        ends.push(end);
        from = end.saturating_add(1);
    }
    ends
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{Buckets, ends};

    /// Upstream's adjustment step by step: one pass over the ranges with a place in the sorted
    /// lengths that only moves on.
    fn walked(lengths: &[u64], share: u64, ranges: usize) -> Vec<u64> {
        let (mut from, mut place, mut out) = (0, 0, Vec::new());
        for range in 0..ranges {
            let last = range + 1 == ranges;
            let (mut sum, mut closed) = (0, false);
            for length in &lengths[place..] {
                sum += length;
                if sum < share {
                    place += 1;
                    continue;
                }
                if !last {
                    let end = if *length <= from { from + share } else { *length };
                    out.push(end);
                    from = end + 1;
                    place += 1;
                }
                closed = true;
                break;
            }
            if !closed && !last {
                out.push(from + share);
                from = from + share + 1;
            }
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn ranges_are_those_of_the_walk(mut lengths in vec(0_u64..60, 0..30), ranges in 1_usize..8) {
            lengths.sort_unstable();
            let share = lengths.iter().sum::<u64>() / ranges as u64;
            let got = ends(&lengths, share, ranges);
            prop_assert_eq!(&got, &walked(&lengths, share, ranges));
            prop_assert!(got.len() + 1 == ranges && got.is_sorted());
        }

        /// What is counted is what is in the window, by replica and in all, and every length has an
        /// owner.
        #[test]
        fn counts_are_those_of_the_window(sends in vec((0_u64..4, 0_u64..300, 0_u16..5), 1..60)) {
            let mut buckets = Buckets::new(5);
            buckets.share_out((0..5).collect());
            let mut now = 0;
            for (pause, chars, to) in sends {
                now += pause;
                buckets.tick(now);
                prop_assert!(buckets.owner(chars).is_some());
                buckets.count(now, chars, to);
                let mut by_replica = BTreeMap::new();
                buckets.window.iter().for_each(|s| *by_replica.entry(s.to).or_insert(0) += s.chars);
                let counted = (0..5).map(|r| buckets.chars(r));
                prop_assert!(counted.eq((0..5).map(|r| by_replica.get(&r).copied().unwrap_or(0))));
                prop_assert_eq!(buckets.total, by_replica.values().sum::<u64>());
                prop_assert!(buckets.window.iter().all(|s| now - s.at <= 5));
            }
        }
    }

    #[test]
    fn case_1_5_2_to_1_5_5_ranges_end_where_lengths_make_up_a_share() {
        assert_eq!(ends(&[33, 34, 34], 33, 3), [33, 67]);
        assert_eq!(ends(&[5, 10, 15, 20, 24, 26], 33, 3), [20, 26]);
        assert_eq!(ends(&[10, 20, 30, 40, 45, 57], 67, 3), [40, 57]);
        assert_eq!(ends(&[20], 6, 3), [20, 27]);
        assert_eq!(ends(&[7], 2, 3), [7, 10]);
        assert_eq!(ends(&[], 0, 1), []);
    }
}
