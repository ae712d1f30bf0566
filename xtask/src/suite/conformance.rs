//! Rules against the code they are taken from. Each comparison is a workspace of its own, so that
//! upstream's dependencies stay out of ours.

use std::path::PathBuf;
use std::process::Command;

use super::steps::counted;
use super::{Counts, Situation};
use crate::clock::{Since, in_words};
use crate::workspace::Workspace;
use crate::{Outcome, Trouble, process};

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
        if let Some(counts) = not_fetched(name, &mut cargo(&["fetch", "--quiet"])) {
            total.add(counts);
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

/// Fetches what a workspace of its own needs; the count of the step if that did not work.
pub(super) fn not_fetched(name: &str, fetch: &mut Command) -> Option<Counts> {
    process::output(fetch).err().map(|trouble| blame(name, &trouble))
}

/// A lock file that no longer fits is our fault and fails; anything else is a skip.
fn blame(name: &str, trouble: &Trouble) -> Counts {
    eprintln!("{trouble}");
    if trouble.0.contains("lock file") {
        eprintln!("FAILED: the lock file of {name} does not fit: run cargo update --workspace beside it");
        return Counts::one(false);
    }
    eprintln!("SKIPPED: the code of others that {name} needs could not be fetched");
    Counts { skipped: 1, ..Counts::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_is_not_there_is_a_skip_and_a_stale_lock_file_is_not() {
        let count = |text: &str| {
            let counts = blame("x", &Trouble(text.to_owned()));
            (counts.failed, counts.skipped)
        };
        assert_eq!(count("error: failed to get `x`: Could not resolve host"), (0, 1));
        assert_eq!(count("error: cannot update the lock file y because --locked was passed"), (1, 0));
    }
}
