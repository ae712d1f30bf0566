//! Section `client`: patience, retries, hedging.

use tokenyard_param::{Kind, ParamSpec, Values};

use super::table::{choice, int, ms, opt_ms, options, real, switch};
use crate::time::Ps;

options! {
    /// What becomes of an attempt whose client gave up.
    OnTimeout {
        /// The engine drops it.
        Abort = "abort",
        /// It runs on for nobody.
        RunOn = "run-on",
    }
}

options! {
    /// Wait before another attempt.
    Backoff {
        /// None.
        None = "none",
        /// `base · factor^k`, at most the cap.
        Exponential = "exponential",
    }
}

options! {
    /// How a wait is spread.
    Jitter {
        /// Not at all.
        None = "none",
        /// Uniform between 0 and the wait.
        Full = "full",
        /// Half of it fixed, half uniform.
        Equal = "equal",
    }
}

options! {
    /// When a second attempt starts beside the first.
    Hedge {
        /// Never.
        None = "none",
        /// After `hedge_ms` without a first token.
        Fixed = "fixed",
        /// After the `hedge_quantile` of the times to first token seen so far.
        Quantile = "quantile",
    }
}

/// None by default.
const fn timeout(key: &'static str) -> ParamSpec {
    ParamSpec {
        key,
        link: key,
        kind: Kind::OptInt { min: 1, max: 86_400_000, default: None, step: 100, page: 1_000 },
    }
}

/// The parameters, with ranges and defaults.
pub static TABLE: [ParamSpec; 13] = [
    timeout("timeout_ms"),
    choice("on_timeout", OnTimeout::OPTIONS, 0),
    int("attempts", 1, 10, 1),
    choice("backoff", Backoff::OPTIONS, 1),
    int("backoff_base_ms", 0, 3_600_000, 100),
    real("backoff_factor", 1.0, 10.0, 2.0, 1),
    int("backoff_cap_ms", 0, 3_600_000, 10_000),
    choice("jitter", Jitter::OPTIONS, 1),
    switch("honour_retry_after", true),
    choice("hedge", Hedge::OPTIONS, 0),
    int("hedge_ms", 1, 3_600_000, 1_000),
    real("hedge_quantile", 0.5, 0.999, 0.95, 3),
    int("layers", 1, 4, 1),
];

/// The section, read.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientSettings {
    /// Patience of one attempt, from its start to its last token.
    pub timeout: Option<Ps>,
    /// What becomes of the attempt then.
    pub on_timeout: OnTimeout,
    /// Attempts of one layer, the first included.
    pub attempts: u32,
    /// Wait before another attempt.
    pub backoff: Backoff,
    /// First wait.
    pub backoff_base: Ps,
    /// Factor from one wait to the next.
    pub backoff_factor: f64,
    /// Longest wait.
    pub backoff_cap: Ps,
    /// How waits are spread.
    pub jitter: Jitter,
    /// Whether a gateway's Retry-After is waited for.
    pub honour_retry_after: bool,
    /// When a second attempt starts beside the first.
    pub hedge: Hedge,
    /// Of a fixed hedge.
    pub hedge_after: Ps,
    /// Of a hedge by quantile.
    pub hedge_quantile: f64,
    /// Retry layers stacked on each other; the attempts multiply.
    pub layers: u32,
}

impl ClientSettings {
    pub(super) fn of(v: &Values) -> Self {
        Self {
            timeout: opt_ms(v, "timeout_ms"),
            on_timeout: OnTimeout::of(v, "on_timeout"),
            attempts: v.u32("attempts"),
            backoff: Backoff::of(v, "backoff"),
            backoff_base: ms(v, "backoff_base_ms"),
            backoff_factor: v.real("backoff_factor"),
            backoff_cap: ms(v, "backoff_cap_ms"),
            jitter: Jitter::of(v, "jitter"),
            honour_retry_after: v.switch("honour_retry_after"),
            hedge: Hedge::of(v, "hedge"),
            hedge_after: ms(v, "hedge_ms"),
            hedge_quantile: v.real("hedge_quantile"),
            layers: v.u32("layers"),
        }
    }
}
