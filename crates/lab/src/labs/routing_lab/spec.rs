//! Knobs, prediction, challenges and presets, as data.

use tokenyard_models::routing_lab::PARAMS;
use tokenyard_param::{Kind, ParamSpec};

use super::{lanes, name, outcome, rule_of, run, sufficiency, table};
use crate::msg::{Arg, Msg, msg};
use crate::spec::{
    Ask, Challenge, Column, Effect, Goal, Knob, LabSpec, Mark, Prediction, Preset, Section, Setup,
};

const RULES: &[&str] =
    &["random", "round-robin", "least-outstanding", "power-of-two", "least-kv", "prefix-aware"];

const RULES_OR_NONE: &[&str] =
    &["none", "random", "round-robin", "least-outstanding", "power-of-two", "least-kv", "prefix-aware"];

const fn lane(
    key: &'static str,
    link: &'static str,
    options: &'static [&'static str],
    default: u8,
) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Choice { options, default } }
}

static VIEWS: [ParamSpec; 4] = [
    lane("lane_a", "a", RULES, 2),
    lane("lane_b", "b", RULES, 5),
    lane("lane_c", "c", RULES_OR_NONE, 0),
    lane("lane_d", "d", RULES_OR_NONE, 0),
];

const fn live(key: &'static str, marks: &'static [Mark]) -> Knob {
    Knob { key, effect: Effect::Live, forks: false, marks }
}

const fn restarts(key: &'static str) -> Knob {
    Knob { key, effect: Effect::Restarts, forks: false, marks: &[] }
}

/// Below the first nothing ever waits; at the second four full batches decode as much as comes.
const RATES: &[Mark] = &[Mark { at: 0.05, word: "rate-quiet" }, Mark { at: 0.17, word: "rate-capacity" }];
const SLOTS: &[Mark] = &[Mark { at: 6.0, word: "slots-all" }];
const BATCHES: &[Mark] = &[Mark { at: 20.0, word: "batch-all" }];

/// The lab.
pub(crate) static LAB: LabSpec = LabSpec {
    id: "routing-lab",
    section: Section::Choose,
    minutes: 10,
    model_version: 1,
    params: &PARAMS,
    views: &VIEWS,
    knobs: &[
        live("arrival_rate", RATES),
        live("heavy_ratio", &[]),
        live("replicas", &[]),
        live("prefix_cache_slots", SLOTS),
        live("prefix_cache", &[]),
        live("prefix_families", &[]),
        live("tenants", &[]),
        live("max_batch", BATCHES),
        live("kv_blocks", &[]),
        live("block_tokens", &[]),
        live("prefill_tokens_per_tick", &[]),
        live("decode_tokens_per_tick", &[]),
        live("batch_penalty", &[]),
        live("cache_threshold", &[]),
        live("balance_abs_threshold", &[]),
        live("balance_rel_threshold", &[]),
        live("ttft_slo", &[]),
        restarts("count"),
        live("seed", &[]),
    ],
    visible: 3,
    columns: &[
        Column { key: "ttft_p95", digits: Some(1), smaller_is_better: Some(true) },
        Column { key: "slo_attainment", digits: None, smaller_is_better: Some(false) },
        Column { key: "cache_hit_rate", digits: None, smaller_is_better: Some(false) },
        Column { key: "assigned_spread", digits: Some(0), smaller_is_better: None },
        Column { key: "output_tokens_per_tick", digits: Some(1), smaller_is_better: Some(false) },
    ],
    luck: (7000, 0),
    step_ms: 75,
    prediction: Prediction {
        ask: Ask::Number { min: 0.0, max: 100.0, step: 1.0, start: 40.0, digits: 0 },
        question,
        outcome,
        reveal: &[],
        guide_on: None,
    },
    challenges: CHALLENGES,
    presets: PRESETS,
    real: &[
        ("SMG", "https://github.com/lightseekorg/smg"),
        ("llm-d-router", "https://github.com/llm-d/llm-d-router"),
        ("vLLM production-stack", "https://github.com/vllm-project/production-stack"),
    ],
    on_home: false,
    sweep: None,
    run,
    table,
    #[cfg(feature = "results")]
    results: super::results::results,
};

const CHALLENGES: &[Challenge] = &[
    Challenge {
        key: "unseen",
        start: &[("lane_b", "least-kv")],
        keep: &[
            "arrival_rate",
            "heavy_ratio",
            "prefix_families",
            "tenants",
            "count",
            "seed",
            "replicas",
            "prefill_tokens_per_tick",
            "decode_tokens_per_tick",
            "batch_penalty",
        ],
        max_changes: 1,
        goals: &[Goal { row: "least-kv", column: "ttft_p95", at_most: true, bound: 80.0 }],
    },
    Challenge {
        key: "blind-hits",
        start: &[("lane_b", "round-robin")],
        keep: &["arrival_rate", "heavy_ratio", "prefix_families", "tenants", "count", "seed", "replicas"],
        max_changes: 1,
        goals: &[Goal { row: "round-robin", column: "cache_hit_rate", at_most: false, bound: 0.66 }],
    },
];

const PRESETS: &[Preset] = &[
    Preset { key: "quiet", set: &[("arrival_rate", "0.05")], flip: true },
    Preset { key: "unseen", set: &[("lane_b", "least-kv")], flip: false },
    Preset { key: "room", set: &[("prefix_cache_slots", "6")], flip: false },
    Preset { key: "loyal", set: &[("balance_abs_threshold", "256")], flip: false },
    Preset {
        key: "four",
        set: &[
            ("lane_a", "random"),
            ("lane_b", "power-of-two"),
            ("lane_c", "least-outstanding"),
            ("lane_d", "round-robin"),
        ],
        flip: false,
    },
];

fn question(setup: &Setup) -> Msg {
    let seen = lanes(setup)[0];
    msg("predict.ask")
        .with("seen", msg(name(seen)))
        .with("share", Arg::Percent(sufficiency(setup, seen)))
        .with("hidden", msg(name(rule_of(setup, "lane_b"))))
}
