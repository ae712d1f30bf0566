//! Popularity by Zipf's law.

use std::sync::Arc;

use tokenyard_det::math;

/// Member k of n, from 0, has weight (k + 1)^−s.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Popularity {
    /// Sums of the weights up to and including each member.
    sums: Arc<[f64]>,
}

impl Popularity {
    /// Of `members` (at least one) with exponent `s`; 0 makes all equal. Costs 8 bytes a member.
    pub(super) fn new(members: u32, s: f64) -> Self {
        let mut sum = 0.0;
        let sums = (1..=members.max(1)).map(|k| {
            sum += math::pow(f64::from(k), -s);
            sum
        });
        Self { sums: sums.collect() }
    }

    /// The member of a uniform draw in [0, 1); logarithmic in their number.
    pub(super) fn at(&self, u: f64) -> u32 {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let place = self.sums.partition_point(|sum| *sum <= u * total);
        place.min(self.sums.len() - 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    /// Chi-square over 50 members and 200 000 draws: 49 degrees of freedom, below 0.1% at 85.4.
    #[test]
    fn frequencies_follow_the_law() {
        for s in [0.0, 0.8, 1.0, 2.0] {
            let popularity = Popularity::new(50, s);
            let mut stream = Stream::new(11, "test", 0);
            let mut seen = [0_u32; 50];
            (0..200_000).for_each(|_| seen[popularity.at(stream.unit()) as usize] += 1);
            let weights: Vec<f64> = (1..=50).map(|k| math::pow(f64::from(k), -s)).collect();
            let total: f64 = weights.iter().sum();
            let chi: f64 = weights.iter().zip(seen).fold(0.0, |chi, (w, n)| {
                let expected = 200_000.0 * w / total;
                chi + (f64::from(n) - expected) * (f64::from(n) - expected) / expected
            });
            assert!(chi < 85.4, "s = {s}: {chi}");
        }
    }

    #[test]
    fn one_member_is_always_drawn() {
        let one = Popularity::new(1, 3.0);
        assert_eq!((one.at(0.0), one.at(0.999_999)), (0, 0));
    }
}
