//! Gaps between tokens: a histogram with buckets of less than one percent, and the longest gap of
//! each sequence, both filled many iterations at a time.

use crate::engine::stretch::times as scaled;
use crate::time::Ps;

/// How often each gap between two tokens of one sequence occurred, in buckets.
///
/// A bucket is 1/128 of a power of two wide, less than 0.8% of its values; below 128 ps it is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    counts: Vec<u64>,
    total: u64,
}

/// Number of the bucket of a gap.
fn bucket(gap: Ps) -> usize {
    if gap < 128 {
        return gap as usize;
    }
    let e = 63 - gap.leading_zeros();
    (((e - 6) << 7) as usize) | ((gap >> (e - 7)) & 127) as usize
}

/// First gap of a bucket; past the last bucket, the largest time.
fn lower(bucket: usize) -> Ps {
    if bucket < 128 {
        return bucket as Ps;
    }
    let e = (bucket >> 7) as u32 + 6;
    if e > 63 { Ps::MAX } else { (128 | (bucket as u64 & 127)) << (e - 7) }
}

impl Gaps {
    /// Counts one gap `times` times.
    pub fn add(&mut self, gap: Ps, times: u64) {
        let at = bucket(gap);
        match self.counts.get_mut(at) {
            Some(count) => *count += times,
            None => self.extend(at, times),
        }
        self.total += times;
    }

    /// Makes room for a bucket behind the last one.
    #[cold]
    fn extend(&mut self, at: usize, times: u64) {
        self.counts.resize(at, 0);
        self.counts.push(times);
    }

    /// Counts `len` gaps that start at `first` and grow by `step`, each `times` times. Cost: one
    /// step for each bucket that the series touches.
    pub fn add_series(&mut self, first: Ps, step: Ps, len: u64, times: u64) {
        let Some(most) = len.checked_sub(1) else { return };
        let last = first.saturating_add(scaled(step, most));
        let mut at = bucket(first);
        let end = if last < lower(at + 1) { at } else { bucket(last) };
        if last == Ps::MAX || (end - at) as u64 > len {
            return self.add_sparse(first, step, len, times);
        }
        if self.counts.len() <= end {
            self.counts.resize(end + 1, 0);
        }
        self.total += len * times;
        let (mut gap, mut left) = (first, len);
        while at < end {
            let here = lower(at + 1).saturating_sub(gap).div_ceil(step);
            self.counts[at] += here * times;
            gap += here * step;
            left -= here;
            at += 1;
        }
        self.counts[end] += left * times;
    }

    /// The same for a series that leaves out most of the buckets between its ends.
    fn add_sparse(&mut self, first: Ps, step: Ps, len: u64, times: u64) {
        let (mut gap, mut left) = (first, len);
        while left > 1 {
            let room = lower(bucket(gap) + 1) - gap;
            let here = if step == 0 { left } else { room.div_ceil(step).min(left) };
            self.add(gap, here * times);
            gap = gap.saturating_add(here.saturating_mul(step));
            left -= here;
        }
        if left == 1 {
            self.add(gap, times);
        }
    }

    /// Gaps counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Quantile `q` (0 to 1) as the middle of its bucket, at most 0.4% off. `None` when empty.
    #[must_use]
    pub fn quantile(&self, q: f64) -> Option<Ps> {
        let rank = (q.clamp(0.0, 1.0) * self.total.checked_sub(1)? as f64) as u64;
        let mut below = 0;
        self.counts.iter().enumerate().find_map(|(at, count)| {
            below += count;
            (below > rank).then(|| lower(at) + (lower(at + 1) - lower(at)) / 2)
        })
    }

    /// Every bucket that is not empty: its number and its count.
    pub fn buckets(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.counts.iter().copied().enumerate().filter(|(_, count)| *count > 0)
    }
}

/// The longest of the latest gaps, for every starting point: a stack of gaps that fall from
/// bottom to top, each with the iteration it ended in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Longest(Vec<(u64, Ps)>);

impl Longest {
    /// None yet, with room for some.
    pub(crate) fn with_room(entries: usize) -> Self {
        Self(Vec::with_capacity(entries))
    }

    /// The gap of an iteration later than all before.
    pub(crate) fn push(&mut self, iteration: u64, gap: Ps) {
        while self.0.last().is_some_and(|top| top.1 <= gap) {
            self.0.pop();
        }
        self.0.push((iteration, gap));
    }

    /// The longest gap among iterations from `iteration` on; 0 if there was none.
    pub(crate) fn since(&self, iteration: u64) -> Ps {
        let at = self.0.partition_point(|entry| entry.0 < iteration);
        self.0.get(at).map_or(0, |entry| entry.1)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_tile_the_line_and_are_less_than_one_percent_wide() {
        for at in 0..7_400 {
            assert_eq!(bucket(lower(at)), at);
            assert_eq!(bucket(lower(at + 1) - 1), at);
            if at >= 128 {
                assert!((lower(at + 1) - lower(at)) as f64 <= lower(at) as f64 / 127.9);
            }
        }
        assert_eq!(bucket(Ps::MAX), 57 * 128 + 127);
    }

    #[test]
    fn a_series_is_its_members() {
        for (first, step, len) in [(0, 1, 1_000), (130, 7, 500), (1_000_000, 0, 9), (5, 90_001, 77)] {
            let (mut series, mut single) = (Gaps::default(), Gaps::default());
            series.add_series(first, step, len, 3);
            (0..len).for_each(|i| single.add(first + i * step, 3));
            assert_eq!(series, single);
        }
    }

    #[test]
    fn the_longest_gap_since_any_iteration() {
        let gaps = [3, 9, 4, 4, 7, 1];
        let mut longest = Longest::default();
        gaps.iter().enumerate().for_each(|(i, gap)| longest.push(i as u64, *gap));
        for from in 0..=gaps.len() {
            let want = gaps[from..].iter().copied().max().unwrap_or(0);
            assert_eq!(longest.since(from as u64), want, "from {from}");
        }
    }
}
