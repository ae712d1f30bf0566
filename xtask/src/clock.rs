//! The one place of the chores that reads the clock, to print how long a step took.

use std::time::{Duration, Instant};

/// A moment from which time is measured.
#[derive(Clone, Copy, Debug)]
pub struct Since(Instant);

impl Since {
    /// Now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "shown to the person who waits; no result depends on it")]
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// Time since then.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// `0.4 s`, `12.3 s` or `4 min 5 s`.
#[must_use]
pub fn in_words(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds < 60 {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_times() {
        assert_eq!(in_words(Duration::from_millis(430)), "0.4 s");
        assert_eq!(in_words(Duration::from_secs(59)), "59.0 s");
        assert_eq!(in_words(Duration::from_secs(245)), "4 min 5 s");
    }
}
