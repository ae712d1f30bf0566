//! Parameters of the routing lab: the published names, defaults and valid ranges.

use tokenyard_param::{Kind, ParamSpec, Values};

const fn int(
    key: &'static str,
    link: &'static str,
    range: (i64, i64),
    default: i64,
    keys: (i64, i64),
) -> ParamSpec {
    let (min, max) = range;
    let (step, page) = keys;
    ParamSpec { key, link, kind: Kind::Int { min, max, default, step, page } }
}

const fn real(
    key: &'static str,
    link: &'static str,
    range: (f64, f64),
    default: f64,
    keys: (f64, f64),
) -> ParamSpec {
    let (min, max) = range;
    let (step, page) = keys;
    ParamSpec { key, link, kind: Kind::Real { min, max, default, step, page, digits: 2 } }
}

/// Every parameter of the lab, in the order of its knobs. Blocks have at least 16 tokens so that
/// the longest prompt (3 218 tokens, 202 blocks) fits an empty replica of the smallest capacity.
pub static PARAMS: [ParamSpec; 19] = [
    real("arrival_rate", "rate", (0.01, 2.0), 0.2, (0.01, 0.1)),
    real("heavy_ratio", "heavy", (0.0, 1.0), 0.2, (0.05, 0.2)),
    int("replicas", "replicas", (1, 16), 4, (1, 4)),
    int("prefix_cache_slots", "slots", (1, 16), 3, (1, 4)),
    ParamSpec { key: "prefix_cache", link: "cache", kind: Kind::Switch { default: true } },
    int("prefix_families", "families", (1, 64), 6, (1, 4)),
    int("tenants", "tenants", (1, 16), 3, (1, 4)),
    int("max_batch", "batch", (1, 64), 12, (1, 8)),
    int("kv_blocks", "kv", (256, 8_192), 1_400, (50, 500)),
    int("block_tokens", "block", (16, 128), 16, (1, 16)),
    int("prefill_tokens_per_tick", "prefill", (16, 4_096), 320, (16, 160)),
    real("decode_tokens_per_tick", "decode", (0.1, 8.0), 1.0, (0.1, 1.0)),
    real("batch_penalty", "penalty", (0.0, 1.0), 0.05, (0.01, 0.1)),
    real("cache_threshold", "share", (0.0, 1.0), 0.3, (0.05, 0.2)),
    int("balance_abs_threshold", "gap", (0, 256), 6, (1, 8)),
    real("balance_rel_threshold", "ratio", (1.0, 10.0), 1.5, (0.1, 1.0)),
    int("ttft_slo", "slo", (1, 2_000), 80, (5, 50)),
    int("count", "count", (1, 2_000), 160, (10, 100)),
    int("seed", "seed", (0, 4_294_967_295), 20_260_825, (1, 100)),
];

/// A full set of parameters. `Default` is the published setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Start of the workload's random stream.
    pub seed: u32,
    /// Number of requests.
    pub count: u32,
    /// Mean arrivals per tick.
    pub arrival_rate: f64,
    /// Probability that a request is heavy, 0 to 1.
    pub heavy_ratio: f64,
    /// Number of shared prefixes requests draw from.
    pub prefix_families: u32,
    /// Number of tenants requests draw from; no rule of this lab reads it.
    pub tenants: u32,
    /// Number of replicas.
    pub replicas: u32,
    /// Most sequences in a replica's running batch.
    pub max_batch: u32,
    /// KV capacity of a replica, in blocks; checked at admission only.
    pub kv_blocks: u32,
    /// Tokens per KV block.
    pub block_tokens: u32,
    /// Prompt tokens a replica prefills per tick.
    pub prefill_tokens_per_tick: u32,
    /// Output tokens per tick of a sequence that decodes alone.
    pub decode_tokens_per_tick: f64,
    /// Slowdown of every sequence per further member of the batch.
    pub batch_penalty: f64,
    /// Prefix families a replica remembers, least recently used out first.
    pub prefix_cache_slots: u32,
    /// Whether replicas remember prefixes at all.
    pub prefix_cache: bool,
    /// Prefix-aware: share of the prompt the prefix must exceed to follow the owner.
    pub cache_threshold: f64,
    /// Prefix-aware: gap of outstanding requests that must be exceeded to count as imbalance.
    pub balance_abs_threshold: u32,
    /// Prefix-aware: ratio of most to least outstanding that must be exceeded as well.
    pub balance_rel_threshold: f64,
    /// TTFT objective in ticks, met when TTFT is at most this.
    pub ttft_slo: u32,
}

impl Default for Params {
    fn default() -> Self {
        Self::from_values(&Values::defaults(&PARAMS))
    }
}

impl Params {
    /// Reads a table of values made for [`PARAMS`]; a key the table lacks reads as 0 or off.
    #[must_use]
    pub fn from_values(values: &Values) -> Self {
        Self {
            seed: values.u32("seed"),
            count: values.u32("count"),
            arrival_rate: values.real("arrival_rate"),
            heavy_ratio: values.real("heavy_ratio"),
            prefix_families: values.u32("prefix_families"),
            tenants: values.u32("tenants"),
            replicas: values.u32("replicas"),
            max_batch: values.u32("max_batch"),
            kv_blocks: values.u32("kv_blocks"),
            block_tokens: values.u32("block_tokens"),
            prefill_tokens_per_tick: values.u32("prefill_tokens_per_tick"),
            decode_tokens_per_tick: values.real("decode_tokens_per_tick"),
            batch_penalty: values.real("batch_penalty"),
            prefix_cache_slots: values.u32("prefix_cache_slots"),
            prefix_cache: values.switch("prefix_cache"),
            cache_threshold: values.real("cache_threshold"),
            balance_abs_threshold: values.u32("balance_abs_threshold"),
            balance_rel_threshold: values.real("balance_rel_threshold"),
            ttft_slo: values.u32("ttft_slo"),
        }
    }
}
