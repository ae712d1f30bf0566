//! Who was sent which chunk: one list of recent chunks for each replica, and the replicas of each
//! chunk. The approximate prefix index of llm-d's endpoint picker.

use core::fmt;

use tokenyard_det::Digest;

use super::pages::{PAGE, Pages, Walk};
use super::recency::Recency;
use super::sets::{SetIx, Sets};
use crate::view::ReplicaIx;

/// Chunks of one replica, and how many it may have.
#[derive(Clone, Debug, Default)]
struct Lru {
    recent: Recency,
    /// Fixed by the first chunk, as upstream fixes it.
    capacity: usize,
}

/// The index.
#[derive(Clone, Default)]
pub struct Holders {
    /// Who has each chunk.
    holders: Pages<SetIx>,
    sets: Sets,
    lrus: Vec<Lru>,
    /// Chunks that are being forgotten; nothing between calls.
    gone: Vec<u64>,
}

/// The lists: who has a chunk follows from them.
impl fmt::Debug for Holders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.lrus).finish()
    }
}

impl Holders {
    /// How many of the chunks each replica is credited with. The walk goes on while *some* replica
    /// has the chunk, so one that lost its first chunks is credited for later ones, unless only a
    /// `contiguous` prefix counts. `into` has a place for every replica that is asked for.
    pub fn credit(&self, chunks: &[u64], contiguous: bool, into: &mut [u32]) {
        into.fill(0);
        let mut reader = self.holders.reader();
        // Neighbours that the same replicas have are credited together.
        let (mut from, mut count, mut held) = (0, 0, SetIx::default());
        for chunk in chunks {
            let set = reader.get(*chunk);
            if set.is_nobody() {
                break;
            }
            if !self.sets.same(set, held) {
                self.credit_each(held, from, count, contiguous, into);
                (from, count, held) = (from + count, 0, set);
            }
            count += 1;
        }
        self.credit_each(held, from, count, contiguous, into);
    }

    /// Credits everybody in a set with `count` chunks behind `from` others.
    fn credit_each(&self, set: SetIx, from: u32, count: u32, contiguous: bool, into: &mut [u32]) {
        for replica in self.sets.members(set) {
            if let Some(credit) = into.get_mut(usize::from(replica))
                && (!contiguous || *credit == from)
            {
                *credit += count;
            }
        }
    }

    /// Records that a replica was sent these chunks, root first: the first of them is the first to
    /// be forgotten when it has more than its share. `capacity` counts only the first time.
    pub fn record(&mut self, chunks: &[u64], replica: ReplicaIx, capacity: usize) {
        let at = usize::from(replica);
        if self.lrus.len() <= at {
            self.lrus.resize(at + 1, Lru::default());
        }
        let Some(lru) = self.lrus.get_mut(at) else { return };
        if lru.capacity == 0 {
            lru.capacity = capacity.max(1);
        }
        let large = lru.capacity >= PAGE;
        lru.recent.learn_distance(chunks);
        self.holders.learn_distance(chunks);
        for group in lru.recent.groups(chunks) {
            let new = self.new_of(group, at);
            // Of all that are new none is pushed out by another; where none is new nobody is.
            if new == 0 || (new == group.len() && large) {
                self.touch(group, new > 0, replica);
            } else {
                for chunk in group.chunks(1) {
                    self.touch(chunk, self.new_of(chunk, at) > 0, replica);
                }
            }
        }
    }

    /// How many of a group of chunks a replica is not believed to have.
    fn new_of(&self, chunks: &[u64], at: usize) -> usize {
        self.lrus.get(at).map_or(0, |lru| lru.recent.new_of(chunks))
    }

    /// A replica uses chunks, all of them new ones or none, and forgets what is too much then.
    fn touch(&mut self, chunks: &[u64], new: bool, replica: ReplicaIx) {
        let Self { holders, sets, lrus, gone } = self;
        let Some(lru) = lrus.get_mut(usize::from(replica)) else { return };
        lru.recent.touch_group(chunks, |()| ());
        if new {
            holders.change_all(chunks, Walk::Used, |_, set| *set = sets.with(*set, replica));
        }
        gone.clear();
        lru.recent.drop_oldest(lru.recent.len().saturating_sub(lru.capacity), |old, ()| gone.push(old));
        holders.change_all(gone, Walk::Forgotten, |_, set| *set = sets.without(*set, replica));
    }

    /// Chunks that a replica is believed to have.
    #[must_use]
    pub fn len(&self, replica: ReplicaIx) -> usize {
        self.lrus.get(usize::from(replica)).map_or(0, |lru| lru.recent.len())
    }

    /// Forgets a replica.
    pub fn forget(&mut self, replica: ReplicaIx) {
        let Some(lru) = self.lrus.get_mut(usize::from(replica)) else { return };
        let lru = core::mem::take(lru);
        let chunks: Vec<u64> = lru.recent.oldest_first().collect();
        let Self { holders, sets, .. } = self;
        holders.change_all(&chunks, Walk::Forgotten, |_, set| *set = sets.without(*set, replica));
    }

    /// Feeds everything that later answers depend on.
    pub fn digest(&self, into: &mut Digest) {
        into.u64(self.lrus.len() as u64);
        for lru in &self.lrus {
            into.u64(lru.capacity as u64);
            lru.recent.digest(into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credit(index: &Holders, chunks: &[u64], contiguous: bool) -> [u32; 3] {
        let mut credit = [9; 3];
        index.credit(chunks, contiguous, &mut credit);
        credit
    }

    fn record(index: &mut Holders, chunks: &[u64], replica: ReplicaIx, capacity: usize) {
        index.record(chunks, replica, capacity);
    }

    /// Section 5.4: prompt [1, 2] sent to the first pod and the prefill pod; [1, 3] is asked.
    #[test]
    fn section_5_4_case_1_a_shared_first_block() {
        let mut index = Holders::default();
        record(&mut index, &[1, 12], 0, 100);
        record(&mut index, &[1, 12], 2, 100);
        assert_eq!(credit(&index, &[1, 13], false), [1, 0, 1]);
    }

    #[test]
    fn section_5_4_case_2_the_oldest_goes() {
        let mut index = Holders::default();
        (1..=3).for_each(|chunk| record(&mut index, &[chunk], 0, 2));
        assert_eq!([1, 2, 3].map(|chunk| credit(&index, &[chunk], false)[0]), [0, 1, 1]);
        assert_eq!(index.len(0), 2);
    }

    #[test]
    fn the_root_goes_first_and_the_rest_is_credited_only_behind_somebody_elses_root() {
        let mut index = Holders::default();
        record(&mut index, &[1, 2, 3], 0, 3);
        record(&mut index, &[9], 0, 3);
        assert_eq!(credit(&index, &[1, 2, 3], false), [0, 0, 0], "nobody has the root");
        record(&mut index, &[1], 1, 3);
        assert_eq!(credit(&index, &[1, 2, 3], false), [2, 1, 0], "credited without the root");
        assert_eq!(credit(&index, &[1, 2, 3], true), [0, 1, 0]);
    }

    #[test]
    fn a_replica_that_is_forgotten_holds_nothing() {
        let mut index = Holders::default();
        record(&mut index, &[1, 2], 0, 3);
        record(&mut index, &[1], 1, 3);
        index.forget(0);
        index.forget(7);
        assert_eq!(credit(&index, &[1, 2], false), [0, 1, 0]);
        assert_eq!(index.len(0), 0);
    }
}
