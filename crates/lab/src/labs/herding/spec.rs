//! Knobs, prediction, challenges and presets, as data.

use tokenyard_models::herding::PARAMS;
use tokenyard_param::{Kind, ParamSpec};

use super::{lanes, name, outcome, run, table};
use crate::msg::{Arg, Msg, msg};
use crate::spec::{
    Ask, Challenge, Column, Effect, Goal, Knob, LabSpec, Mark, Prediction, Preset, Section, Setup,
};

const RULES: &[&str] = &["least-outstanding", "in-flight-aware", "power-of-two", "in-flight-aware-p2c"];

static VIEWS: [ParamSpec; 2] = [
    ParamSpec { key: "lane_a", link: "left", kind: Kind::Choice { options: RULES, default: 0 } },
    ParamSpec { key: "lane_b", link: "right", kind: Kind::Choice { options: RULES, default: 2 } },
];

const fn knob(key: &'static str, effect: Effect, forks: bool, marks: &'static [Mark]) -> Knob {
    Knob { key, effect, forks, marks }
}

/// Poll intervals of real routers, a tick standing for a second, and the service time.
const INTERVALS: &[Mark] = &[
    Mark { at: 1.0, word: "interval-fresh" },
    Mark { at: 10.0, word: "interval-10" },
    Mark { at: 14.0, word: "interval-service" },
    Mark { at: 30.0, word: "interval-30" },
];

/// The lab.
pub(crate) static LAB: LabSpec = LabSpec {
    id: "herding",
    section: Section::Stale,
    minutes: 8,
    model_version: 1,
    params: &PARAMS,
    views: &VIEWS,
    knobs: &[
        knob("scrape_interval", Effect::Live, true, INTERVALS),
        knob("routers", Effect::Live, false, &[]),
        knob("stagger", Effect::Live, true, &[]),
        knob("replicas", Effect::Live, false, &[]),
        knob("arrivals_per_tick", Effect::Live, true, &[]),
        knob("service_ticks", Effect::Live, true, &[]),
        knob("horizon", Effect::Restarts, false, &[]),
        knob("seed", Effect::Live, false, &[]),
    ],
    visible: 3,
    columns: &[
        Column { key: "max_spread", digits: Some(0), smaller_is_better: Some(true) },
        Column { key: "mean_spread", digits: Some(1), smaller_is_better: Some(true) },
        Column { key: "oscillation", digits: Some(2), smaller_is_better: Some(true) },
        Column { key: "concentration", digits: None, smaller_is_better: None },
    ],
    luck: (9000, 1),
    step_ms: 140,
    prediction: Prediction {
        ask: Ask::Number { min: 0.0, max: 30.0, step: 1.0, start: 21.0, digits: 0 },
        question,
        outcome,
        reveal: &[],
        guide_on: Some("skew"),
    },
    challenges: CHALLENGES,
    presets: PRESETS,
    real: &[
        ("llm-d-router", "https://github.com/llm-d/llm-d-router"),
        ("SMG", "https://github.com/lightseekorg/smg"),
        ("vLLM production-stack", "https://github.com/vllm-project/production-stack"),
    ],
    on_home: true,
    sweep: None,
    run,
    table,
    #[cfg(feature = "results")]
    results: super::results::results,
};

const CHALLENGES: &[Challenge] = &[
    Challenge {
        key: "half",
        start: &[],
        keep: &["arrivals_per_tick", "service_ticks", "replicas", "horizon", "seed"],
        max_changes: 1,
        goals: &[Goal { row: "least-outstanding", column: "max_spread", at_most: true, bound: 10.0 }],
    },
    Challenge {
        key: "own",
        start: &[],
        keep: &[
            "scrape_interval",
            "stagger",
            "arrivals_per_tick",
            "service_ticks",
            "replicas",
            "horizon",
            "seed",
        ],
        max_changes: 1,
        goals: &[Goal { row: "in-flight-aware", column: "mean_spread", at_most: true, bound: 2.0 }],
    },
];

const PRESETS: &[Preset] = &[
    Preset { key: "fresh", set: &[("scrape_interval", "1")], flip: true },
    Preset { key: "one-router", set: &[("routers", "1"), ("lane_b", "in-flight-aware")], flip: false },
    Preset { key: "even", set: &[("stagger", "on")], flip: false },
    Preset { key: "long", set: &[("scrape_interval", "30"), ("horizon", "300")], flip: false },
];

fn question(setup: &Setup) -> Msg {
    let [seen, hidden] = lanes(setup);
    let peak = table(setup).rows.iter().find(|r| r.lane == Some(0)).map_or(0.0, |r| r.cells[0]);
    msg("predict.ask")
        .with("seen", msg(name(seen)))
        .with("peak", Arg::Fixed(peak, 0))
        .with("hidden", msg(name(hidden)))
}
