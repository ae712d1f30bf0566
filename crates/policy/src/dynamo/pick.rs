//! The pick among costs.

use tokenyard_det::math;

use crate::draw::{Draw, OwnTie};

/// Which of the costs is taken, and how many were equal to it. `None` without costs.
///
/// At temperature 0 the smallest, a uniform draw among equals; above, one draw with
/// [`probabilities`], for which `scratch` lends its memory.
pub fn pick(
    costs: &[f64],
    temperature: f64,
    draw: &mut Draw<'_>,
    scratch: &mut Vec<f64>,
) -> Option<(usize, u32)> {
    if costs.is_empty() {
        return None;
    }
    if temperature > 0.0 {
        probabilities(costs, temperature, scratch);
        return Some((sample(scratch, draw.stream.unit()), 1));
    }
    let mut best = f64::INFINITY;
    let mut tied = 0;
    for &cost in costs {
        if cost < best {
            (best, tied) = (cost, 1);
        } else if cost == best {
            tied += 1;
        }
    }
    let wanted = draw.among(tied, OwnTie::Random) as usize;
    let (at, _) = costs.iter().enumerate().filter(|(_, cost)| **cost == best).nth(wanted)?;
    Some((at, tied))
}

/// Probabilities proportional to e^(-x/T), x being the cost scaled to 0..1 between the smallest
/// and the largest, so that T has no unit; uniform where all costs are equal. T is positive.
pub fn probabilities(costs: &[f64], temperature: f64, into: &mut Vec<f64>) {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (min, max) = costs.iter().fold(ends, |(lo, hi), cost| (lo.min(*cost), hi.max(*cost)));
    into.clear();
    if min == max {
        into.resize(costs.len(), 1.0 / costs.len() as f64);
    } else {
        // Costs at both ends of what a double holds have no finite range: scale first.
        let magnitude = if (max - min).is_finite() { 1.0 } else { min.abs().max(max.abs()) };
        let low = min / magnitude;
        let scale = -1.0 / ((max / magnitude - low) * temperature);
        let top = low * scale;
        into.extend(costs.iter().map(|cost| math::exp(cost / magnitude * scale - top)));
    }
    let sum: f64 = into.iter().sum();
    into.iter_mut().for_each(|p| *p /= sum);
}

/// The first place at which the running sum of probabilities reaches `draw` in [0, 1); the last
/// where rounding keeps it below. 0 without probabilities.
#[must_use]
pub fn sample(probabilities: &[f64], draw: f64) -> usize {
    let mut sum = 0.0;
    let reached = probabilities.iter().position(|p| {
        sum += p;
        draw <= sum
    });
    reached.unwrap_or(probabilities.len().saturating_sub(1))
}
