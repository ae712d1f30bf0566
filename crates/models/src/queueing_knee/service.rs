//! Service times with mean 1 and any CV² from 0 up.

use tokenyard_det::{Mulberry32, math};

/// A distribution of service times with mean 1.
///
/// Every CV² is matched exactly, without a gamma function and with at most two draws:
/// - 0: constant;
/// - between 0 and 1: a fixed part and an exponential part of mean `√CV²` (a shifted
///   exponential), like a prefill of known length before an output of unknown length;
/// - 1: exponential;
/// - above 1: two-phase hyperexponential with balanced means: short with probability
///   `(1 + √((CV² − 1) / (CV² + 1))) / 2`, long otherwise, and both kinds do half of the work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Service {
    /// The part that does not vary.
    pub fixed: f64,
    /// Probability of the short phase; 1 where there is one phase only.
    pub short_share: f64,
    /// Mean of the exponential part in the short phase.
    pub short: f64,
    /// Mean of the exponential part in the long phase.
    pub long: f64,
}

impl Service {
    /// The distribution for a CV²; below 0 counts as 0.
    #[must_use]
    pub fn with_cv2(cv2: f64) -> Self {
        if cv2 <= 1.0 {
            let varying = cv2.max(0.0).sqrt();
            return Self { fixed: 1.0 - varying, short_share: 1.0, short: varying, long: varying };
        }
        let short_share = 0.5 * (1.0 + ((cv2 - 1.0) / (cv2 + 1.0)).sqrt());
        Self { fixed: 0.0, short_share, short: 0.5 / short_share, long: 0.5 / (1.0 - short_share) }
    }

    /// One service time. `sizes` gives one draw for the exponential part, `phases` one for the
    /// phase: the same customers draw the same sizes whatever the distribution.
    pub fn draw(&self, sizes: &mut Mulberry32, phases: &mut Mulberry32) -> f64 {
        if self.short == 0.0 {
            return self.fixed;
        }
        let long = self.short_share < 1.0 && phases.draw() >= self.short_share;
        self.fixed + exponential(sizes) * if long { self.long } else { self.short }
    }
}

/// An exponential draw with mean 1, at most 32 ln 2 = 22.2 because a draw has 32 bits.
pub fn exponential(stream: &mut Mulberry32) -> f64 {
    -math::ln(1.0 - stream.draw())
}
