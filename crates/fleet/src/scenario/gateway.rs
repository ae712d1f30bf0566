//! Section `gateway`: queue, breakers, retry budget, pools, outlier detection and panic.

use tokenyard_param::{ParamSpec, Values};
use tokenyard_policy::outlier::OutlierSettings;

use super::table::{choice, int, ms, opt, opt_ms, opt_of, options, real, s, switch};
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

options! {
    /// Which pool a request goes to.
    PoolChoice {
        /// The one of its priority.
        Priority = "priority",
        /// The first, and others as far as its health falls short: Envoy's priority levels.
        Health = "health",
    }
}

options! {
    /// Who is first in the gateway's line.
    LineOrder {
        /// First come, first served.
        First = "first",
        /// The highest priority, and in each the first come: the bands of llm-d's flow control.
        Bands = "bands",
        /// The tenant that was served least: the virtual token counter.
        Vtc = "vtc",
    }
}

/// The parameters, with ranges and defaults. Those of outlier detection and pools by health are
/// Envoy's.
pub static TABLE: [ParamSpec; 34] = [
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
    choice("pool_choice", PoolChoice::OPTIONS, 0),
    int("overprovisioning_percent", 100, 1_000, 140),
    opt("panic_percent", 1, 100),
    switch("outlier", false),
    opt_of("outlier_consecutive", 1, 100_000, 5),
    real("outlier_interval_s", 0.001, 3_600.0, 10.0, 1),
    real("outlier_ejection_s", 0.001, 86_400.0, 30.0, 1),
    real("outlier_most_ejection_s", 0.001, 86_400.0, 300.0, 1),
    int("outlier_most_percent", 0, 100, 10),
    switch("outlier_at_least_one", true),
    switch("outlier_success_rate", true),
    real("outlier_deviations", 0.0, 10.0, 1.9, 1),
    int("outlier_volume", 1, 1_000_000, 100),
    opt("outlier_failure_percent", 1, 100),
    int("outlier_failure_volume", 1, 1_000_000, 50),
    int("outlier_hosts", 1, 1_024, 5),
    choice("line_order", LineOrder::OPTIONS, 0),
    int("breaker_successes", 1, 1_000, 1),
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
    /// Which pool a request goes to.
    pub pool_choice: PoolChoice,
    /// Factor of a pool's share of healthy replicas, in percent.
    pub overprovisioning: u32,
    /// Share of healthy replicas, in percent, below which health is ignored; none: never.
    pub panic: Option<u32>,
    /// Who is ejected for failures; none: nobody.
    pub outlier: Option<OutlierSettings>,
    /// Who is first in the gateway's line.
    pub line_order: LineOrder,
    /// Successes that close a half-open breaker.
    pub breaker_successes: u32,
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
            pool_choice: PoolChoice::of(v, "pool_choice"),
            overprovisioning: v.u32("overprovisioning_percent"),
            panic: v.opt_u32("panic_percent"),
            outlier: v.switch("outlier").then(|| outlier(v)),
            line_order: LineOrder::of(v, "line_order"),
            breaker_successes: v.u32("breaker_successes"),
        }
    }
}

fn outlier(v: &Values) -> OutlierSettings {
    OutlierSettings {
        consecutive: v.opt_u32("outlier_consecutive"),
        interval: s(v, "outlier_interval_s"),
        ejection: s(v, "outlier_ejection_s"),
        most_ejection: s(v, "outlier_most_ejection_s"),
        most_percent: v.u32("outlier_most_percent"),
        at_least_one: v.switch("outlier_at_least_one"),
        deviations: v.switch("outlier_success_rate").then(|| v.real("outlier_deviations")),
        volume: v.u32("outlier_volume"),
        failure_percent: v.opt_u32("outlier_failure_percent"),
        failure_volume: v.u32("outlier_failure_volume"),
        hosts: v.u32("outlier_hosts"),
    }
}
