//! The one place where these tests look at a clock: time limits and the closing line.

use std::time::{Duration, Instant};

/// Time since a moment, for limits and reports only; no assertion rests on it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts counting now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "a browser that hangs is only seen by the clock")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// Whether at least `limit` has passed.
    #[must_use]
    pub fn past(&self, limit: Duration) -> bool {
        self.elapsed() >= limit
    }
}
