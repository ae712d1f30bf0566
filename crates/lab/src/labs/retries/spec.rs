//! Knobs, prediction, challenges and presets, as data.

use tokenyard_models::retries::{PARAMS, Params};
use tokenyard_param::{Kind, ParamSpec};

use super::variant::Variant;
use super::{outcome, run, table};
use crate::msg::{Arg, Msg, msg};
use crate::spec::{
    Ask, Challenge, Column, Effect, Goal, Knob, LabSpec, Mark, Prediction, Preset, Section, Setup,
};

/// The click in the lanes: in an outage every upstream call fails, else each one fails with the
/// probability that is set.
static VIEWS: [ParamSpec; 1] = [ParamSpec {
    key: "click",
    link: "click",
    kind: Kind::Choice { options: &["outage", "independent"], default: 0 },
}];

const fn knob(key: &'static str, marks: &'static [Mark]) -> Knob {
    Knob { key, effect: Effect::Restarts, forks: false, marks }
}

const ATTEMPTS: &[Mark] = &[Mark { at: 1.0, word: "attempts-one" }];
const FAILURES: &[Mark] = &[
    Mark { at: 0.1, word: "failure-tenth" },
    Mark { at: 0.5, word: "failure-half" },
    Mark { at: 1.0, word: "failure-outage" },
];

/// The lab.
pub(crate) static LAB: LabSpec = LabSpec {
    id: "retries",
    section: Section::Overload,
    minutes: 7,
    model_version: 1,
    params: &PARAMS,
    views: &VIEWS,
    knobs: &[
        knob("attempts_3", ATTEMPTS),
        knob("only_one_layer", &[]),
        knob("failure_probability", FAILURES),
        knob("budget", &[Mark { at: 10.0, word: "budget-usual" }]),
        knob("layers", &[]),
        knob("attempts_1", ATTEMPTS),
        knob("attempts_2", ATTEMPTS),
        knob("attempts_4", ATTEMPTS),
        knob("attempts_5", ATTEMPTS),
        knob("attempts_6", ATTEMPTS),
        knob("name_1", &[]),
        knob("name_2", &[]),
        knob("name_3", &[]),
        knob("name_4", &[]),
        knob("name_5", &[]),
        knob("name_6", &[]),
        knob("seed", &[]),
    ],
    visible: 3,
    columns: &[
        Column { key: "worst", digits: Some(0), smaller_is_better: Some(true) },
        Column { key: "outage_calls", digits: Some(2), smaller_is_better: Some(true) },
        Column { key: "expected_calls", digits: Some(2), smaller_is_better: Some(true) },
        Column { key: "success", digits: None, smaller_is_better: Some(false) },
        Column { key: "click_calls", digits: Some(0), smaller_is_better: None },
    ],
    luck: (1, 4),
    step_ms: 90,
    prediction: Prediction {
        ask: Ask::Number { min: 1.0, max: 144.0, step: 1.0, start: 36.0, digits: 0 },
        question,
        outcome,
        reveal: &[],
        guide_on: Some("expected"),
    },
    challenges: CHALLENGES,
    presets: PRESETS,
    real: &[
        (
            "Envoy: retries of its router filter",
            "https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/router_filter",
        ),
        (
            "Envoy: retry budget of a cluster",
            "https://www.envoyproxy.io/docs/envoy/latest/configuration/upstream/cluster_manager/cluster_circuit_breakers",
        ),
        ("LiteLLM: retries and fallbacks of its router", "https://docs.litellm.ai/docs/router_architecture"),
        ("Finagle: retry budgets", "https://finagle.github.io/blog/2016/02/08/retry-budgets"),
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
        key: "cut",
        start: &[],
        keep: &["layers", "failure_probability", "seed"],
        max_changes: 1,
        goals: &[
            Goal { row: "all", column: "worst", at_most: true, bound: 40.0 },
            Goal { row: "all", column: "success", at_most: false, bound: 0.99 },
        ],
    },
    Challenge {
        key: "one",
        start: &[("only_one_layer", "3"), ("click", "independent")],
        keep: &["layers", "failure_probability", "budget", "seed"],
        max_changes: 1,
        goals: &[
            Goal { row: "only", column: "worst", at_most: true, bound: 8.0 },
            Goal { row: "only", column: "success", at_most: false, bound: 0.99 },
        ],
    },
];

const PRESETS: &[Preset] = &[
    Preset {
        key: "single",
        set: &[("layers", "1"), ("failure_probability", "0.1"), ("click", "independent")],
        flip: true,
    },
    Preset { key: "bad-day", set: &[("failure_probability", "0.9"), ("click", "independent")], flip: false },
    Preset { key: "budget", set: &[("budget", "10")], flip: false },
    Preset { key: "nested", set: &[("layers", "2"), ("attempts_1", "4"), ("attempts_2", "4")], flip: false },
    Preset { key: "six", set: &[("layers", "6")], flip: false },
];

fn question(setup: &Setup) -> Msg {
    let params = Params::from_values(&setup.values);
    let [seen, hidden] = Variant::lanes(&params);
    let worst = seen.plan(&params).expect(params.failure).worst;
    let key = if hidden.only { "predict.ask-one" } else { "predict.ask-all" };
    msg(key)
        .with("seen", seen.name(&params))
        .with("hidden", hidden.name(&params))
        .with("worst", Arg::Int(i64::try_from(worst).unwrap_or(i64::MAX)))
}
