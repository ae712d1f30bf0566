//! `tokenyard link <address>`: runs what a shared link describes.
//!
//! The page clamps what it cannot use and says so; here the same notices are refusals. Only what a newer
//! version made is run as far as it is understood, with a note, and then its figures are compared.

use tokenyard_lab::link::{self, MAX_CHARS, Notice, State};
use tokenyard_lab::{LabSpec, Setup};
use tokenyard_param::ParamError;

use crate::address::{self, Target};
use crate::args::Args;
use crate::find;
use crate::format::Format;
use crate::outcome::Outcome;
use crate::refusal::{Refusal, shown};
use crate::report::{Headline, Report};

/// Reads an address, runs its lab, and compares the figures it carries.
pub(crate) fn command(mut args: Args) -> Result<Outcome, Refusal> {
    let Some(address) = args.positional() else {
        return Err(Refusal::new("link needs an address; allowed: labs/<id>/#… or #lab=<id>&…".to_owned()));
    };
    let format = Format::take(&mut args)?;
    let steps = args.switch("steps")?;
    args.finish("link", &["steps", "format"])?;
    let target = address::read(&address)?;
    let (state, notices) = opened(&target, Notice::is_of_newer)?;
    let lab = target.lab;
    if steps && state.setup.fork.is_some() {
        let reason = "--steps is given and fork is in the link; allowed: one of them".to_owned();
        return Err(Refusal::new(reason));
    }
    let mut report = Report::of(lab, &state.setup, steps).with_headline(headline(lab, &state));
    notices.iter().for_each(|notice| report.note(newer(lab, notice)));
    if let Some(version) = state.version.filter(|v| *v < lab.model_version) {
        report.note(format!("made with model {version}; this is model {}", lab.model_version));
    }
    Ok(report.print(format))
}

/// The state that an address describes, or everything in it that cannot be used.
pub(crate) fn state(target: &Target) -> Result<State, Refusal> {
    opened(target, |_| false).map(|(state, _)| state)
}

/// The state that an address describes and what `allows` lets pass of what is to be said about it, or
/// everything in it that cannot be used.
fn opened(target: &Target, allows: fn(&Notice) -> bool) -> Result<(State, Vec<Notice>), Refusal> {
    let lab = target.lab;
    let (state, notices) = link::read(lab, &target.fragment);
    if !notices.iter().all(allows) {
        // What a newer version made explains the rest.
        let reasons = notices.iter().map(|notice| reason(lab, notice)).collect();
        Refusal::all(reasons).map_or(Ok(()), Err)?;
    }
    check_steps(lab, &state)?;
    Ok((state, notices))
}

/// What is said of a link that a newer version made.
fn newer(lab: &LabSpec, notice: &Notice) -> String {
    match notice {
        Notice::Newer(version) => format!(
            "the link was made with model {version}, newer than this program's model {}: a newer tokenyard \
             computes what its maker saw",
            lab.model_version
        ),
        Notice::NewerForm { form, own } => format!(
            "the link is of form {form}, made by a newer tokenyard; this one reads links up to form {own}: \
             what could be understood is run"
        ),
        other => reason(lab, other),
    }
}

fn reason(lab: &LabSpec, notice: &Notice) -> String {
    match notice {
        Notice::Value(error) => error.to_string(),
        Notice::Unknown(key) if key == "fork" => {
            format!("fork is given; allowed: none, {} cannot change on the way", lab.id)
        }
        Notice::Unknown(key) => {
            let mut keys: Vec<&str> = lab.params.iter().chain(lab.views).map(|spec| spec.link).collect();
            keys.extend(["step", "guess", "f", "v", "h"]);
            let forks = if lab.forks() { ", fork, then.<setting>" } else { "" };
            format!(
                "{} has no setting {}{}; allowed: {}{forks}",
                lab.id,
                shown(key),
                find::hint(key, &keys, ""),
                keys.join(", ")
            )
        }
        Notice::Repeated(key) => format!("{} is in the link twice; allowed: once", shown(key)),
        Notice::TooLong(length) => {
            format!("the link's settings are {length} characters long; allowed: at most {MAX_CHARS}")
        }
        Notice::Newer(version) => {
            let own = lab.model_version;
            format!(
                "v is {version}, a newer model than this one, made by a newer tokenyard; allowed: 1 to {own}"
            )
        }
        Notice::NewerForm { form, own } => format!(
            "f is {form}, a newer form of links than this program reads, made by a newer tokenyard; allowed: 1 to {own}"
        ),
    }
}

/// Refuses a step or a fork that lies past the end of the run.
fn check_steps(lab: &LabSpec, state: &State) -> Result<(), Refusal> {
    let fork = state.setup.fork.as_ref().map(|fork| fork.step);
    let positions: Vec<(&str, u32)> =
        [("step", state.step), ("fork", fork)].into_iter().filter_map(|(k, v)| Some((k, v?))).collect();
    if positions.is_empty() {
        return Ok(());
    }
    let plain = Setup { fork: None, ..state.setup.clone() };
    let steps = lab.run(&plain).steps();
    let past = |(key, at): &(&str, u32)| {
        (*at >= steps).then(|| {
            let (key, given) = ((*key).to_owned(), (u64::from(*at) + 1).to_string());
            ParamError { key, given, allowed: format!("1 to {steps}"), nearest: None }.to_string()
        })
    };
    Refusal::all(positions.iter().filter_map(past).collect()).map_or(Ok(()), Err)
}

/// The link's figures beside the same row of this run; `None` if the link carries none.
fn headline(lab: &LabSpec, state: &State) -> Option<Headline> {
    let was = state.headline.clone()?;
    let table = lab.table(&state.setup);
    let is = link::headline(&table);
    let columns = lab.columns.iter().take(is.len()).map(|column| column.key).collect();
    let row = table.headline().map_or("", |row| row.id);
    Some(Headline { row, columns, was, is, made: state.version, own: lab.model_version })
}
