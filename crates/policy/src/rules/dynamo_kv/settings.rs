//! Settings of `dynamo-kv`, with the defaults of Dynamo's frontend in its KV mode.

use tokenyard_param::{Kind, ParamSpec, Values};

use crate::dynamo::{Params, Role, Selection};
use crate::index::expiry::Limits;
use crate::rule::RulePreset;
use crate::rules::param::PS_PER_S;

const fn weight(key: &'static str, link: &'static str, max: f64, default: f64) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Real { min: 0.0, max, default, step: 0.05, page: 0.5, digits: 2 } }
}

const fn threshold(key: &'static str, link: &'static str, max: i64, step: i64) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::OptInt { min: 0, max, default: None, step, page: step * 10 } }
}

/// Weights without unit; `request_weight` is in blocks for each request. Busy thresholds are in
/// percent of a replica's KV blocks and in tokens, none for off; upstream's third one, a share of
/// the batch's tokens, is so many tokens. `index` is where prefix knowledge comes from: the router
/// around the rule, or an index of the rule's own that every decision writes and that never sees
/// what engines evict. Its limits are in seconds and in blocks of all replicas together.
///
/// Two things upstream does stand outside the rule. Its books take the cached part of a prompt off
/// by the index: with an index of the rule's own, let the router's knowledge be `ttl` as well. And
/// without assumed reuse upstream counts no block of two requests once, which here holds for the
/// prompt to be routed only.
pub(in crate::rules) static PARAMS: &[ParamSpec] = &[
    weight("overlap_credit", "c", 10.0, 1.0),
    weight("credit_decay", "d", 10.0, 0.0),
    weight("prefill_scale", "p", 10.0, 1.0),
    weight("host_weight", "h", 1.0, 0.75),
    weight("disk_weight", "k", 1.0, 0.25),
    weight("shared_weight", "s", 1.0, 0.0),
    weight("request_weight", "r", 1_000.0, 0.0),
    weight("temperature", "t", 100.0, 0.0),
    ParamSpec {
        key: "selection",
        link: "sel",
        kind: Kind::Choice { options: &["cost", "lmetric"], default: 0 },
    },
    ParamSpec { key: "role", link: "role", kind: Kind::Choice { options: &["any", "decode"], default: 0 } },
    ParamSpec { key: "track_prefill", link: "track", kind: Kind::Switch { default: true } },
    ParamSpec { key: "assume_kv_reuse", link: "reuse", kind: Kind::Switch { default: true } },
    threshold("busy_decode_percent", "bd", 1_000, 5),
    threshold("busy_prefill_tokens", "bp", 1 << 32, 1_024),
    ParamSpec { key: "index", link: "index", kind: Kind::Choice { options: &["router", "ttl"], default: 0 } },
    ParamSpec {
        key: "index_ttl_s",
        link: "ttl",
        kind: Kind::Int { min: 1, max: 86_400, default: 120, step: 10, page: 60 },
    },
    ParamSpec {
        key: "index_blocks",
        link: "size",
        kind: Kind::Int { min: 1, max: 1 << 32, default: 1 << 20, step: 1_024, page: 1 << 16 },
    },
    ParamSpec {
        key: "index_shrink_to",
        link: "cut",
        kind: Kind::Real { min: 0.0, max: 1.0, default: 0.8, step: 0.05, page: 0.1, digits: 2 },
    },
    threshold("predicted_ttl_s", "pred", 86_400, 1),
];

/// Option names of Dynamo's frontend; where it has none, of its router's settings.
pub(in crate::rules) static UPSTREAM: &[&str] = &[
    "--router-kv-overlap-score-credit",
    "--router-kv-overlap-score-credit-decay",
    "--router-prefill-load-scale",
    "--router-host-cache-hit-weight",
    "--router-disk-cache-hit-weight",
    "--shared-cache-multiplier",
    "--router-decode-active-request-weight",
    "--router-temperature",
    "router_selection_policy",
    "",
    "router_track_prefill_tokens",
    "router_assume_kv_reuse",
    "--active-decode-blocks-threshold",
    "--active-prefill-tokens-threshold",
    "--no-router-kv-events",
    "--router-ttl-secs",
    "--router-max-tree-size",
    "--router-prune-target-ratio",
    "--router-predicted-ttl-secs",
];

/// Configurations that upstream documents.
pub(in crate::rules) static PRESETS: &[RulePreset] = &[
    RulePreset {
        name: "load-aware",
        source: "Dynamo's --load-aware: no credit, no events, no assumed reuse, no shared cache",
        params: &[("overlap_credit", "0"), ("shared_weight", "0"), ("assume_kv_reuse", "off")],
    },
    RulePreset {
        name: "no-kv-events",
        source: "Dynamo's --no-router-kv-events: an index of decisions with a time to live",
        params: &[("index", "ttl")],
    },
    RulePreset {
        name: "predicted",
        source: "Dynamo's router documents: router_predicted_ttl_secs 5",
        params: &[("predicted_ttl_s", "5")],
    },
    RulePreset {
        name: "lmetric",
        source: "Dynamo's router_selection_policy lmetric",
        params: &[("selection", "lmetric")],
    },
    RulePreset {
        name: "shared-cache",
        source: "Dynamo's command line, once a shared cache is enabled",
        params: &[("shared_weight", "0.5")],
    },
    RulePreset {
        name: "count-requests",
        source: "dynamo#12300: active requests weigh nothing by default; here 32 blocks each",
        params: &[("request_weight", "32")],
    },
];

/// Who is too busy to be chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Busy {
    /// Percent of the KV blocks.
    pub(super) decode: Option<u32>,
    pub(super) prefill: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) params: Params,
    pub(super) assume_reuse: bool,
    pub(super) busy: Busy,
    /// The rule's own index, where it has one.
    pub(super) index: Option<Limits>,
    /// The side index of what was sent a moment ago, where there is one.
    pub(super) predicted: Option<Limits>,
}

impl Settings {
    pub(super) fn new(values: &Values) -> Self {
        let seconds = |s: u32| u64::from(s).saturating_mul(PS_PER_S);
        let index = Limits {
            ttl: seconds(values.u32("index_ttl_s")),
            most: u64::try_from(values.int("index_blocks")).unwrap_or(0),
            shrink_to: values.real("index_shrink_to"),
        };
        let predicted = values.opt_u32("predicted_ttl_s");
        let tokens = values.get("busy_prefill_tokens").and_then(tokenyard_param::Value::number);
        Self {
            params: params(values),
            assume_reuse: values.switch("assume_kv_reuse"),
            busy: Busy { decode: values.opt_u32("busy_decode_percent"), prefill: tokens.map(|t| t as u64) },
            index: (values.choice("index") == 1).then_some(index),
            predicted: predicted.map(|s| Limits { ttl: seconds(s), most: u64::MAX, shrink_to: 1.0 }),
        }
    }
}

fn params(values: &Values) -> Params {
    Params {
        overlap_credit: values.real("overlap_credit"),
        credit_decay: values.real("credit_decay"),
        prefill_scale: values.real("prefill_scale"),
        host_weight: values.real("host_weight"),
        disk_weight: values.real("disk_weight"),
        shared_weight: values.real("shared_weight"),
        request_weight: values.real("request_weight"),
        temperature: values.real("temperature"),
        selection: if values.choice("selection") == 1 { Selection::Lmetric } else { Selection::Cost },
        role: if values.choice("role") == 1 { Role::Decode } else { Role::Any },
        track_prefill: values.switch("track_prefill"),
    }
}
