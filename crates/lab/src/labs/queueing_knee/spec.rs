//! Knobs, prediction, challenges and presets, as data.

use tokenyard_models::queueing_knee::theory::Pool;
use tokenyard_models::queueing_knee::{PARAMS, Params};

use super::points::SWEEP;
use super::{cv2, outcome, run, table};
use crate::msg::{Arg, Msg, msg};
use crate::spec::{
    Ask, Challenge, Column, Effect, Goal, Knob, LabSpec, Mark, Prediction, Preset, Section, Setup,
};

const fn knob(key: &'static str, marks: &'static [Mark]) -> Knob {
    Knob { key, effect: Effect::Live, forks: false, marks }
}

const VARIANCES: &[Mark] = &[
    Mark { at: 0.0, word: "cv2-fixed" },
    Mark { at: 1.0, word: "cv2-exponential" },
    Mark { at: 4.0, word: "cv2-tail" },
];
const SLOTS: &[Mark] = &[Mark { at: 1.0, word: "slots-one" }, Mark { at: 12.0, word: "slots-engine" }];

/// The lab.
pub(crate) static LAB: LabSpec = LabSpec {
    id: "queueing-knee",
    section: Section::Different,
    minutes: 8,
    model_version: 1,
    params: &PARAMS,
    views: &[],
    knobs: &[
        knob("cv2", VARIANCES),
        knob("utilisation", &[]),
        knob("limit", &[]),
        knob("slots", SLOTS),
        knob("discipline", &[]),
        knob("little_concurrency", &[]),
        knob("little_time", &[]),
        knob("seed", &[]),
    ],
    visible: 3,
    columns: &[
        Column { key: "crossing", digits: Some(3), smaller_is_better: Some(false) },
        Column { key: "wait", digits: Some(2), smaller_is_better: Some(true) },
        Column { key: "inside", digits: Some(1), smaller_is_better: Some(true) },
        Column { key: "traced_wait", digits: Some(2), smaller_is_better: Some(true) },
    ],
    luck: (1, 3),
    step_ms: 65,
    prediction: Prediction {
        ask: Ask::Number { min: 0.0, max: 100.0, step: 1.0, start: 33.0, digits: 0 },
        question,
        outcome,
        reveal: &[],
        guide_on: None,
    },
    challenges: CHALLENGES,
    presets: PRESETS,
    real: &[
        (
            "vLLM: max_num_seqs, the slots of an engine",
            "https://docs.vllm.ai/en/stable/configuration/optimization/",
        ),
        (
            "Kubernetes: target utilisation of the autoscaler",
            "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/",
        ),
    ],
    on_home: false,
    sweep: Some(SWEEP),
    run,
    table,
    #[cfg(feature = "results")]
    results: super::results::results,
};

const CHALLENGES: &[Challenge] = &[
    Challenge {
        key: "slots",
        start: &[("cv2", "4"), ("utilisation", "0.85")],
        keep: &["cv2", "utilisation", "limit", "discipline", "seed"],
        max_changes: 1,
        goals: &[Goal { row: "long-tail", column: "wait", at_most: true, bound: 3.0 }],
    },
    Challenge {
        key: "variance",
        start: &[("utilisation", "0.8")],
        keep: &["utilisation", "limit", "slots", "discipline", "seed"],
        max_changes: 1,
        // What is shown as 3.00 counts: at CV² 0.5 the wait is 3 but for rounding.
        goals: &[Goal { row: "free", column: "wait", at_most: true, bound: 3.004 }],
    },
];

const PRESETS: &[Preset] = &[
    Preset { key: "sharing", set: &[("discipline", "processor-sharing")], flip: true },
    Preset { key: "twelve", set: &[("cv2", "4"), ("slots", "12")], flip: false },
    Preset { key: "sixty-four", set: &[("cv2", "4"), ("slots", "64"), ("utilisation", "0.98")], flip: false },
    Preset { key: "busy", set: &[("utilisation", "0.9")], flip: false },
];

fn question(setup: &Setup) -> Msg {
    let params = Params::from_values(&setup.values);
    let crossing = Pool::of(&params).crossing(params.limit, params.cv2);
    msg("predict.ask")
        .with("cv2", cv2(params.cv2))
        .with("limit", Arg::Fixed(params.limit, 1))
        .with("crossing", Arg::Percent(crossing))
}
