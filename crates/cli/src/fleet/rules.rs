//! `tokenyard rules`: every routing rule, what it compares with what, what it reads and how old that is, what a decision costs,
//! its parameters and presets, and where it comes from.

use serde_json::{Map, Value as Json, json};
use tokenyard_param::{ParamSpec, Values};
use tokenyard_policy::rules::RULES;
use tokenyard_policy::{Age, Knowledge, RulePreset, RuleSpec, Signals, measured};

use super::{rule, words};
use crate::args::Args;
use crate::format::Format;
use crate::grid::{Cell, Grid};
use crate::json;
use crate::list;
use crate::outcome::Outcome;
use crate::refusal::Refusal;

/// What a rule can compare replicas by, in words.
const SIGNALS: [(Signals, &str); 12] = [
    (Signals::OUTSTANDING, "outstanding"),
    (Signals::QUEUES, "waiting+running"),
    (Signals::KV, "kv-used"),
    (Signals::BOOKS, "router-books"),
    (Signals::OVERLAP, "prefix-overlap"),
    (Signals::BLOCKS, "prompt-blocks"),
    (Signals::INDEXED, "indexed-blocks"),
    (Signals::CONFIG, "written-config"),
    (Signals::AGES, "age"),
    (Signals::REPORTED, "report-times"),
    (Signals::RATES, "engine-rates"),
    (Signals::QUEUED_TOKENS, "queued-tokens"),
];

/// Prints all rules, or the one that is named.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let format = Format::take(&mut args)?;
    let only = args.positional().map(|id| rule("the rule", &id)).transpose()?;
    args.finish("rules", &["format"])?;
    let rules = only.map_or_else(|| RULES.to_vec(), |rule| vec![rule]);
    Ok(Outcome::text(match format {
        Format::Table => sparse(grid(&rules)).aligned(),
        Format::Csv => grid(&rules).csv(),
        Format::Json => {
            json::document(&json!({"rules": rules.iter().map(|r| described(r)).collect::<Json>()}))
        }
    }))
}

/// What a rule reads when its parameters are at their defaults.
fn signals(rule: &RuleSpec) -> Vec<&'static str> {
    let reads = (rule.build)(&Values::defaults(rule.params)).signals();
    SIGNALS.iter().filter(|(signal, _)| reads.has(*signal)).map(|(_, name)| *name).collect()
}

fn knowledge(rule: &RuleSpec) -> &'static str {
    match rule.knowledge {
        Knowledge::None => "none",
        Knowledge::Own => "own",
        Knowledge::Events => "events",
        Knowledge::True => "true",
    }
}

/// When every rule decides.
const DECIDES: &str = "before-first-token";

/// How old its signals are by default, as a word and, where there is one, a number of milliseconds.
fn age(rule: &RuleSpec) -> (&'static str, Option<u64>) {
    match rule.signals_age {
        Age::None => ("none", None),
        Age::Current => ("instant", None),
        Age::Polled { ms } => ("polled", Some(u64::from(ms))),
        Age::Events { ms } => ("events", Some(u64::from(ms))),
        Age::Window { s } => ("window", Some(u64::from(s) * 1_000)),
    }
}

/// The same in one text.
fn age_text(rule: &RuleSpec) -> String {
    match age(rule) {
        (kind, Some(ms)) => format!("{kind} {ms} ms"),
        (kind, None) => kind.to_owned(),
    }
}

/// What the rule's presets set a parameter to: `helm-chart=32`, a space between two.
fn in_presets(rule: &RuleSpec, key: &str) -> String {
    let of = |preset: &RulePreset| {
        let (_, value) = preset.params.iter().find(|(param, _)| *param == key)?;
        Some(format!("{}={value}", preset.name))
    };
    rule.presets.iter().filter_map(of).collect::<Vec<_>>().join(" ")
}

