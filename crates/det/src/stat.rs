//! Ordered sums, means and quantiles: the order of additions is part of the result.

/// Sum in slice order. Empty: 0.
#[must_use]
pub fn sum(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |total, v| total + v)
}

/// Arithmetic mean. Empty: `None`.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| sum(values) / values.len() as f64)
}

/// Coefficient of variation with the population variance (division by n). Empty or mean 0: `None`.
#[must_use]
pub fn cv(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|m| *m != 0.0)?;
    let squares = values.iter().fold(0.0, |total, v| total + (v - mean) * (v - mean));
    Some((squares / values.len() as f64).sqrt() / mean)
}

/// Sorts by the total order of doubles, which has no surprises with NaN or negative zero.
pub fn sort(values: &mut [f64]) {
    values.sort_unstable_by(f64::total_cmp);
}

/// Quantile `q` (0..=1) of sorted values, by linear interpolation at position (n − 1) · q.
///
/// Empty: `None`. `q` outside 0..=1 is taken as the nearer end.
#[must_use]
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = last as f64 * q.clamp(0.0, 1.0);
    let low = at.floor() as usize;
    let (a, b) = (sorted[low], sorted[(low + 1).min(last)]);
    Some(a + (b - a) * (at - at.floor()))
}

/// Jain's fairness index (Σx)² / (n · Σx²): 1 when all are equal, 1/n when one has everything.
/// All zero counts as equal; empty: `None`.
#[must_use]
pub fn jain(values: &[f64]) -> Option<f64> {
    let (total, squares) = values.iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
    (!values.is_empty())
        .then(|| if squares == 0.0 { 1.0 } else { total * total / (values.len() as f64 * squares) })
}

/// Share of `values` that are strictly below `x`, ties counting half: a mid-rank percentile
/// in 0..=1. Empty: `None`.
#[must_use]
pub fn rank(values: &[f64], x: f64) -> Option<f64> {
    let below = values.iter().filter(|v| **v < x).count() as f64;
    let equal = values.iter().filter(|v| **v == x).count() as f64;
    (!values.is_empty()).then(|| (below + equal / 2.0) / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate_linearly() {
        let v = [1.0, 2.0, 3.0, 10.0];
        assert_eq!(quantile(&v, 0.0), Some(1.0));
        assert_eq!(quantile(&v, 0.5), Some(2.5));
        assert_eq!(quantile(&v, 1.0), Some(10.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[7.0], 0.95), Some(7.0));
    }

    #[test]
    fn jain_is_one_for_equals_and_one_over_n_for_a_hog() {
        assert_eq!(jain(&[3.0, 3.0, 3.0]), Some(1.0));
        assert_eq!(jain(&[9.0, 0.0, 0.0]), Some(1.0 / 3.0));
        assert_eq!(jain(&[0.0, 0.0]), Some(1.0));
    }

    #[test]
    fn cv_divides_by_n() {
        assert_eq!(cv(&[1.0, 3.0]), Some(0.5));
        assert_eq!(cv(&[]), None);
        assert_eq!(cv(&[0.0, 0.0]), None);
    }

    #[test]
    fn rank_counts_ties_half() {
        assert_eq!(rank(&[1.0, 2.0, 2.0, 3.0], 2.0), Some(0.5));
        assert_eq!(rank(&[1.0, 2.0], 0.0), Some(0.0));
    }
}
