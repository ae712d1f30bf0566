//! Knobs, prediction, challenges and presets, as data.

use tokenyard_models::batching::{self, PARAMS, Params};

use super::{hidden, name, outcome, run, table};
use crate::msg::{Arg, Msg, msg};
use crate::spec::{
    Ask, Challenge, Column, Effect, Goal, Knob, LabSpec, Mark, Prediction, Preset, Section, Setup,
};

const fn knob(key: &'static str, effect: Effect, marks: &'static [Mark]) -> Knob {
    Knob { key, effect, forks: false, marks }
}

const SLOTS: &[Mark] = &[
    Mark { at: 1.0, word: "slots-one" },
    Mark { at: 3.0, word: "slots-default" },
    Mark { at: 6.0, word: "slots-all" },
];

/// The lab.
pub(crate) static LAB: LabSpec = LabSpec {
    id: "batching",
    section: Section::Engine,
    minutes: 8,
    model_version: 1,
    params: &PARAMS,
    views: &[],
    knobs: &[
        // The key moments belong to the mode in view, so another mode opens on its own.
        knob("mode", Effect::Restarts, &[]),
        knob("slots", Effect::Live, SLOTS),
        knob("seed", Effect::Live, &[]),
    ],
    visible: 2,
    columns: &[
        Column { key: "iterations_to_drain", digits: Some(0), smaller_is_better: Some(true) },
        Column { key: "zero_output_iterations", digits: Some(0), smaller_is_better: Some(true) },
        Column { key: "slot_fill", digits: None, smaller_is_better: Some(false) },
    ],
    luck: (1, 2),
    step_ms: 480,
    prediction: Prediction { ask: Ask::Choice(3), question, outcome, reveal: &[], guide_on: None },
    challenges: CHALLENGES,
    presets: PRESETS,
    real: &[
        ("vLLM", "https://github.com/vllm-project/vllm"),
        ("SGLang", "https://github.com/sgl-project/sglang"),
        ("TensorRT-LLM", "https://github.com/NVIDIA/TensorRT-LLM"),
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
        key: "room",
        start: &[],
        keep: &["seed"],
        max_changes: 2,
        goals: &[
            Goal { row: "continuous", column: "iterations_to_drain", at_most: true, bound: 16.0 },
            Goal { row: "continuous", column: "slot_fill", at_most: false, bound: 0.8 },
        ],
    },
    Challenge {
        key: "alike",
        start: &[],
        keep: &["seed"],
        max_changes: 2,
        goals: &[
            Goal { row: "static", column: "slot_fill", at_most: false, bound: 1.0 },
            Goal { row: "chunked", column: "slot_fill", at_most: false, bound: 1.0 },
        ],
    },
];

const PRESETS: &[Preset] = &[
    Preset { key: "static", set: &[("mode", "static")], flip: false },
    Preset { key: "chunked", set: &[("mode", "chunked")], flip: false },
    Preset { key: "two", set: &[("slots", "2")], flip: false },
    Preset { key: "one", set: &[("slots", "1")], flip: true },
];

fn question(setup: &Setup) -> Msg {
    let params = Params::from_values(&setup.values);
    let (seen, other) = (params.mode, hidden(params.mode));
    let run = batching::run(&params, seen);
    msg("predict.ask")
        .with("seen", msg(name(seen)))
        .with("fill", Arg::Percent(run.slot_fill))
        .with("zero", run.zero_output_iterations)
        .with("hidden", msg(name(other)))
        .with("other", Arg::Percent(batching::run(&params, other).slot_fill))
}
