//! Sections `limits` and `slo`: when a run stops, and what counts as good.

use tokenyard_param::{ParamSpec, Values};

use super::table::{int, ms, real, s};
use crate::time::Ps;

/// Parameters of `limits`.
pub static LIMITS: [ParamSpec; 3] = [
    int("events", 1, 1_000_000_000_000, 1_000_000_000),
    real("simulated_s", 0.001, 18_446_744.0, 18_446_744.0, 0),
    real("warm_up_s", 0.0, 18_446_744.0, 0.0, 0),
];

/// Parameters of `slo`.
pub static SLO: [ParamSpec; 2] =
    [int("ttft_ms", 1, 86_400_000, 2_000), real("tpot_ms", 0.001, 86_400_000.0, 50.0, 1)];

/// When a run stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most events.
    pub events: u64,
    /// Latest simulated time.
    pub simulated: Ps,
    /// Requests that arrive before this count in no summary.
    pub warm_up: Ps,
}

impl Limits {
    pub(super) fn of(v: &Values) -> Self {
        Self {
            events: v.int("events").unsigned_abs(),
            simulated: s(v, "simulated_s"),
            warm_up: s(v, "warm_up_s"),
        }
    }
}

/// What counts as good: goodput is the rate of requests that meet both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slo {
    /// Time to first token.
    pub ttft: Ps,
    /// Time per output token.
    pub tpot: Ps,
}

impl Slo {
    pub(super) fn of(v: &Values) -> Self {
        Self { ttft: ms(v, "ttft_ms"), tpot: crate::time::from_ms(v.real("tpot_ms")) }
    }
}
