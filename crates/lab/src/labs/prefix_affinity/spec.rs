//! Knobs, prediction, challenges and presets, as data.

use tokenyard_models::prefix_affinity::PARAMS;

use super::{outcome, run, table};
use crate::msg::{Arg, Msg, msg};
use crate::spec::{
    Ask, Challenge, Column, Effect, Goal, Knob, LabSpec, Mark, Prediction, Preset, Section, Setup,
};

const fn knob(key: &'static str, marks: &'static [Mark]) -> Knob {
    // Loads and caches carry the past along, so no knob can change half way through a run.
    Knob { key, effect: Effect::Live, forks: false, marks }
}

/// Thresholds that mean something here, and the defaults of real routers.
const GAPS: &[Mark] = &[
    Mark { at: 0.0, word: "gap-any" },
    Mark { at: 2.0, word: "gap-default" },
    Mark { at: 8.0, word: "gap-8" },
    Mark { at: 64.0, word: "gap-64" },
];

const SLOTS: &[Mark] = &[Mark { at: 3.0, word: "slots-all" }];

/// The lab.
pub(crate) static LAB: LabSpec = LabSpec {
    id: "prefix-affinity",
    section: Section::Locality,
    minutes: 8,
    model_version: 1,
    params: &PARAMS,
    views: &[],
    knobs: &[
        knob("load_gap_threshold", GAPS),
        knob("replicas", &[]),
        knob("cache_slots", SLOTS),
        knob("seed", &[]),
    ],
    visible: 3,
    columns: &[
        Column { key: "hits", digits: Some(0), smaller_is_better: Some(false) },
        Column { key: "cumulative_prefill", digits: Some(0), smaller_is_better: Some(true) },
        Column { key: "escapes", digits: Some(0), smaller_is_better: None },
        Column { key: "max_load", digits: Some(0), smaller_is_better: Some(true) },
    ],
    luck: (1, 1),
    step_ms: 1000,
    prediction: Prediction {
        ask: Ask::Number { min: 1.0, max: 12.0, step: 1.0, start: 4.0, digits: 0 },
        question,
        outcome,
        reveal: &[("load_gap_threshold", "none")],
        guide_on: Some("trade"),
    },
    challenges: CHALLENGES,
    presets: PRESETS,
    real: &[
        ("SMG: cache_aware", "https://github.com/lightseekorg/smg"),
        ("AIBrix: prefix-cache", "https://github.com/vllm-project/aibrix"),
        ("Ray Serve: PrefixCacheAffinityRouter", "https://github.com/ray-project/ray"),
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
        key: "trade",
        start: &[],
        keep: &["replicas", "cache_slots", "seed"],
        max_changes: 1,
        goals: &[
            Goal { row: "aware", column: "cumulative_prefill", at_most: true, bound: 16_000.0 },
            Goal { row: "aware", column: "max_load", at_most: true, bound: 7.0 },
        ],
    },
    Challenge {
        key: "both",
        start: &[],
        keep: &["replicas", "seed"],
        max_changes: 2,
        goals: &[
            Goal { row: "aware", column: "hits", at_most: false, bound: 8.0 },
            Goal { row: "aware", column: "max_load", at_most: true, bound: 5.0 },
        ],
    },
];

const PRESETS: &[Preset] = &[
    Preset { key: "never", set: &[("load_gap_threshold", "none")], flip: false },
    Preset { key: "three", set: &[("load_gap_threshold", "3")], flip: false },
    Preset { key: "room", set: &[("cache_slots", "3")], flip: false },
    Preset { key: "lost", set: &[("load_gap_threshold", "0"), ("replicas", "8")], flip: true },
];

fn question(setup: &Setup) -> Msg {
    let fullest = table(setup).cell("baseline", 3).unwrap_or(0.0);
    msg("predict.ask").with("fullest", Arg::Fixed(fullest, 0))
}
