//! Chance and ties of a decision.

use tokenyard_det::Stream;

use crate::index::fewest::Fewest;
use crate::view::{ReplicaIx, cell};

/// Who wins among equals. A setting of the router around the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TieBreak {
    /// As the rule's own code does it.
    #[default]
    Upstream,
    /// The first in the list of candidates.
    First,
    /// The last in the list.
    Last,
    /// A uniform draw.
    Random,
}

/// What a rule does with a tie when nobody says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnTie {
    /// First candidate.
    First,
    /// Last candidate.
    Last,
    /// Uniform draw.
    Random,
}

/// Chance for one decision: the stream of the router that decides, and the tie setting.
#[derive(Debug)]
pub struct Draw<'a> {
    /// The router's own stream.
    pub stream: &'a mut Stream,
    /// The setting around the rule.
    pub ties: TieBreak,
}

impl Draw<'_> {
    /// Which of `count` equals is taken, from 0. Draws only where chance decides and there is a
    /// choice, so a rule without ties moves no stream.
    pub fn among(&mut self, count: u32, own: OwnTie) -> u32 {
        let mode = match self.ties {
            TieBreak::Upstream => own,
            TieBreak::First => OwnTie::First,
            TieBreak::Last => OwnTie::Last,
            TieBreak::Random => OwnTie::Random,
        };
        match mode {
            _ if count < 2 => 0,
            OwnTie::First => 0,
            OwnTie::Last => count - 1,
            OwnTie::Random => self.stream.below(u64::from(count)) as u32,
        }
    }

    /// The candidate with the smallest key, and how many share it. `None` without candidates.
    /// Two passes over the candidates, no allocation.
    pub fn smallest<K: PartialOrd + Copy>(
        &mut self,
        candidates: &[ReplicaIx],
        own: OwnTie,
        key: impl Fn(ReplicaIx) -> K,
    ) -> Option<(ReplicaIx, u32)> {
        let (first, rest) = candidates.split_first()?;
        let mut best = key(*first);
        let mut tied = 1;
        for &replica in rest {
            let k = key(replica);
            if k < best {
                (best, tied) = (k, 1);
            } else if k == best {
                tied += 1;
            }
        }
        let wanted = self.among(tied, own);
        let mut equals = candidates.iter().filter(|r| key(**r) == best);
        equals.nth(wanted as usize).map(|r| (*r, tied))
    }

    /// [`Draw::smallest`] with one score for each candidate, in their order; none of them is NaN.
    /// Which is the least can be told beforehand by nobody, so the passes have no branch on it.
    pub fn smallest_score(
        &mut self,
        candidates: &[ReplicaIx],
        own: OwnTie,
        scores: &[f64],
    ) -> Option<(ReplicaIx, u32)> {
        let best = scores.iter().fold(f64::INFINITY, |best, score| if *score < best { *score } else { best });
        let tied = scores.iter().fold(0, |tied, score| tied + u32::from(*score == best));
        let wanted = self.among(tied, own);
        let (at, _) = (0..).zip(scores).filter(|(_, score)| **score == best).nth(wanted as usize)?;
        candidates.get::<usize>(at).map(|replica| (*replica, tied))
    }

    /// [`Draw::smallest`] with a column's cells as keys; an absent cell counts as 0. `candidates`
    /// ascend. Where everybody is one, the passes are over the column alone.
    pub fn smallest_cell(
        &mut self,
        candidates: &[ReplicaIx],
        own: OwnTie,
        column: &[u32],
    ) -> Option<(ReplicaIx, u32)> {
        if candidates.len() != column.len() {
            return self.smallest(candidates, own, |replica| cell(column, replica));
        }
        // Passes without a branch, which the compiler makes of several cells at once.
        let best = column.iter().fold(u32::MAX, |best, key| best.min(*key));
        let tied = column.iter().fold(0, |tied, key| tied + u32::from(*key == best));
        let at = match self.among(tied, own) {
            0 => column.iter().position(|key| *key == best)?,
            wanted => (0..).zip(column).filter(|(_, key)| **key == best).nth(wanted as usize)?.0,
        };
        candidates.get(at).map(|replica| (*replica, tied))
    }

    /// [`Draw::smallest_cell`] of a column that is indexed, where everybody is a candidate. `None`
    /// also where the index does not know.
    pub fn fewest(
        &mut self,
        candidates: &[ReplicaIx],
        own: OwnTie,
        index: &Fewest,
    ) -> Option<(ReplicaIx, u32)> {
        let tied = index.tied();
        let wanted = self.among(tied, own);
        candidates.get(index.nth(wanted)?).map(|replica| (*replica, tied))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(ties: TieBreak, own: OwnTie, keys: &[u32]) -> Option<(ReplicaIx, u32)> {
        let mut stream = Stream::new(1, "test", 0);
        let all: Vec<ReplicaIx> = (0..keys.len() as ReplicaIx).collect();
        let mut draw = Draw { stream: &mut stream, ties };
        draw.smallest(&all, own, |r| keys[usize::from(r)])
    }

    #[test]
    fn ties_follow_the_setting_and_otherwise_the_rule() {
        let keys = [5, 2, 9, 2, 2];
        assert_eq!(pick(TieBreak::Upstream, OwnTie::First, &keys), Some((1, 3)));
        assert_eq!(pick(TieBreak::Upstream, OwnTie::Last, &keys), Some((4, 3)));
        assert_eq!(pick(TieBreak::First, OwnTie::Last, &keys), Some((1, 3)));
        assert_eq!(pick(TieBreak::Last, OwnTie::First, &keys), Some((4, 3)));
        assert_eq!(pick(TieBreak::First, OwnTie::First, &[]), None);
    }

    /// The passes over the column alone decide as the others do, and draw as often.
    #[test]
    fn cells_are_keys() {
        let mut dice = Stream::new(2, "test", 0);
        for step in 0..2_000 {
            let column: Vec<u32> = (0..1 + dice.below(40)).map(|_| dice.below(5) as u32).collect();
            let mut candidates: Vec<ReplicaIx> = (0..column.len() as ReplicaIx).collect();
            if step % 2 == 0 {
                candidates.retain(|_| dice.below(3) > 0);
            }
            for ties in [TieBreak::Upstream, TieBreak::First, TieBreak::Last, TieBreak::Random] {
                let mut streams = [dice.clone(), dice.clone()];
                let [one, other] = &mut streams;
                let cells = Draw { stream: one, ties }.smallest_cell(&candidates, OwnTie::Last, &column);
                let key = |r: ReplicaIx| column[usize::from(r)];
                assert_eq!(cells, Draw { stream: other, ties }.smallest(&candidates, OwnTie::Last, key));
                assert_eq!(streams[0], streams[1]);
                if candidates.len() == column.len() {
                    let mut draw = Draw { stream: &mut streams[1], ties };
                    *draw.stream = dice.clone();
                    assert_eq!(draw.fewest(&candidates, OwnTie::Last, &Fewest::new(&column)), cells);
                    assert_eq!(streams[0], streams[1]);
                }
                let scores: Vec<f64> = candidates.iter().map(|r| f64::from(key(*r))).collect();
                let mut stream = dice.clone();
                let mut draw = Draw { stream: &mut stream, ties };
                assert_eq!(draw.smallest_score(&candidates, OwnTie::Last, &scores), cells);
                assert_eq!(stream, streams[0]);
            }
        }
    }

    #[test]
    fn a_random_tie_reaches_every_equal_and_no_draw_is_taken_without_one() {
        let mut stream = Stream::new(1, "test", 0);
        let mut seen = [0_u32; 3];
        for _ in 0..3_000 {
            let mut draw = Draw { stream: &mut stream, ties: TieBreak::Random };
            let (r, tied) = draw.smallest(&[0, 1, 2], OwnTie::First, |r| u32::from(r == 1)).unwrap();
            assert_eq!(tied, 2);
            seen[usize::from(r)] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!(seen[0] > 1_350 && seen[2] > 1_350, "{seen:?}");
        let before = stream.clone();
        let mut draw = Draw { stream: &mut stream, ties: TieBreak::Random };
        draw.smallest(&[0, 1, 2], OwnTie::Random, |r| r);
        assert_eq!(stream, before);
    }
}
