//! Random streams of the fleet simulator: ChaCha8, one stream for each concern.
//!
//! A stream is named by the run's seed, a purpose and an index (`"arrivals"`, 0), so a new
//! consumer moves nobody else's draws, and two rules compared on one seed see the same arrivals.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::digest::Digest;
use crate::math;

/// A stream of random numbers with the same bits on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of `purpose`, number `index`, in the run of `seed`.
    #[must_use]
    pub fn new(seed: u64, purpose: &str, index: u64) -> Self {
        let mut name = Digest::default();
        name.bytes(purpose.as_bytes());
        let mut key = [0_u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&name.finish().to_le_bytes());
        key[16..24].copy_from_slice(&index.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A draw in [0, 1): 53 random bits, exact in a double.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// A whole number in 0..n without bias (multiply, reject the short end). `n` = 0 gives 0
    /// without a draw.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        let threshold = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.bits()) * u128::from(n);
            if wide as u64 >= threshold {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -math::ln(1.0 - self.unit())
    }

    /// Standard normal, by Box and Muller with the sine half thrown away: two draws each, so the
    /// stream's position does not depend on who asked before.
    pub fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * math::cos(2.0 * std::f64::consts::PI * self.unit())
    }

    /// Gamma with the given shape and scale 1 (Marsaglia and Tsang 2000); below shape 1 by the
    /// usual power of a uniform draw. A shape that is not positive gives 0.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if !shape.is_finite() || shape <= 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            let boost = math::pow(1.0 - self.unit(), 1.0 / shape);
            return boost * self.gamma(shape + 1.0);
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = 1.0 + c * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            let u = 1.0 - self.unit();
            if math::ln(u) < 0.5 * x * x + d - d * v + d * math::ln(v) {
                return d * v;
            }
        }
    }

    /// Puts a slice into a random order (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stat;

    fn draws(n: usize, mut draw: impl FnMut(&mut Stream) -> f64) -> Vec<f64> {
        let mut stream = Stream::new(7, "test", 0);
        (0..n).map(|_| draw(&mut stream)).collect()
    }

    /// ChaCha8 with an all-zero key and nonce: the published key stream begins 3e00ef2f895f40d6.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut zero = Stream(ChaCha8Rng::from_seed([0; 32]));
        assert_eq!(zero.bits(), u64::from_le_bytes([0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6]));
    }

    #[test]
    fn purposes_indices_and_seeds_are_different_streams() {
        let first = |seed, purpose, index| Stream::new(seed, purpose, index).bits();
        let all = [first(1, "a", 0), first(1, "b", 0), first(1, "a", 1), first(2, "a", 0)];
        for (i, a) in all.iter().enumerate() {
            assert!(all.iter().skip(i + 1).all(|b| a != b));
        }
        assert_eq!(first(1, "a", 0), all[0]);
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let near = |values: &[f64], mean: f64, cv: f64| {
            let (m, c) = (stat::mean(values).unwrap(), stat::cv(values).unwrap());
            assert!((m / mean - 1.0).abs() < 0.02 && (c - cv).abs() < 0.02, "{m} {c}");
        };
        near(&draws(100_000, Stream::exponential), 1.0, 1.0);
        near(&draws(100_000, |s| s.gamma(0.25)), 0.25, 2.0);
        near(&draws(100_000, |s| s.gamma(4.0)), 4.0, 0.5);
        near(&draws(100_000, |s| 10.0 + s.normal()), 10.0, 0.1);
    }

    #[test]
    fn bounded_draws_fill_their_range_evenly() {
        let mut stream = Stream::new(1, "test", 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|c| (9_500..10_500).contains(c)), "{counts:?}");
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
    }
}
