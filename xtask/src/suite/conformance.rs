//! Rules against the code they are taken from. Each comparison is a workspace of its own, so that
//! upstream's dependencies stay out of ours.

use std::path::PathBuf;
use std::process::Command;

use super::steps::counted;
use super::{Counts, Situation};
use crate::clock::{Since, in_words};
use crate::workspace::Workspace;
use crate::{Outcome, process};

/// The comparisons, by the folders they are in.
const UPSTREAMS: &[&str] = &["dynamo"];

/// The manifest of each comparison.
pub(super) fn manifests(workspace: &Workspace) -> Vec<PathBuf> {
    let folder = workspace.root.join("tests").join("conformance");
    UPSTREAMS.iter().map(|name| folder.join(name).join("Cargo.toml")).collect()
}

/// Upstream code lies on another machine: where it cannot be fetched this is a skip, in CI too.
pub(super) fn run(situation: &Situation) -> Outcome<Counts> {
    let mut total = Counts::default();
    for (name, manifest) in UPSTREAMS.iter().zip(manifests(&situation.workspace)) {
        let cargo = |words: &[&str]| -> Command {
            let mut command = situation.workspace.cargo();
            command.args(words).arg("--locked").arg("--manifest-path").arg(&manifest);
            command.env("CARGO_TARGET_DIR", situation.workspace.target().join("conformance").join(name));
            command
        };
        if !process::succeeds(&mut cargo(&["fetch", "--quiet"]))? {
            eprintln!("SKIPPED: the upstream code of {name} could not be fetched");
            total.add(Counts { skipped: 1, ..Counts::default() });
            continue;
        }
        let start = Since::now();
        if !process::succeeds(&mut cargo(&["test", "--quiet", "--release", "--no-run"]))? {
            total.add(Counts::one(false));
            continue;
        }
        println!("{name}: built in {}", in_words(start.elapsed()));
        total.add(counted(&mut cargo(&["test", "--quiet", "--release"]))?);
    }
    Ok(total)
}
