//! Section `gateway`: queue, breakers, retry budget, pools.

use tokenyard_param::{ParamSpec, Values};

use super::table::{choice, int, ms, opt, opt_ms, options, real, s, switch};
use crate::time::Ps;

options! {
    /// What limits retries across all requests.
    RetryBudget {
        /// Nothing.
        None = "none",
        /// `share` × requests of the last window + `floor`.
        Share = "share",
        /// Envoy's form: concurrent retries ≤ max(share × requests in flight, a minimum).
        Envoy = "envoy",
    }
}

/// The parameters, with ranges and defaults.
pub static TABLE: [ParamSpec; 16] = [
    opt("queue_cap", 1, 1_000_000),
    opt("line_cap", 0, 10_000_000),
    opt("queue_timeout_ms", 1, 86_400_000),
    switch("drop_expired", false),
    opt("session_concurrency", 1, 100_000),
    opt("breaker_failures", 1, 100_000),
    real("breaker_open_s", 0.001, 86_400.0, 60.0, 1),
    int("breaker_half_open", 1, 1_000, 1),
    choice("retry_budget", RetryBudget::OPTIONS, 0),
    real("retry_budget_share", 0.0, 10.0, 0.1, 2),
    int("retry_budget_floor", 0, 100_000, 3),
    real("retry_budget_window_s", 0.1, 3_600.0, 10.0, 1),
    int("envoy_min_concurrency", 0, 100_000, 3),
    int("pools", 1, 64, 1),
    switch("spill", true),
    int("retry_after_ms", 0, 3_600_000, 1_000),
];

/// The section, read.
#[derive(Clone, Debug, PartialEq)]
pub struct GatewaySettings {
    /// Most requests outstanding at one replica; more wait at the gateway.
    pub queue_cap: Option<u32>,
    /// Most requests that wait at the gateway; more are refused.
    pub line_cap: Option<u32>,
    /// Longest wait at the gateway.
    pub queue_timeout: Option<Ps>,
    /// Whether a request past its deadline is dropped before it is routed.
    pub drop_expired: bool,
    /// Most requests of one session in flight.
    pub session_concurrency: Option<u32>,
    /// Failures in a row that open a replica's breaker; none: no breaker.
    pub breaker_failures: Option<u32>,
    /// How long a breaker stays open.
    pub breaker_open: Ps,
    /// Trial requests of a half-open breaker.
    pub breaker_half_open: u32,
    /// What limits retries.
    pub retry_budget: RetryBudget,
    /// Share of both forms.
    pub retry_budget_share: f64,
    /// Retries allowed whatever the share.
    pub retry_budget_floor: u32,
    /// Window of the first form.
    pub retry_budget_window: Ps,
    /// Minimum of Envoy's form.
    pub envoy_min_concurrency: u32,
    /// Priority pools into which the replicas are divided; 1 is none.
    pub pools: u32,
    /// Whether a full pool's requests may use the others.
    pub spill: bool,
    /// What a refused client is told to wait.
    pub retry_after: Ps,
}

impl GatewaySettings {
    pub(super) fn of(v: &Values) -> Self {
        Self {
            queue_cap: v.opt_u32("queue_cap"),
            line_cap: v.opt_u32("line_cap"),
            queue_timeout: opt_ms(v, "queue_timeout_ms"),
            drop_expired: v.switch("drop_expired"),
            session_concurrency: v.opt_u32("session_concurrency"),
            breaker_failures: v.opt_u32("breaker_failures"),
            breaker_open: s(v, "breaker_open_s"),
            breaker_half_open: v.u32("breaker_half_open"),
            retry_budget: RetryBudget::of(v, "retry_budget"),
            retry_budget_share: v.real("retry_budget_share"),
            retry_budget_floor: v.u32("retry_budget_floor"),
            retry_budget_window: s(v, "retry_budget_window_s"),
            envoy_min_concurrency: v.u32("envoy_min_concurrency"),
            pools: v.u32("pools"),
            spill: v.switch("spill"),
            retry_after: ms(v, "retry_after_ms"),
        }
    }
}
