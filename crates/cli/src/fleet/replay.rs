//! `tokenyard replay --trace FILE --rule ID …`: a recorded trace under one rule.
//!
//! A Mooncake trace names blocks of 512 tokens. A replay may cut each of them into equal smaller
//! ones (a divisor of 512): equal blocks have equal parts, so nothing is made up; a prefix that
//! ends inside a recorded block stays unseen. It may not join blocks: whether two joined blocks
//! are equal depends on where the prompt begins to differ, and their ends do not fall together.

use tokenyard_fleet::scenario::{Draft, Problem};

use super::figures;
use super::input::{self, all, set, text};
use super::measure::{Measured, check_regret, disclaimer};
use super::print;
use super::progress::Progress;
use super::rule;
use crate::args::Args;
use crate::format::Format;
use crate::outcome::Outcome;
use crate::refusal::Refusal;

/// Options that must be there, and the fields of a scenario that they are.
const NEEDED: [(&str, &str, &str); 3] = [
    ("replicas", "fleet.replicas", "replicas of the fleet"),
    ("kv-blocks", "fleet.kv_blocks", "KV blocks of a replica"),
    ("block-size", "fleet.block", "tokens of a block"),
];

/// Options that may be left out.
const FURTHER: [(&str, &str); 4] = [
    ("preset", "fleet.preset"),
    ("seed", "seed"),
    ("spread-ms", "workload.trace_spread_ms"),
    ("speed", "workload.trace_speed"),
];

/// Replays a trace.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let format = Format::take(&mut args)?;
    let progress = Progress::take(&mut args)?;
    let regret = args.switch("regret")?;
    let draft = draft(&mut args)?;
    let Some(path) = text(&mut args, "trace", "a file, or - for standard input")? else {
        return Err(Refusal::new(
            "replay needs --trace; allowed: a file, or - for standard input".to_owned(),
        ));
    };
    let trace_format = input::trace_format(Some(&path), &mut args)?;
    let mut known = vec!["trace", "rule"];
    known.extend(NEEDED.map(|(option, ..)| option));
    known.extend(FURTHER.map(|(option, _)| option));
    known.extend(["trace-format", "set", "regret", "progress", "format"]);
    args.finish("replay", &known)?;
    let trace = input::read_trace(&path, trace_format)?;
    let scenario = draft.build(Some(&trace));
    let scenario = scenario.map_err(|problems| all(problems.iter().map(reason).collect()))?;
    if regret {
        check_regret(&scenario, Some(&trace))?;
    }
    let run = Measured::of(&scenario, Some(&trace), progress, regret);
    let mut notes = vec![disclaimer(run.preset)];
    notes.extend(run.cut());
    if trace.block.is_none() {
        notes.push("the trace records no content of prompts: nothing can be found in a cache".to_owned());
    }
    Ok(Outcome { stdout: print::results(&[figures::of(&run)], format), notes })
}

/// The scenario that the options describe.
fn draft(args: &mut Args) -> Result<Draft, Refusal> {
    let mut draft = Draft::default();
    set_field(&mut draft, "arrivals", "workload.arrivals", "trace")?;
    let Some(id) = text(args, "rule", "the id of a rule (tokenyard rules lists them)")? else {
        let reason = "replay needs --rule; allowed: the id of a rule (tokenyard rules lists them)";
        return Err(Refusal::new(reason.to_owned()));
    };
    draft.set_rule(rule("--rule", &id)?);
    for (option, path, what) in NEEDED {
        match text(args, option, what)? {
            Some(value) => set_field(&mut draft, option, path, &value)?,
            None => return Err(Refusal::new(format!("replay needs --{option}; allowed: {what}"))),
        }
    }
    for (option, path) in FURTHER {
        if let Some(value) = text(args, option, "a value")? {
            set_field(&mut draft, option, path, &value)?;
        }
    }
    set(&mut draft, args)?;
    Ok(draft)
}

/// Sets a field; what is wrong with it is said under the option's name.
fn set_field(draft: &mut Draft, option: &str, path: &str, value: &str) -> Result<(), Refusal> {
    draft.set(path, value).map_err(|Problem { given, allowed, .. }| {
        let given = if given.is_empty() { "empty".to_owned() } else { given };
        Refusal::new(format!("--{option} is {given}; allowed: {allowed}"))
    })
}

/// What does not fit together, under the names of the options.
fn reason(problem: &Problem) -> String {
    let needed = NEEDED.map(|(option, path, _)| (option, path));
    let mut options = needed.iter().chain(&FURTHER);
    let Problem { path, given, allowed } = problem;
    let allowed = allowed.replace(" in workload.arrivals", "");
    let named = options.find(|(_, field)| field == path).map(|(option, _)| format!("--{option}"));
    format!("{} is {given}; allowed: {allowed}", named.as_ref().unwrap_or(path))
}
