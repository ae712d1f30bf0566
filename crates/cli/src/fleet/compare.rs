//! `tokenyard compare <scenario.json> --rules ID,ID,…`: several rules on the same arrivals.

use serde_json::Value as Json;
use tokenyard_fleet::scenario::{Draft, MOST_SEED};
use tokenyard_param::{Kind, ParamSpec};
use tokenyard_policy::RuleSpec;

use super::figures::Fields;
use super::input::{self, Input, OPTIONS};
use super::measure::{Measured, check_regret, disclaimer};
use super::progress::Progress;
use super::{bands, figures, print, rule};
use crate::args::Args;
use crate::format::Format;
use crate::outcome::Outcome;
use crate::refusal::{Refusal, shown};

const SEEDS: ParamSpec = ParamSpec {
    key: "seeds",
    link: "seeds",
    kind: Kind::Int { min: 1, max: 200, default: 1, step: 1, page: 10 },
};

/// Runs a scenario under each of several rules, and over several seeds where that is asked for.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let format = Format::take(&mut args)?;
    let progress = Progress::take(&mut args)?;
    let regret = args.switch("regret")?;
    let seeds = input::number(&mut args, &SEEDS)?;
    let rules = rules(&mut args)?;
    let mut input = Input::take("compare", &mut args)?;
    args.finish("compare", &[&["rules", "seeds"][..], &OPTIONS, &["regret", "progress", "format"]].concat())?;
    check_seeds(&input.draft, seeds.unwrap_or(1))?;
    let given = input.draft.clone();
    // Whatever is wrong with one of them is said before any of them is run.
    for rule in &rules {
        input.draft = under(&given, rule, given.seed);
        let scenario = input.build()?;
        if regret {
            check_regret(&scenario, input.trace.as_ref())?;
        }
    }
    let (mut results, mut notes): (Vec<Fields>, Vec<String>) = (Vec::new(), Vec::new());
    for rule in rules {
        let (mut of_seeds, mut cuts) = (Vec::new(), Vec::new());
        for seed in given.seed..given.seed + seeds.unwrap_or(1) {
            input.draft = under(&given, rule, seed);
            let run = Measured::of(&input.build()?, input.trace.as_ref(), progress, regret);
            if notes.is_empty() {
                notes.push(disclaimer(run.preset));
            }
            cuts.extend(run.cut());
            of_seeds.push(figures::of(&run));
        }
        // One line for a rule, however many seeds there are.
        let more = cuts.len().saturating_sub(1);
        let and = if more > 0 { format!(" (and {more} more seeds)") } else { String::new() };
        notes.extend(cuts.first().map(|first| format!("{first}{and}")));
        results.extend(result(&of_seeds, seeds));
    }
    Ok(Outcome { stdout: print::results(&results, format), notes })
}

/// The first seed's result, and what all of them come to.
fn result(of_seeds: &[Fields], seeds: Option<u64>) -> Option<Fields> {
    let mut result = of_seeds.first()?.clone();
    if let Some(seeds) = seeds {
        result.insert("seeds".to_owned(), Json::from(seeds));
        result.insert(bands::BANDS.to_owned(), bands::of(of_seeds));
    }
    Some(result)
}

/// The scenario under another rule: with its defaults, unless it is the scenario's own.
fn under(given: &Draft, rule: &'static RuleSpec, seed: u64) -> Draft {
    let mut draft = given.clone();
    if draft.rule().id != rule.id {
        draft.set_rule(rule);
    }
    draft.seed = seed;
    draft
}

/// Takes `--rules`.
fn rules(args: &mut Args) -> Result<Vec<&'static RuleSpec>, Refusal> {
    let allowed = "ids of rules with commas between them (tokenyard rules lists them)";
    let Some(list) = input::text(args, "rules", allowed)? else {
        return Err(Refusal::new(format!("compare needs --rules; allowed: {allowed}")));
    };
    let mut rules: Vec<&'static RuleSpec> = Vec::new();
    for id in list.split(',') {
        let rule = rule("--rules", id.trim())?;
        if rules.iter().any(|known| known.id == rule.id) {
            return Err(Refusal::new(format!("--rules has {} twice; allowed: once", shown(rule.id))));
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// Seeds go up from the scenario's own one.
fn check_seeds(draft: &Draft, seeds: u64) -> Result<(), Refusal> {
    if draft.seed + (seeds - 1) <= MOST_SEED {
        return Ok(());
    }
    let (seed, most) = (draft.seed, MOST_SEED + 1 - seeds);
    Err(Refusal::new(format!("seed is {seed} with --seeds {seeds}; allowed: 0 to {most}")))
}
