//! Settings of `epp`, with the defaults of its plugins and the weights of its default profile.

use tokenyard_param::{Kind, ParamSpec, Values};

use crate::endpoint_picker::{Affinity, TieMode, Utilization};
use crate::rules::param::{choice, switch};

const PS_PER_MS: u64 = 1_000_000_000;

const fn weight(key: &'static str, link: &'static str, default: f64) -> ParamSpec {
    real(key, link, 100.0, default)
}

const fn real(key: &'static str, link: &'static str, max: f64, default: f64) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Real { min: 0.0, max, default, step: 0.05, page: 1.0, digits: 3 } }
}

const fn int(key: &'static str, link: &'static str, min: i64, max: i64, default: i64) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Int { min, max, default, step: 1, page: 100 } }
}

/// Weights have no unit, and 0 leaves a scorer out. Thresholds are in requests or in tokens as
/// their names say, shares of 1 for usage and ratios. `prefix_block_floor` is the clamp that
/// upstream does not let anybody set; 0 takes blocks as configured. `contiguous` is the corrected
/// credit. `sheddable` says that requests have a priority below 0: no others are ever refused.
/// `flow_control` holds requests of every priority back instead of refusing any.
pub(super) static PARAMS: &[ParamSpec] = &[
    weight("queue_weight", "q", 2.0),
    weight("running_weight", "run", 0.0),
    weight("kv_weight", "kv", 2.0),
    weight("load_aware_weight", "la", 0.0),
    weight("active_weight", "act", 0.0),
    weight("token_load_weight", "tok", 0.0),
    weight("prefix_weight", "p", 3.0),
    weight("no_hit_lru_weight", "lru", 0.0),
    weight("session_weight", "ses", 0.0),
    int("load_aware_threshold", "lat", 1, 100_000, 128),
    int("active_idle", "idle", 0, 100_000, 0),
    real("active_most", "busy", 1.0, 1.0),
    int("token_load_threshold", "tokt", 1, 1 << 32, 4_194_304),
    real("prefix_length_weight", "len", 1.0, 0.0),
    int("prefix_length_scale", "scale", 1, 10_000_000, 8_192),
    choice("session_store", "store", &["token", "session-id"]),
    int("session_ttl_s", "sttl", 1, 86_400, 300),
    choice("prefix_producer", "prod", &["approximate", "precise"]),
    int("prefix_block_tokens", "block", 1, 4_096, 16),
    int("prefix_block_floor", "floor", 0, 4_096, 64),
    switch("auto_tune", "auto", true),
    int("lru_capacity", "cap", 1, 100_000_000, 31_250),
    int("max_prefix_tokens", "maxp", 1, 10_000_000, 131_072),
    switch("contiguous", "cont", false),
    switch("utilization_filter", "uf", false),
    switch("affinity_filter", "af", false),
    real("affinity_threshold", "afr", 1.0, 0.8),
    real("exploration", "exp", 1.0, 0.0),
    int("max_ttft_penalty_ms", "pen", 0, 10_000_000, 18_000),
    int("prefill_tokens_per_s", "tps", 1, 10_000_000, 15_928),
    choice("picker", "pick", &["max-score", "random", "weighted-random"]),
    choice("tie_mode", "tie", &["random", "first", "round-robin"]),
    choice("saturation", "sat", &["off", "utilization", "concurrency", "tokens"]),
    switch("sheddable", "shed", false),
    int("queue_depth", "qd", 1, 100_000, 5),
    ParamSpec {
        key: "kv_usage",
        link: "kvu",
        kind: Kind::Real { min: 0.01, max: 1.0, default: 0.8, step: 0.05, page: 0.25, digits: 2 },
    },
    real("headroom", "room", 10.0, 0.0),
    int("staleness_ms", "stale", 0, 3_600_000, 200),
    int("max_concurrency", "mc", 1, 1_000_000, 100),
    int("max_token_concurrency", "mt", 1, 1 << 40, 1_000_000),
    switch("flow_control", "flow", false),
];

/// Plugins and their parameters; the tie mode, the floor and the corrections have no name.
pub(super) static UPSTREAM: &[&str] = &[
    "queue-scorer weight",
    "running-requests-size-scorer weight",
    "kv-cache-utilization-scorer weight",
    "load-aware-scorer weight",
    "active-request-scorer weight",
    "token-load-scorer weight",
    "prefix-cache-scorer weight",
    "no-hit-lru-scorer weight",
    "session-affinity-scorer weight",
    "load-aware-scorer threshold",
    "active-request-scorer idleThreshold",
    "active-request-scorer maxBusyScore",
    "token-load-scorer queueThresholdTokens",
    "prefix-cache-scorer prefixLengthWeight",
    "prefix-cache-scorer maxModelLen",
    "session-affinity-scorer strategy",
    "session-affinity-scorer evictionTTLSeconds",
    "prefixMatchInfoProducerName",
    "approx-prefix-cache-producer blockSizeTokens",
    "",
    "approx-prefix-cache-producer autoTune",
    "approx-prefix-cache-producer lruCapacityPerServer",
    "approx-prefix-cache-producer maxPrefixTokensToMatch",
    "",
    "utilization-detector as a filter",
    "prefix-cache-affinity-filter",
    "prefix-cache-affinity-filter affinityThreshold",
    "prefix-cache-affinity-filter explorationProbability",
    "prefix-cache-affinity-filter maxTTFTPenaltyMs",
    "prefix-cache-affinity-filter peakPrefillThroughput",
    "max-score-picker, random-picker, weighted-random-picker",
    "",
    "saturationDetector",
    "priority below 0",
    "utilization-detector queueDepthThreshold",
    "utilization-detector kvCacheUtilThreshold",
    "utilization-detector headroom",
    "utilization-detector metricsStalenessThreshold",
    "concurrency-detector maxConcurrency",
    "concurrency-detector maxTokenConcurrency",
    "featureGates flowControl",
];

