//! `tokenyard explain <scenario.json> --request N`: where one request went, and why.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};
use tokenyard_det::format;
use tokenyard_fleet::Scenario;
use tokenyard_fleet::record::Decision;
use tokenyard_param::{Kind, ParamSpec};

use super::decisions;
use super::input::{self, Input, OPTIONS};
use super::measure::disclaimer;
use super::print::plain;
use super::progress::Progress;
use super::timeline::Story;
use crate::args::Args;
use crate::format::Format;
use crate::json;
use crate::outcome::Outcome;
use crate::refusal::Refusal;

const REQUEST: ParamSpec = ParamSpec {
    key: "request",
    link: "request",
    kind: Kind::Int { min: 0, max: u32::MAX as i64, default: 0, step: 1, page: 10 },
};

/// Explains one request.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let format = Format::take(&mut args)?;
    let progress = Progress::take(&mut args)?;
    let Some(number) = input::number(&mut args, &REQUEST)? else {
        let reason = "explain needs --request; allowed: the number of a request, counted from 0";
        return Err(Refusal::new(reason.to_owned()));
    };
    let input = Input::take("explain", &mut args)?;
    args.finish("explain", &[&["request"][..], &OPTIONS, &["progress", "format"]].concat())?;
    let scenario = input.build()?;
    let story = Story::of(&scenario, input.trace.as_ref(), number, progress).map_err(|arrived| {
        let allowed = match arrived.checked_sub(1) {
            Some(last) => format!("0 to {last}, the requests that arrive in this run"),
            None => "none, nothing arrives in this run".to_owned(),
        };
        Refusal::new(format!("request is {number}; allowed: {allowed} (--request)"))
    })?;
    let stdout = match format {
        Format::Json => json::document(&document(&scenario, number, &story)),
        Format::Csv => decisions::exact(&all(&story), scenario.router.rule).csv(),
        Format::Table => text(&scenario, number, &story),
    };
    Ok(Outcome { stdout, notes: vec![disclaimer(scenario.fleet.preset)] })
}

fn all(story: &Story) -> Vec<&Decision> {
    story.decisions.iter().map(|decision| &**decision).collect()
}

fn document(scenario: &Scenario, number: u64, story: &Story) -> Json {
    let rule = scenario.router.rule;
    let decisions = story.decisions.iter().map(|decision| decisions::json(decision, rule));
    json!({
        "request": number,
        "rule": rule.id,
        "preset": scenario.fleet.preset.id,
        "seed": scenario.seed,
        "timeline": story.json(),
        "decisions": decisions.collect::<Json>(),
    })
}

fn text(scenario: &Scenario, number: u64, story: &Story) -> String {
    let mut out = format!("request {number} under {}, seed {}\n", scenario.router.rule.id, scenario.seed);
    if let Json::Object(fields) = story.json() {
        for (key, value) in &fields {
            let shown = match value.as_f64().filter(|_| value.is_f64()) {
                Some(figure) => format::fixed(figure, 3),
                None if key == "routed_ms" => times(value),
                None => plain(value),
            };
            let _ = writeln!(out, "  {key:<18} {shown}");
        }
    }
    for decision in all(story) {
        let _ = write!(out, "\n{}", decisions::text(decision, scenario.router.rule));
    }
    if story.decisions.is_empty() {
        out.push_str("\nNo router decided about it.\n");
    }
    out
}

fn times(list: &Json) -> String {
    let items = list.as_array().into_iter().flatten().filter_map(Json::as_f64);
    let texts: Vec<String> = items.map(|ms| format::fixed(ms, 3)).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(" ") }
}