/// Names of the presets, and where upstream has them.
fn preset_sources(rule: &RuleSpec) -> String {
    let of = |preset: &RulePreset| format!("{}: {}", preset.name, preset.source);
    rule.presets.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// What is said of a rule once, after its parameters.
fn rule_wide(rule: &RuleSpec) -> [Cell; 7] {
    let cost = measured::cost(rule.id);
    let number =
        |ns: Option<u32>| Cell { text: ns.map_or_else(String::new, |ns| ns.to_string()), number: true };
    [
        Cell::text(age_text(rule)),
        Cell::text(DECIDES),
        number(cost.map(|cost| cost.at_16)),
        number(cost.map(|cost| cost.at_256)),
        Cell::text(rule.source),
        Cell::text(preset_sources(rule)),
        Cell::text(words::compares(rule)),
    ]
}

/// Columns from here on are [`rule_wide`].
const FIRST_RULE_WIDE: usize = 8;

/// One row for each parameter; one for a rule without any.
fn grid(rules: &[&RuleSpec]) -> Grid {
    let head = [
        "rule",
        "reads",
        "knowledge",
        "parameter",
        "range",
        "default",
        "upstream",
        "presets",
        "signals-age",
        "decides",
        "ns-at-16",
        "ns-at-256",
        "source",
        "preset-sources",
        "compares",
    ];
    let row = |rule: &RuleSpec, parameter: [String; 5]| {
        let reads = signals(rule).join(" ");
        let reads = if reads.is_empty() { "nothing".to_owned() } else { reads };
        let mut cells = vec![Cell::text(rule.id), Cell::text(reads), Cell::text(knowledge(rule))];
        cells.extend(parameter.map(Cell::text));
        cells.extend(rule_wide(rule));
        cells
    };
    let mut rows = Vec::new();
    for rule in rules {
        if rule.params.is_empty() {
            rows.push(row(rule, Default::default()));
        }
        for (spec, upstream) in parameters(rule) {
            let default = spec.kind.write(&spec.kind.default_value());
            let presets = in_presets(rule, spec.key);
            let upstream = upstream.to_owned();
            rows.push(row(rule, [spec.key.to_owned(), spec.kind.allowed(), default, upstream, presets]));
        }
    }
    Grid { head: head.map(str::to_owned).into(), rows }
}

/// What a row repeats of the one above it is left out, for people.
fn sparse(mut grid: Grid) -> Grid {
    for at in (1..grid.rows.len()).rev() {
        let (above, below) = grid.rows.split_at_mut(at);
        if let (Some(above), Some(row)) = (above.last(), below.first_mut())
            && above[0] == row[0]
        {
            let rule_wide = FIRST_RULE_WIDE..row.len();
            [0, 1, 2].into_iter().chain(rule_wide).for_each(|column| row[column].text.clear());
        }
    }
    grid
}

/// Parameters and the names that upstream has for them, empty where it has none.
fn parameters(rule: &RuleSpec) -> impl Iterator<Item = (&'static ParamSpec, &'static str)> {
    let upstream = rule.upstream.iter().copied().chain(std::iter::repeat(""));
    rule.params.iter().zip(upstream)
}

fn described(rule: &RuleSpec) -> Json {
    let parameters = parameters(rule).map(|(spec, upstream)| {
        let mut parameter = list::range_of(spec);
        let upstream = if upstream.is_empty() { Json::Null } else { Json::from(upstream) };
        parameter.insert("upstream".to_owned(), upstream);
        Json::Object(parameter)
    });
    let (kind, ms) = age(rule);
    let presets = rule.presets.iter().map(|preset| {
        let params = preset.params.iter().map(|(key, value)| ((*key).to_owned(), Json::from(*value)));
        json!({"name": preset.name, "source": preset.source, "params": params.collect::<Map<_, _>>()})
    });
    let cost = measured::cost(rule.id).map(|cost| {
        let measured = format!("{}, {}", measured::date(), measured::machine());
        json!({"at_16": cost.at_16, "at_256": cost.at_256, "measured": measured})
    });
    json!({
        "rule": rule.id,
        "compares": words::compares(rule),
        "reads": signals(rule),
        "knowledge": knowledge(rule),
        "signals_age": {"kind": kind, "ms": ms},
        "decides": DECIDES,
        "cost_ns": cost,
        "terms": rule.terms,
        "params": parameters.collect::<Json>(),
        "presets": presets.collect::<Json>(),
        "source": rule.source,
    })
}
