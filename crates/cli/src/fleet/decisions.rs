//! Decisions about one request: what was believed, what was true, what was chosen and why.

use serde_json::{Map, Value as Json, json};
use tokenyard_det::format;
use tokenyard_fleet::record::{Candidate, Decision};
use tokenyard_fleet::time::in_ms;
use tokenyard_policy::RuleSpec;

use super::print::cell;
use super::words;
use crate::grid::{Cell, Grid};

/// One decision as data.
pub(super) fn json(decision: &Decision, rule: &RuleSpec) -> Json {
    let regret = decision.regret();
    let rows = decision.rows.iter().map(|row| Json::Object(candidate(decision, row, rule)));
    json!({
        "at_ms": in_ms(decision.at),
        "router": decision.router,
        "to": decision.to,
        "why": words::word(decision.why),
        "reason": words::reason(decision),
        "tied": decision.tied,
        "fresh": decision.fresh,
        "regret": regret.map(|r| json!({"outstanding": r.outstanding, "blocks": r.blocks})),
        "candidates": rows.collect::<Json>(),
    })
}

/// One candidate as data. Terms are null where the rule did not score it.
fn candidate(decision: &Decision, row: &Candidate, rule: &RuleSpec) -> Map<String, Json> {
    let mut out = Map::new();
    let mut put = |key: &str, value: Json| drop(out.insert(key.to_owned(), value));
    put("replica", Json::from(row.replica));
    put("chosen", Json::from(row.replica == decision.to));
    put("believed_outstanding", Json::from(row.believed_outstanding));
    put("outstanding", Json::from(row.outstanding));
    put("age_ms", Json::from(in_ms(row.age)));
    put("believed_overlap", Json::from(row.believed_overlap));
    put("overlap", Json::from(row.overlap));
    for (place, name) in rule.terms.iter().enumerate() {
        let value = row.terms.and_then(|terms| terms.get(place).copied());
        put(&format!("term.{name}"), Json::from(value));
    }
    out
}

/// All candidates of some decisions, exactly: one row for each.
pub(super) fn exact(decisions: &[&Decision], rule: &RuleSpec) -> Grid {
    let mut head: Vec<String> = ["decision", "at_ms", "router", "why", "fresh"].map(str::to_owned).into();
    let mut rows = Vec::new();
    for (i, decision) in decisions.iter().enumerate() {
        for row in &decision.rows {
            let fields = candidate(decision, row, rule);
            if rows.is_empty() {
                head.extend(fields.keys().cloned());
            }
            let (at, router) = (Json::from(in_ms(decision.at)), Json::from(decision.router));
            let why = Json::from(words::word(decision.why));
            let mut cells: Vec<Cell> =
                [Json::from(i), at, router, why, Json::from(decision.fresh)].iter().map(cell).collect();
            cells.extend(fields.values().map(cell));
            rows.push(cells);
        }
    }
    Grid { head, rows }
}

/// One decision for people: the sentence, the counterfactual, and the candidates.
pub(super) fn text(decision: &Decision, rule: &RuleSpec) -> String {
    let at = format::fixed(in_ms(decision.at), 3);
    let mut out = format!(
        "{at} ms: router {} sent it to replica {}. {}\n",
        decision.router,
        decision.to,
        words::reason(decision)
    );
    out.push_str(&match (decision.fresh, decision.regret()) {
        (Some(fresh), Some(regret)) if fresh != decision.to => format!(
            "Fresh data would have sent it to replica {fresh}. Regret: {} requests in flight more, \
             {} cached blocks fewer.\n",
            regret.outstanding, regret.blocks
        ),
        (Some(_), _) => "Fresh data would have made the same choice.\n".to_owned(),
        (None, _) => "There is no choice on fresh data to compare with.\n".to_owned(),
    });
    let fields = decision.rows.iter().map(|row| candidate(decision, row, rule));
    let fields: Vec<Map<String, Json>> = fields.collect();
    let head = fields.first().map(|first| first.keys().cloned().collect()).unwrap_or_default();
    let rounded = |value: &Json| match value.as_f64().filter(|_| value.is_f64()) {
        Some(figure) => Cell { text: format::fixed(figure, 3), number: true },
        None => match value {
            Json::Bool(true) => Cell::text("yes"),
            Json::Bool(false) => Cell::text(""),
            other => cell(other),
        },
    };
    let rows = fields.iter().map(|row| row.values().map(rounded).collect()).collect();
    out.push_str(&Grid { head, rows }.aligned());
    out
}
