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
    /// Whether decoders get a token in each.
    pub(crate) decode: bool,
}

impl Stretch {
    /// End of the `count`-th iteration from the start; `start` for 0. Saturates.
    pub(crate) fn end_of(&self, count: u64) -> Ps {
        let count = u128::from(count);
        let pairs = count * count.saturating_sub(1) / 2;
        let time = count * u128::from(self.first) + pairs.saturating_mul(u128::from(self.step));
        Ps::try_from(u128::from(self.start) + time).unwrap_or(Ps::MAX)
    }

    /// End of the whole stretch.
    pub(crate) fn end(&self) -> Ps {
        self.end_of(self.len)
    }

    /// How many iterations end before `at`, `len` at most.
    pub(crate) fn ended_before(&self, at: Ps) -> u64 {
        let Some(room) = at.checked_sub(self.start).filter(|room| *room > 0) else { return 0 };
        // The first is the shortest: no more than this many can have ended.
        let mut high = (room / self.first.max(1)).saturating_add(1).min(self.len);
        let mut low = 0;
        while low < high {
            let middle = high - (high - low) / 2;
            if self.end_of(middle) < at { low = middle } else { high = middle - 1 }
        }
        low
    }

    /// Lets the first `count` iterations be past.
    pub(crate) fn skip(&mut self, count: u64) {
        self.start = self.end_of(count);
        self.first = self.first.saturating_add(self.step.saturating_mul(count));
        self.len -= count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipping_and_counting_agree_with_a_walk() {
        for (first, step, len) in [(10, 3, 40), (7, 0, 9), (1, 1, 1), (1_000, 17, 500)] {
            let whole = Stretch { start: 100, first, step, len, decode: true };
            let (mut at, mut ends) = (100, vec![100]);
            for i in 0..len {
                at += first + i * step;
                ends.push(at);
            }
            assert_eq!(whole.end(), at);
            for count in 0..=len {
                let end = ends[count as usize];
                assert_eq!(whole.end_of(count), end);
                assert_eq!(whole.ended_before(end), count.saturating_sub(1), "strictly before");
                assert_eq!(whole.ended_before(end + 1), count.min(len));
                let mut rest = whole;
                rest.skip(count);
                assert_eq!((rest.start, rest.end()), (end, at));
            }
        }
    }
}
