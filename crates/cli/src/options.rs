//! Options that several commands have, and where results go.

use std::path::Path;

use tokenyard_lab::labs::LABS;
use tokenyard_lab::{LabSpec, Setup};

use crate::args::Args;
use crate::find;
use crate::outcome::Outcome;
use crate::refusal::{Refusal, shown};

/// Writes to a file, or gives text to stdout. `out` is what `--out` names.
pub(crate) fn deliver(bytes: Vec<u8>, out: Option<&str>) -> Result<Outcome, Refusal> {
    match out {
        Some(path) => {
            let written = std::fs::write(Path::new(path), bytes);
            written.map_err(|error| Refusal::new(format!("cannot write {}: {error}", shown(path))))?;
            Ok(Outcome::default())
        }
        None => String::from_utf8(bytes)
            .map(Outcome::text)
            .map_err(|_| Refusal::new("--out is missing; a PNG is no text: --out FILE".to_owned())),
    }
}

/// An option that is one of a few names.
pub(crate) fn one_of<T: Copy>(
    args: &mut Args,
    name: &str,
    known: &[(&str, T)],
) -> Result<Option<T>, Refusal> {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let Some(given) = args.option(name) else { return Ok(None) };
    let Some(given) = given else {
        return Err(Refusal::new(format!("--{name} has no value; allowed: {}", names.join(", "))));
    };
    let found = known.iter().find(|(known, _)| *known == given).map(|(_, value)| Some(*value));
    found.ok_or_else(|| {
        Refusal::new(format!(
            "--{name} is {}; allowed: {}{}",
            shown(&given),
            names.join(", "),
            find::hint(&given, &names, "")
        ))
    })
}

/// An option with a text.
pub(crate) fn text(args: &mut Args, name: &str) -> Result<Option<String>, Refusal> {
    match args.option(name) {
        None => Ok(None),
        Some(Some(text)) if !text.trim().is_empty() => Ok(Some(text)),
        Some(_) => Err(Refusal::new(format!("--{name} has no value"))),
    }
}

/// Takes `--sweep`: whether the answers of the lab's sweep, which no link holds, are over its chart.
pub(crate) fn sweep(args: &mut Args) -> Result<bool, Refusal> {
    Ok(one_of(args, "sweep", &[("none", false), ("all", true)])?.unwrap_or(false))
}

/// The answers of a lab's whole sweep, if they are wanted. Cost: seconds at most.
pub(crate) fn swept(wanted: bool, lab: &LabSpec, setup: &Setup) -> Result<Vec<Vec<f64>>, Refusal> {
    if !wanted {
        return Ok(Vec::new());
    }
    if lab.sweep.is_none() {
        let labs: Vec<&str> = LABS.iter().filter(|lab| lab.sweep.is_some()).map(|lab| lab.id).collect();
        let allowed = labs.join(", ");
        return Err(Refusal::new(format!(
            "--sweep is all; {} has no sweep; allowed: none, or a lab that has one: {allowed}",
            lab.id
        )));
    }
    Ok(tokenyard_lab::sweep::all(lab, setup))
}

/// Takes `--site-url`: the address of the folder that has the product, with its last slash.
pub(crate) fn site(args: &mut Args) -> Result<Option<String>, Refusal> {
    text(args, "site-url")?.map(|url| folder(&url)).transpose()
}

fn folder(url: &str) -> Result<String, Refusal> {
    let web =
        ["https://", "http://"].iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme));
    if !web || url.chars().any(|c| c.is_whitespace() || c.is_control() || "?#\"<>".contains(c)) {
        return Err(Refusal::new(format!(
            "--site-url is {}; allowed: the address of a folder, https://… or http://…, without ? and #",
            shown(url)
        )));
    }
    Ok(format!("{}/", url.trim_end_matches('/')))
}
