//! Keys that a lab's declaration asks for, whatever it runs.

use tokenyard_lab::{Ask, LabSpec};
use tokenyard_param::{Kind, ParamSpec};

/// Words of every lab.
const ALWAYS: &[&str] = &[
    "title",
    "question",
    "teaser",
    "lead",
    "differ",
    "predict.why",
    "card.in",
    "card.out",
    "notes.goal",
    "notes.minutes",
    "notes.answer",
    "notes.miss-1",
    "notes.miss-2",
    "ask.compared",
    "ask.age",
    "ask.first-token",
    "ask.transfer",
];

pub(crate) fn keys(lab: &LabSpec) -> Vec<String> {
    let mut keys: Vec<String> = ALWAYS.iter().map(|key| (*key).to_owned()).collect();
    keys.extend(lab.params.iter().flat_map(param));
    keys.extend(lab.views.iter().flat_map(named));
    keys.extend(lab.columns.iter().flat_map(|c| ["col", "unit"].map(|part| format!("{part}.{}", c.key))));
    keys.extend(lab.knobs.iter().flat_map(|k| k.marks).map(|m| format!("mark.{}", m.word)));
    match lab.prediction.ask {
        Ask::Number { .. } => keys.push("predict.unit".to_owned()),
        Ask::Choice(count) => keys.extend((0..count).map(|i| format!("predict.option.{i}"))),
    }
    if lab.sweep.is_some() {
        keys.extend(["sweep.run", "sweep.note"].map(str::to_owned));
    }
    let challenge = |key: &str| ["task", "hint", "done"].map(|part| format!("challenge.{key}.{part}"));
    keys.extend(lab.challenges.iter().flat_map(|c| challenge(c.key)));
    keys.extend(
        lab.presets.iter().flat_map(|p| ["name", "text"].map(|part| format!("preset.{}.{part}", p.key))),
    );
    keys
}

fn param(spec: &ParamSpec) -> Vec<String> {
    let mut keys = named(spec);
    keys.push(format!("param.{}.help", spec.key));
    if matches!(spec.kind, Kind::Int { .. } | Kind::OptInt { .. } | Kind::Real { .. }) {
        keys.push(format!("param.{}.unit", spec.key));
    }
    keys
}

fn named(spec: &ParamSpec) -> Vec<String> {
    let mut keys = vec![format!("param.{}.name", spec.key)];
    if let Kind::Choice { options, .. } = spec.kind {
        keys.extend(options.iter().map(|option| format!("param.{}.{option}", spec.key)));
    }
    keys
}

/// Further misconceptions, counted from 3 without a gap, are shown as well.
pub(crate) fn is_misconception(key: &str, has: impl Fn(&str) -> bool) -> bool {
    let number = key.strip_prefix("notes.miss-").and_then(|n| n.parse::<u32>().ok());
    number.is_some_and(|n| (1..=n).all(|i| has(&format!("notes.miss-{i}"))))
}
