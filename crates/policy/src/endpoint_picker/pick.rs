//! Pickers.

use tokenyard_det::{Stream, math};

/// Who wins among equal scores. It has changed three times upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TieMode {
    /// A uniform draw: since gateway-api-inference-extension PR 1205, July 2025.
    #[default]
    Random,
    /// The first of the list, which was always the same replica (issue 1204).
    First,
    /// In turn among the equals: llm-d-router PR 2515 as corrected by PR 2709, September 2026.
    RoundRobin,
}

/// The counter of [`TieMode::RoundRobin`]. It counts ties only, and begins anew when it reaches the
/// number of equals of the tie at hand, so ties of different sizes disturb each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Turns(u32);

impl Turns {
    /// Whose turn it is among so many equals, from 0.
    pub fn next(&mut self, equals: u32) -> u32 {
        if equals < 2 {
            return 0;
        }
        let turn = self.0 % equals;
        self.0 += 1;
        if self.0 >= equals {
            self.0 = 0;
        }
        turn
    }

    /// The counter.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0
    }
}

/// `weighted-random-picker`: the place with the largest U^(1/score), one draw for each score above
/// 0, which makes probabilities proportional to scores. `None` where no score is above 0; upstream
/// then draws among all.
pub fn weighted(scores: &[f64], stream: &mut Stream) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for (at, score) in scores.iter().enumerate().filter(|(_, score)| **score > 0.0) {
        let unit = stream.unit();
        // A draw of 0 must not be out of the race.
        let unit = if unit == 0.0 { 1e-10 } else { unit };
        let key = math::pow(unit, 1.0 / score);
        if best.is_none_or(|(largest, _)| key > largest) {
            best = Some((key, at));
        }
    }
    best.map(|(_, at)| at)
}
