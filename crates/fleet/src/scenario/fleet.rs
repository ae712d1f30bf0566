//! Section `fleet`: replicas and their engines.

use tokenyard_param::{ParamSpec, Values};

use super::table::{choice, int, opt, options, real, s, switch};
use crate::engine::types::{EngineSettings, Mode, Order};
use crate::presets::{self, Preset};
use crate::time::Ps;

options! {
    /// [`Mode`] as files write it.
    ModeName {
        /// Mixed iterations within a token budget.
        Chunked = "chunked",
        /// Prefill-only iterations.
        Continuous = "continuous",
        /// Whole batches.
        Static = "static",
    }
}

options! {
    /// [`Order`] as files write it.
    OrderName {
        /// First come first.
        First = "first",
        /// Last come first.
        Last = "last",
    }
}

/// Most replicas of a fleet.
pub const MOST_REPLICAS: u32 = 1_024;

/// The parameters, with ranges and defaults.
pub static TABLE: [ParamSpec; 21] = [
    int("replicas", 1, MOST_REPLICAS as i64, 4),
    choice("preset", &presets::IDS, presets::DEFAULT),
    int("block", 1, 1_024, 16),
    opt("kv_blocks", 1, 100_000_000),
    int("max_seqs", 1, 65_536, 256),
    int("budget", 1, 1_048_576, 2_048),
    choice("mode", ModeName::OPTIONS, 0),
    switch("prefix_cache", true),
    switch("cache_generated", true),
    opt("long_prefill", 1, 1_048_576),
    choice("order", OrderName::OPTIONS, 0),
    int("slow_replicas", 0, MOST_REPLICAS as i64, 0),
    int("slow_per_mille", 1, 10_000, 500),
    real("start_up_s", 0.0, 86_400.0, 0.0, 1),
    real("blackout_s", 0.0, 86_400.0, 0.0, 1),
    real("slow_start_s", 0.0, 86_400.0, 0.0, 1),
    real("slow_start_aggression", 0.01, 100.0, 1.0, 2),
    real("slow_start_min_weight", 0.0, 1.0, 0.1, 2),
    int("failing_replicas", 0, MOST_REPLICAS as i64, 0),
    int("failing_per_mille", 1, 1_000, 1_000),
    opt("limit_rpm", 1, 1_000_000_000),
];

/// The section, read.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetSettings {
    /// Number of replicas.
    pub replicas: u32,
    /// Where the costs come from.
    pub preset: &'static Preset,
    /// Settings of every replica; `cost` is at full speed.
    pub engine: EngineSettings,
    /// So many of the last replicas run at `slow_per_mille`.
    pub slow_replicas: u32,
    /// Speed of these, 1 000 being full speed.
    pub slow_per_mille: u32,
    /// From a restart to ready.
    pub start_up: Ps,
    /// From ready to the first request it may get; 0 is none.
    pub blackout: Ps,
    /// Window of slow start after a replica becomes ready; 0 is none.
    pub slow_start: Ps,
    /// Exponent of slow start is 1 / this.
    pub slow_start_aggression: f64,
    /// Smallest weight in slow start.
    pub slow_start_min_weight: f64,
    /// So many of the first replicas answer some requests with an error (500) at once.
    pub failing_replicas: u32,
    /// How many of a thousand.
    pub failing_per_mille: u32,
    /// Requests that a replica takes in a calendar minute; more are refused at once (429).
    pub limit_rpm: Option<u32>,
}

/// KV blocks of a replica: as given, else what the preset holds.
pub(super) fn kv_blocks(v: &Values) -> u32 {
    let preset = presets::at(usize::from(v.choice("preset")));
    v.opt_u32("kv_blocks").unwrap_or_else(|| (preset.kv_tokens / v.u32("block").max(1)).max(1))
}

impl FleetSettings {
    pub(super) fn of(v: &Values) -> Self {
        let preset = presets::at(usize::from(v.choice("preset")));
        let budget = v.u32("budget");
        let engine = EngineSettings {
            block: v.u32("block"),
            capacity: kv_blocks(v),
            max_seqs: v.u32("max_seqs"),
            budget,
            mode: match ModeName::of(v, "mode") {
                ModeName::Chunked => Mode::Chunked,
                ModeName::Continuous => Mode::Continuous,
                ModeName::Static => Mode::Static,
            },
            prefix_cache: v.switch("prefix_cache"),
            cache_generated: v.switch("cache_generated"),
            long_prefill: v.opt_u32("long_prefill"),
            order: match OrderName::of(v, "order") {
                OrderName::First => Order::First,
                OrderName::Last => Order::Last,
            },
            cost: preset.cost(budget),
        };
        Self {
            replicas: v.u32("replicas"),
            preset,
            engine,
            slow_replicas: v.u32("slow_replicas"),
            slow_per_mille: v.u32("slow_per_mille"),
            start_up: s(v, "start_up_s"),
            blackout: s(v, "blackout_s"),
            slow_start: s(v, "slow_start_s"),
            slow_start_aggression: v.real("slow_start_aggression"),
            slow_start_min_weight: v.real("slow_start_min_weight"),
            failing_replicas: v.u32("failing_replicas"),
            failing_per_mille: v.u32("failing_per_mille"),
            limit_rpm: v.opt_u32("limit_rpm"),
        }
    }
}
