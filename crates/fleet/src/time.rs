//! Time: whole picoseconds.

/// A time or a duration in picoseconds. Sums saturate at 2^64 − 1, which lies behind every limit
/// a run can have, so a run stops before a saturated time is reached.
pub type Ps = u64;

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
