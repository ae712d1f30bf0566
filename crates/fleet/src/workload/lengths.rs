//! Lengths in tokens.

use std::sync::Arc;

use tokenyard_det::math;

use super::normal;
use crate::scenario::workload::{LengthSettings, LengthShape};

/// Longest prompt and longest answer in tokens; what would be longer is cut to this.
pub const MOST_TOKENS: u32 = 1 << 20;

/// A distribution of lengths. One uniform draw makes one length, whatever the distribution.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lengths {
    Constant(f64),
    Exponential { mean: f64 },
    Lognormal(Lognormal),
    Mixture { second_share: f64, first: Lognormal, second: Lognormal },
    Empirical(Arc<[u32]>),
}

/// ln X is normal with these parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lognormal {
    mu: f64,
    sigma: f64,
}

impl Lognormal {
    /// By its mean and coefficient of variation: σ² = ln(1 + cv²), μ = ln(mean) − σ²/2.
    fn new(mean: f64, cv: f64) -> Self {
        let variance = math::ln(1.0 + cv * cv);
        Self { mu: math::ln(mean) - variance / 2.0, sigma: variance.sqrt() }
    }

    fn at(&self, u: f64) -> f64 {
        math::exp(self.mu + self.sigma * normal::quantile(u))
    }
}

impl Lengths {
    /// As the settings say; `seen` are the lengths that an empirical distribution draws from.
    pub(super) fn new(settings: &LengthSettings, seen: impl Iterator<Item = u32>) -> Self {
        let LengthSettings { shape, mean, cv, second_mean, second_share } = *settings;
        match shape {
            LengthShape::Constant => Self::Constant(mean),
            LengthShape::Exponential => Self::Exponential { mean },
            LengthShape::Lognormal => Self::Lognormal(Lognormal::new(mean, cv)),
            LengthShape::Mixture => Self::Mixture {
                second_share,
                first: Lognormal::new(mean, cv),
                second: Lognormal::new(second_mean, cv),
            },
            LengthShape::Empirical => Self::Empirical(seen.collect()),
        }
    }

    /// The same kind of spread about another mean; lognormal where the kind has two modes or none.
    pub(super) fn about(settings: &LengthSettings, mean: f64) -> Self {
        match settings.shape {
            LengthShape::Constant => Self::Constant(mean),
            LengthShape::Exponential => Self::Exponential { mean },
            _ => Self::Lognormal(Lognormal::new(mean, settings.cv)),
        }
    }

    /// The length of a uniform draw `u` in [0, 1): rounded half up, 1 to [`MOST_TOKENS`]. Longer for
    /// a larger `u`, except that a mixture has its second mode below its share.
    pub(super) fn at(&self, u: f64) -> u32 {
        let tokens = match self {
            Self::Constant(mean) => *mean,
            Self::Exponential { mean } => -mean * math::ln(1.0 - u),
            Self::Lognormal(one) => one.at(u),
            Self::Mixture { second_share, second, .. } if u < *second_share => second.at(u / second_share),
            Self::Mixture { second_share, first, .. } => first.at((u - second_share) / (1.0 - second_share)),
            Self::Empirical(seen) => {
                f64::from(seen.get((u * seen.len() as f64) as usize).copied().unwrap_or(1))
            }
        };
        ((tokens + 0.5) as u32).clamp(1, MOST_TOKENS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::{Stream, stat};

    fn settings(shape: LengthShape) -> LengthSettings {
        LengthSettings { shape, mean: 1_000.0, cv: 0.8, second_mean: 9_000.0, second_share: 0.25 }
    }

    fn moments(lengths: &Lengths) -> (f64, f64) {
        let mut stream = Stream::new(3, "test", 0);
        let drawn: Vec<f64> = (0..400_000).map(|_| f64::from(lengths.at(stream.unit()))).collect();
        (stat::mean(&drawn).unwrap(), stat::cv(&drawn).unwrap())
    }

    /// Five standard errors of the mean; the coefficient of variation within 2%.
    #[test]
    fn moments_are_those_asked_for() {
        let check = |shape, mean: f64, cv: f64| {
            let (m, c) = moments(&Lengths::new(&settings(shape), std::iter::empty()));
            assert!((m - mean).abs() <= 5.0 * cv * mean / 400_000.0_f64.sqrt(), "{shape:?} mean {m}");
            assert!((c - cv).abs() <= 0.02 * cv, "{shape:?} CV {c}");
        };
        check(LengthShape::Constant, 1_000.0, 0.0);
        check(LengthShape::Exponential, 1_000.0, 1.0);
        check(LengthShape::Lognormal, 1_000.0, 0.8);
        // Mean 0.75 · 1 000 + 0.25 · 9 000; each mode's second moment is mean² (1 + 0.64).
        let second: f64 = 1.64 * (0.75 * 1e6 + 0.25 * 81e6) / 9e6;
        check(LengthShape::Mixture, 3_000.0, (second - 1.0).sqrt());
    }

    #[test]
    fn an_empirical_distribution_draws_its_members_evenly() {
        let seen = [5_u32, 7, 7, 900];
        let lengths = Lengths::new(&settings(LengthShape::Empirical), seen.into_iter());
        let drawn: Vec<u32> = (0..8).map(|i| lengths.at(f64::from(i) / 8.0)).collect();
        assert_eq!(drawn, [5, 5, 7, 7, 7, 7, 900, 900]);
    }

    #[test]
    fn lengths_stay_within_their_bounds() {
        let wild = LengthSettings { mean: 1e6, cv: 20.0, ..settings(LengthShape::Lognormal) };
        for u in [0.0, 1e-300, 0.5, 1.0 - f64::EPSILON] {
            for shape in [LengthShape::Exponential, LengthShape::Lognormal, LengthShape::Mixture] {
                let at = Lengths::new(&LengthSettings { shape, ..wild }, std::iter::empty()).at(u);
                assert!((1..=MOST_TOKENS).contains(&at));
            }
        }
        assert_eq!(Lengths::new(&settings(LengthShape::Empirical), std::iter::empty()).at(0.5), 1);
        assert_eq!(Lengths::Constant(2.5).at(0.1), 3);
    }
}
