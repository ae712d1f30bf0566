//! The printed figures of a run.

use super::run::Run;

/// The oracle's figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Largest skew of any tick.
    pub max_spread: u32,
    /// Mean skew over the ticks.
    pub mean_spread: f64,
    /// Swing: mean absolute change of the skew from tick to tick.
    pub oscillation: f64,
    /// Share of ticks in which all arrivals went to one replica; ticks with a single arrival
    /// never count. Shown, never argued with: it is not a measure of staleness.
    pub concentration: f64,
}

/// Figures of a run; all zero for a run without ticks.
#[must_use]
pub fn summary(run: &Run) -> Summary {
    let skews: Vec<u32> = run.ticks.iter().map(|t| t.skew).collect();
    let total: u64 = skews.iter().map(|s| u64::from(*s)).sum();
    let change: u64 = skews.windows(2).map(|w| u64::from(w[0].abs_diff(w[1]))).sum();
    let together = run.ticks.iter().filter(|t| {
        let first = t.decisions.first().map(|d| d.placed);
        t.decisions.len() > 1 && t.decisions.iter().all(|d| Some(d.placed) == first)
    });
    let share = |part: u64, of: usize| if of == 0 { 0.0 } else { part as f64 / of as f64 };
    Summary {
        max_spread: skews.iter().max().copied().unwrap_or(0),
        mean_spread: share(total, skews.len()),
        oscillation: share(change, skews.len().saturating_sub(1)),
        concentration: share(together.count() as u64, run.ticks.len()),
    }
}
