//! The fleet simulator's commands: scenarios and traces in, figures and reasons out.

pub(crate) mod compare;
pub(crate) mod explain;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod run;

mod bands;
mod decisions;
mod figures;
mod input;
mod measure;
mod print;
mod progress;
mod timeline;
mod words;

use tokenyard_fleet::scenario;
use tokenyard_policy::RuleSpec;
use tokenyard_policy::rules::{RULES, by_id};

use crate::args::Args;
use crate::find;
use crate::outcome::Outcome;
use crate::refusal::{Refusal, shown};

/// `tokenyard schema`: the JSON Schema of scenario files.
pub(crate) fn schema(args: Args) -> Result<Outcome, Refusal> {
    args.finish("schema", &[])?;
    Ok(Outcome::text(format!("{:#}\n", scenario::schema())))
}

/// The routing rule of an id, or a refusal that names the option it came from and the rules.
fn rule(option: &str, id: &str) -> Result<&'static RuleSpec, Refusal> {
    by_id(id).ok_or_else(|| {
        let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        let given = if id.is_empty() { "empty".to_owned() } else { shown(id) };
        let hint = find::hint(id, &ids, "");
        Refusal::new(format!("{option} is {given}{hint}; allowed: {}", ids.join(", ")))
    })
}
