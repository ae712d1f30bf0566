//! Filters. The utilization filter is with its detector, in [`super::Utilization`].

/// `prefix-cache-affinity-filter`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affinity {
    /// A candidate with this matched share or more is sticky; at 0 the filter is off.
    pub threshold: f64,
    /// How much later the first token may come at the best sticky candidate, in milliseconds; 0
    /// for any time.
    pub most_penalty_ms: f64,
}

/// What the filter keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sticky {
    /// All candidates.
    All,
    /// Those at or above the threshold.
    Only,
}

/// Whether only sticky candidates are kept. `ratios` are matched shares, `ttft_ms` what the first
/// token is expected to take at each.
///
/// When the best sticky candidate is too slow, *all* are kept and not just the others: scorers may
/// send the request there all the same.
#[must_use]
pub fn sticky(filter: &Affinity, ratios: &[f64], ttft_ms: &[f64]) -> Sticky {
    if ratios.len() <= 1 || filter.threshold <= 0.0 {
        return Sticky::All;
    }
    let best = |sticky: bool| {
        let side = ratios.iter().zip(ttft_ms).filter(|(ratio, _)| (**ratio >= filter.threshold) == sticky);
        side.map(|(_, ttft)| *ttft).reduce(f64::min)
    };
    match (best(true), best(false)) {
        (None, _) => Sticky::All,
        (Some(there), Some(elsewhere))
            if filter.most_penalty_ms > 0.0 && there - elsewhere > filter.most_penalty_ms =>
        {
            Sticky::All
        }
        _ => Sticky::Only,
    }
}