/// Weights of the scorers, 0 for those left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) queue: f64,
    pub(super) running: f64,
    pub(super) kv: f64,
    pub(super) load_aware: f64,
    pub(super) active: f64,
    pub(super) token_load: f64,
    pub(super) prefix: f64,
    pub(super) no_hit_lru: f64,
    pub(super) session: f64,
}

/// Parameters of scorers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scoring {
    pub(super) load_aware_threshold: u32,
    pub(super) active_idle: u32,
    pub(super) active_most: f64,
    pub(super) token_load_threshold: u64,
    pub(super) length_weight: f64,
    pub(super) length_scale: u32,
}

/// The producer of prefix matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Producer {
    /// The router's own knowledge of blocks instead of a history of chunks.
    pub(super) precise: bool,
    pub(super) block_tokens: u32,
    pub(super) floor: u32,
    pub(super) auto_tune: bool,
    pub(super) capacity: u32,
    pub(super) most_tokens: u32,
    pub(super) contiguous: bool,
}

/// Who is picked by score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picker {
    Largest(TieMode),
    Random,
    Weighted,
}

/// What measures saturation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detector {
    Utilization,
    /// At most so many requests at each replica.
    Requests(u64),
    Tokens(u64),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) weights: Weights,
    pub(super) scoring: Scoring,
    pub(super) producer: Producer,
    /// Whether sessions expire, after so many picoseconds: none for tokens that clients carry.
    pub(super) session_ttl: Option<u64>,
    pub(super) utilization: Utilization,
    /// Age in picoseconds from which a report counts as missing.
    pub(super) staleness: u64,
    pub(super) utilization_filter: bool,
    pub(super) affinity: Option<Affinity>,
    pub(super) exploration: f64,
    pub(super) prefill_tokens_per_s: f64,
    pub(super) picker: Picker,
    /// What may refuse a request, or hold it back; none where nothing may.
    pub(super) gate: Option<Detector>,
    /// Whether a saturated pool holds requests back.
    pub(super) holds: bool,
}

impl Settings {
    pub(super) fn new(values: &Values) -> Self {
        let count = |key| u64::try_from(values.int(key)).unwrap_or(0);
        let by_id = values.choice("session_store") == 1;
        let tie = match values.choice("tie_mode") {
            0 => TieMode::Random,
            1 => TieMode::First,
            _ => TieMode::RoundRobin,
        };
        let detector = match values.choice("saturation") {
            0 => None,
            1 => Some(Detector::Utilization),
            2 => Some(Detector::Requests(count("max_concurrency"))),
            _ => Some(Detector::Tokens(count("max_token_concurrency"))),
        };
        Self {
            weights: weights(values),
            scoring: scoring(values),
            producer: producer(values),
            session_ttl: by_id.then(|| count("session_ttl_s").saturating_mul(1_000 * PS_PER_MS)),
            utilization: Utilization {
                queue_depth: values.u32("queue_depth"),
                kv_usage: values.real("kv_usage"),
                headroom: values.real("headroom"),
            },
            staleness: count("staleness_ms").saturating_mul(PS_PER_MS),
            utilization_filter: values.switch("utilization_filter"),
            affinity: values.switch("affinity_filter").then(|| Affinity {
                threshold: values.real("affinity_threshold"),
                most_penalty_ms: count("max_ttft_penalty_ms") as f64,
            }),
            exploration: values.real("exploration"),
            prefill_tokens_per_s: count("prefill_tokens_per_s") as f64,
            picker: match values.choice("picker") {
                0 => Picker::Largest(tie),
                1 => Picker::Random,
                _ => Picker::Weighted,
            },
            gate: detector.filter(|_| values.switch("sheddable") || values.switch("flow_control")),
            holds: values.switch("flow_control"),
        }
    }

    /// Whether anything reads prefix matches.
    pub(super) fn reads_prefix(&self) -> bool {
        let weights = self.weights;
        weights.prefix > 0.0
            || weights.no_hit_lru > 0.0
            || weights.token_load > 0.0
            || self.affinity.is_some()
    }
}

fn weights(values: &Values) -> Weights {
    Weights {
        queue: values.real("queue_weight"),
        running: values.real("running_weight"),
        kv: values.real("kv_weight"),
        load_aware: values.real("load_aware_weight"),
        active: values.real("active_weight"),
        token_load: values.real("token_load_weight"),
        prefix: values.real("prefix_weight"),
        no_hit_lru: values.real("no_hit_lru_weight"),
        session: values.real("session_weight"),
    }
}

fn scoring(values: &Values) -> Scoring {
    Scoring {
        load_aware_threshold: values.u32("load_aware_threshold"),
        active_idle: values.u32("active_idle"),
        active_most: values.real("active_most"),
        token_load_threshold: u64::try_from(values.int("token_load_threshold")).unwrap_or(1),
        length_weight: values.real("prefix_length_weight"),
        length_scale: values.u32("prefix_length_scale"),
    }
}

fn producer(values: &Values) -> Producer {
    Producer {
        precise: values.choice("prefix_producer") == 1,
        block_tokens: values.u32("prefix_block_tokens"),
        floor: values.u32("prefix_block_floor"),
        auto_tune: values.switch("auto_tune"),
        capacity: values.u32("lru_capacity"),
        most_tokens: values.u32("max_prefix_tokens"),
        contiguous: values.switch("contiguous"),
    }
}
