//! Settings of `sglang-cache-aware`, with the defaults of its Python launcher.

use tokenyard_param::{Kind, ParamSpec, Values};

use crate::rule::RulePreset;
use crate::rules::param::{PS_PER_S, choice};

const fn share(key: &'static str, link: &'static str, default: f64) -> ParamSpec {
    ParamSpec {
        key,
        link,
        kind: Kind::Real { min: 0.0, max: 1.0, default, step: 0.05, page: 0.25, digits: 2 },
    }
}

/// Thresholds are shares but for `balance_abs`, which is in requests, and `balance_rel`, a ratio;
/// `max_tree_size` is in tokens for each replica; an interval of 0 s never cuts the tree back; a
/// usage gate at 1 is off. `session_ttl_s` is of vLLM's router, which asks an exact session before
/// the tree; none leaves that out. Two choices correct what upstream does: `gate` measures the
/// replica that the prefix names and not the busiest of the fleet, as vllm-project/router PR 238
/// proposes; `owner_gone` sends a prompt whose owner may not be chosen to the least loaded, as
/// upstream's comment says it does, and not to the first.
pub(super) static PARAMS: &[ParamSpec] = &[
    share("cache_threshold", "thr", 0.3),
    ParamSpec {
        key: "balance_abs",
        link: "abs",
        kind: Kind::Int { min: 0, max: 100_000, default: 64, step: 1, page: 16 },
    },
    ParamSpec {
        key: "balance_rel",
        link: "rel",
        kind: Kind::Real { min: 0.0, max: 100.0, default: 1.5, step: 0.1, page: 1.0, digits: 4 },
    },
    ParamSpec {
        key: "max_tree_size",
        link: "size",
        kind: Kind::Int { min: 0, max: 1 << 32, default: 67_108_864, step: 1_024, page: 1_048_576 },
    },
    ParamSpec {
        key: "eviction_interval_s",
        link: "evict",
        kind: Kind::Int { min: 0, max: 86_400, default: 60, step: 1, page: 30 },
    },
    share("overload_token_usage_threshold", "over", 1.0),
    share("balance_token_usage_threshold", "use", 1.0),
    choice("miss_target", "miss", &["least-loaded", "smallest-tree"]),
    choice("variant", "var", &["smg", "in-tree"]),
    choice("knowledge", "know", &["history", "events"]),
    ParamSpec {
        key: "session_ttl_s",
        link: "ses",
        kind: Kind::OptInt { min: 1, max: 86_400, default: None, step: 60, page: 600 },
    },
    choice("gate", "gate", &["fleet", "request"]),
    choice("owner_gone", "gone", &["first", "least-loaded"]),
];

/// Launcher options; the two usage gates are settings of SMG.
pub(super) static UPSTREAM: &[&str] = &[
    "--cache-threshold",
    "--balance-abs-threshold",
    "--balance-rel-threshold",
    "--max-tree-size",
    "--eviction-interval-secs",
    "overload_token_usage_threshold",
    "balance_token_usage_threshold",
    "",
    "",
    "",
    "SESSION_ENTRY_TTL_SECS",
    "",
    "",
];

/// What differs by entry point, and what older code and KV events do.
pub(super) static PRESETS: &[RulePreset] = &[
    RulePreset {
        name: "python-launcher",
        source: "SMG's and sglang_router's Python launcher, router_args.py 05e589ad",
        params: &[],
    },
    RulePreset {
        name: "rust-cli",
        source: "SMG's Rust command line, and the table in SGLang's documents",
        params: &[("eviction_interval_s", "120")],
    },
    RulePreset {
        name: "library",
        source: "SMG's library default and its factory by name, policies/mod.rs",
        params: &[
            ("cache_threshold", "0.5"),
            ("balance_abs", "32"),
            ("balance_rel", "1.1"),
            ("eviction_interval_s", "30"),
            ("max_tree_size", "10000"),
        ],
    },
    RulePreset {
        name: "in-tree",
        source: "SGLang's own gateway, sgl-model-gateway b93974f1",
        params: &[("variant", "in-tree")],
    },
    RulePreset {
        name: "vllm-router",
        source: "vllm-project/router's launcher: the in-tree rule behind a map of sessions",
        params: &[("variant", "in-tree"), ("eviction_interval_s", "120"), ("session_ttl_s", "3600")],
    },
    RulePreset {
        name: "smallest-tree",
        source: "the original router, before sglang PR 14305 and PR 14532",
        params: &[("variant", "in-tree"), ("miss_target", "smallest-tree")],
    },
    RulePreset {
        name: "kv-events",
        source: "SMG with an index of KV events",
        params: &[("knowledge", "events")],
    },
    RulePreset {
        name: "usage-gates",
        source: "the thresholds of SMG's own tests of its gates on token usage",
        params: &[("overload_token_usage_threshold", "0.95"), ("balance_token_usage_threshold", "0.3")],
    },
];

/// Whose code decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// SMG: loads of routable replicas; equals by selections, then by number.
    Smg,
    /// The gateway inside the SGLang repository: loads of all replicas; the first among equals.
    InTree,
}

/// Who gets a prompt that is not known well enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissTarget {
    /// As the code does since late 2025.
    LeastLoaded,
    /// As it did before, and as its documents still say.
    SmallestTree,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) cache_threshold: f32,
    pub(super) balance_abs: u32,
    pub(super) balance_rel: f32,
    /// In tokens.
    pub(super) max_tree_size: u64,
    /// In picoseconds; 0 for never.
    pub(super) eviction_interval: u64,
    pub(super) overload_usage: f64,
    pub(super) balance_usage: f64,
    pub(super) miss_target: MissTarget,
    pub(super) variant: Variant,
    pub(super) events: bool,
    /// Life of a session's entry in picoseconds; none where sessions are not looked up.
    pub(super) session_ttl: Option<u64>,
    /// Whether the load gate looks at the replica that the prefix names.
    pub(super) gates_requests: bool,
    /// Whether a prompt whose owner is gone goes to the least loaded.
    pub(super) corrects_gone: bool,
}

impl Settings {
    pub(super) fn new(values: &Values) -> Self {
        let count = |key| u64::try_from(values.int(key)).unwrap_or(0);
        Self {
            cache_threshold: values.real("cache_threshold") as f32,
            balance_abs: values.u32("balance_abs"),
            balance_rel: values.real("balance_rel") as f32,
            max_tree_size: count("max_tree_size"),
            eviction_interval: count("eviction_interval_s").saturating_mul(PS_PER_S),
            overload_usage: values.real("overload_token_usage_threshold"),
            balance_usage: values.real("balance_token_usage_threshold"),
            miss_target: match values.choice("miss_target") {
                0 => MissTarget::LeastLoaded,
                _ => MissTarget::SmallestTree,
            },
            variant: if values.choice("variant") == 0 { Variant::Smg } else { Variant::InTree },
            events: values.choice("knowledge") == 1,
            gates_requests: values.choice("gate") == 1,
            corrects_gone: values.choice("owner_gone") == 1,
            session_ttl: values.opt_u32("session_ttl_s").map(|s| u64::from(s).saturating_mul(PS_PER_S)),
        }
    }

    /// Whether a gate on token usage is on; the in-tree gateway has none.
    pub(super) fn reads_usage(&self) -> bool {
        self.variant == Variant::Smg && (self.overload_usage < 1.0 || self.balance_usage < 1.0)
    }
}
