//! `tokenyard rules`: every routing rule, what it reads, its parameters and where it comes from.

use serde_json::{Value as Json, json};
use tokenyard_param::{ParamSpec, Values};
use tokenyard_policy::rules::RULES;
use tokenyard_policy::{Knowledge, RuleSpec, Signals};

use super::rule;
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

/// One row for each parameter; one for a rule without any.
fn grid(rules: &[&RuleSpec]) -> Grid {
    let head = ["rule", "reads", "knowledge", "parameter", "range", "default", "upstream", "source"];
    let row = |rule: &RuleSpec, parameter: [String; 4]| {
        let reads = signals(rule).join(" ");
        let reads = if reads.is_empty() { "nothing".to_owned() } else { reads };
        let mut cells = vec![Cell::text(rule.id), Cell::text(reads), Cell::text(knowledge(rule))];
        cells.extend(parameter.map(Cell::text));
        cells.push(Cell::text(rule.source));
        cells
    };
    let mut rows = Vec::new();
    for rule in rules {
        if rule.params.is_empty() {
            rows.push(row(rule, Default::default()));
        }
        for (spec, upstream) in parameters(rule) {
            let default = spec.kind.write(&spec.kind.default_value());
            rows.push(row(rule, [spec.key.to_owned(), spec.kind.allowed(), default, upstream.to_owned()]));
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
            let rule_wide = row.len() - 1;
            [0, 1, 2, rule_wide].into_iter().for_each(|column| row[column] = Cell::default());
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
    json!({
        "rule": rule.id,
        "reads": signals(rule),
        "knowledge": knowledge(rule),
        "terms": rule.terms,
        "params": parameters.collect::<Json>(),
        "source": rule.source,
    })
}
