//! Time: whole picoseconds.

use std::num::NonZeroU64;

/// A time or a duration in picoseconds. Sums saturate at 2^64 − 1, which lies behind every limit
/// a run can have, so a run stops before a saturated time is reached.
pub type Ps = u64;

/// A time that may not have come yet, in the room of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct When(Option<NonZeroU64>);

impl When {
    /// It has not come.
    pub(crate) const NEVER: Self = Self(None);

    /// It came at this time, which lies before the saturated one.
    pub(crate) fn at(time: Ps) -> Self {
        Self(NonZeroU64::new(!time))
    }

    /// The time, if it has come.
    pub(crate) fn get(self) -> Option<Ps> {
        self.0.map(|flipped| !flipped.get())
    }

    /// Whether it has come.
    pub(crate) fn has_come(self) -> bool {
        self.0.is_some()
    }
}

/// One microsecond.
pub const MICRO: Ps = 1_000_000;
/// One millisecond.
pub const MILLI: Ps = 1_000 * MICRO;
/// One second.
pub const SECOND: Ps = 1_000 * MILLI;

/// Milliseconds as a person reads them.
#[must_use]
pub fn in_ms(time: Ps) -> f64 {
    time as f64 / MILLI as f64
}

/// Seconds as a person reads them.
#[must_use]
pub fn in_s(time: Ps) -> f64 {
    time as f64 / SECOND as f64
}

/// Seconds to picoseconds, rounded half up; what is negative or not a number gives 0, what is too
/// large the largest time.
#[must_use]
pub fn from_s(seconds: f64) -> Ps {
    (seconds * SECOND as f64 + 0.5) as Ps
}

/// Milliseconds to picoseconds, as [`from_s`].
#[must_use]
pub fn from_ms(ms: f64) -> Ps {
    (ms * MILLI as f64 + 0.5) as Ps
}
