//! The browser suite: gets what it needs, and runs it.
//!
//! The suite is one test program that drives every engine, starts its own display, prints the lines
//! of the test harness and counts an engine that is not there itself: as ignored journeys, or as
//! failed ones in CI. It reads `TOKENYARD_DIST` (the site), `TOKENYARD_CACHE` (where geckodriver and
//! axe-core are) and `TOKENYARD_HOSTS` (the list of built sites that embed a lab, see `hosts`).

use super::steps::{BROWSER_TESTS, counted, site_absent};
use super::{Counts, Situation};
use crate::debian::{self, Need};
use crate::tools::{Name, Tool, folder_of};
use crate::{Outcome, hosts, install, process};

/// Node and npm, from Debian packages where that is allowed.
pub(super) fn install_node() -> Outcome<()> {
    debian::install_missing(|need| need.engines.is_empty())?;
    Ok(())
}

pub(super) fn run(situation: &Situation) -> Outcome<Counts> {
    if !situation.workspace.has(BROWSER_TESTS) {
        return Ok(situation.absent(&format!("the workspace has no member {BROWSER_TESTS}")));
    }
    if let Some(counts) = site_absent(situation) {
        return Ok(counts);
    }
    let mut counts = Counts::default();
    for need in debian::install_missing(|_| true)? {
        let line = lack(&need);
        if let [engine] = need.engines {
            eprintln!("MISSING: {line}; the suite counts what cannot run in {}", engine.word());
        } else {
            counts.add(situation.absent(&line));
        }
    }
    let mut folders = Vec::new();
    for name in [Name::Geckodriver, Name::AxeCore] {
        match install::ensure(&[Tool::pinned(name, "")?], &situation.cache) {
            Ok(files) => folders.extend(files.iter().map(|file| folder_of(file))),
            Err(trouble) => eprintln!("MISSING: {trouble}; the suite counts what cannot run"),
        }
    }
    let mut command = situation.workspace.cargo();
    process::put_first(&mut command, &folders)?;
    command.args(["test", "-p", BROWSER_TESTS, "--no-fail-fast"]);
    command.env("TOKENYARD_DIST", &situation.dist).env("TOKENYARD_CACHE", situation.cache.path());
    let list = hosts::list(&situation.workspace);
    if list.is_file() {
        command.env("TOKENYARD_HOSTS", list);
    }
    counts.add(counted(&mut command)?);
    Ok(counts)
}

fn lack(need: &Need) -> String {
    format!("{} is not installed; on Debian or Ubuntu, run as root: {}", need.what, debian::fix(&[*need]))
}
