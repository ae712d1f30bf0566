//! Iterations in progress: one, or many whose times form an arithmetic series.

use crate::time::Ps;

/// `len` iterations that follow one another without a change of the batch. The i-th of them,
/// from 0, takes `first + i · step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// When the first one starts.
    pub(crate) start: Ps,
    /// Time of the first.
    pub(crate) first: Ps,
    /// What each takes longer than the one before.
    pub(crate) step: Ps,
    /// How many, at least 1.
    pub(crate) len: u64,
    /// End of the whole stretch.
    pub(crate) end: Ps,
    /// Whether decoders get a token in each.
    pub(crate) decode: bool,
    /// Whether no product of its numbers can pass 2^63, as nearly always: sums need no check then.
    small: bool,
}

/// The product, or the largest number. Small factors, nearly all there are, need no check, which
/// a machine without wide products (WebAssembly) makes slowly.
pub(crate) fn times(a: u64, b: u64) -> u64 {
    if (a | b) >> 32 == 0 { a * b } else { a.saturating_mul(b) }
}

impl Stretch {
    /// `len` iterations from `start` on.
    pub(crate) fn new(start: Ps, first: Ps, step: Ps, len: u64, decode: bool) -> Self {
        // The last takes less than 2^42 then, and all of them and one more less than 2^60.
        let small = first > 0 && (len >> 17 | first >> 41 | step >> 24) == 0;
        let mut stretch = Self { start, first, step, len, end: 0, decode, small };
        stretch.end = stretch.end_of(len);
        stretch
    }

    /// End of the `count`-th iteration from the start, at most one behind the last; `start` for 0.
    /// Saturates.
    #[inline]
    pub(crate) fn end_of(&self, count: u64) -> Ps {
        let Self { start, first, step, .. } = *self;
        if self.small {
            return start.saturating_add(count * first + count * count.saturating_sub(1) / 2 * step);
        }
        let count = u128::from(count);
        let pairs = count * count.saturating_sub(1) / 2;
        let time = (count * u128::from(first)).saturating_add(pairs.saturating_mul(u128::from(step)));
        Ps::try_from(time.saturating_add(u128::from(start))).unwrap_or(Ps::MAX)
    }

    /// How many iterations end before `at`, `len` at most.
    #[inline]
    pub(crate) fn ended_before(&self, at: Ps) -> u64 {
        let Self { start, first, step, len, .. } = *self;
        let Some(time) = at.checked_sub(start).filter(|room| *room > first) else { return 0 };
        let time = time - 1;
        if !self.small {
            return self.search(0, (time / first.max(1)).min(len), at);
        }
        // The first is the shortest: no more than this many can have ended, and no fewer than if
        // each took as long as the mean of them and one more, which is nearly always the answer.
        let high = (time / first).min(len);
        let low = (time / (first + step * high / 2 + 1)).min(high);
        let next = (low + 1) * first + (low + 1) * low / 2 * step;
        if low == high || next > time { low } else { self.search(low + 1, high, at) }
    }

    /// How many end before `at`: at least `low` and at most `high`.
    #[cold]
    fn search(&self, mut low: u64, mut high: u64, at: Ps) -> u64 {
        while low < high {
            let middle = high - (high - low) / 2;
            if self.end_of(middle) < at { low = middle } else { high = middle - 1 }
        }
        low
    }

    /// Leaves the first `len` iterations of it, if there are more.
    pub(crate) fn shorten(&mut self, len: u64) {
        if len < self.len {
            self.len = len;
            self.end = self.end_of(len);
        }
    }

    /// Lets the first `count` iterations be past.
    pub(crate) fn skip(&mut self, count: u64) {
        self.start = self.end_of(count);
        self.first = self.first.saturating_add(times(self.step, count));
        self.len -= count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipping_and_counting_agree_with_a_walk() {
        for (first, step, len) in
            [(10, 3, 40), (7, 0, 9), (1, 1, 1), (1_000, 17, 500), (1 << 43, 1 << 30, 70)]
        {
            let whole = Stretch::new(100, first, step, len, true);
            let (mut at, mut ends) = (100, vec![100]);
            for i in 0..len {
                at += first + i * step;
                ends.push(at);
            }
            assert_eq!(whole.end, at);
            for count in 0..=len {
                let end = ends[count as usize];
                assert_eq!(whole.end_of(count), end);
                assert_eq!(whole.ended_before(end), count.saturating_sub(1), "strictly before");
                assert_eq!(whole.ended_before(end + 1), count.min(len));
                let mut rest = whole;
                rest.skip(count);
                assert_eq!((rest.start, rest.end, rest.end_of(rest.len)), (end, at, at));
            }
        }
    }
}
