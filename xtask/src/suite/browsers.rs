//! The browser suite: gets what it needs, and runs it on the engines that can run.
//!
//! The suite reads `TOKENYARD_DIST` (the site), `TOKENYARD_ENGINES` (words separated by commas),
//! `TOKENYARD_AXE` (the axe-core script) and `TOKENYARD_HOSTS` (`all` for every host site).

use std::ffi::OsString;
use std::process::Command;

use super::steps::{BROWSER_TESTS, counted, site_absent};
use super::{Counts, Situation};
use crate::debian::{self, Engine, Need};
use crate::tools::{Name, Tool, folder_of};
use crate::{Outcome, install, process};

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
    let missing = debian::install_missing(|_| true)?;
    let mut counts = Counts::default();
    let mut folders = Vec::new();
    let gecko = install::ensure(&[Tool::pinned(Name::Geckodriver, "")?], &situation.cache);
    if let Ok(files) = &gecko {
        folders.extend(files.iter().map(|file| folder_of(file)));
    }
    let mut engines = Vec::new();
    for engine in Engine::ALL {
        let lacking: Vec<Need> =
            missing.iter().filter(|need| need.engines.contains(&engine)).copied().collect();
        let reason = match (&gecko, engine) {
            _ if !lacking.is_empty() => Some(lack(&lacking)),
            (Err(trouble), Engine::Firefox) => Some(trouble.to_string()),
            _ => None,
        };
        match reason {
            Some(reason) => counts.add(situation.absent(&format!("{}: {reason}", engine.word()))),
            None => engines.push(engine.word()),
        }
    }
    if engines.is_empty() {
        return Ok(counts);
    }
    let axe = match install::ensure(&[Tool::pinned(Name::AxeCore, "")?], &situation.cache) {
        Ok(files) => files.into_iter().next(),
        Err(trouble) => {
            counts.add(situation.absent(&format!("accessibility rules: {trouble}")));
            None
        }
    };
    let mut command = suite_command(situation);
    process::put_first(&mut command, &folders)?;
    command.env("TOKENYARD_ENGINES", engines.join(","));
    if let Some(axe) = axe {
        command.env("TOKENYARD_AXE", axe);
    }
    counts.add(counted(&mut command)?);
    Ok(counts)
}

fn lack(needs: &[Need]) -> String {
    let names: Vec<&str> = needs.iter().map(|need| need.what).collect();
    format!("{} missing; on Debian or Ubuntu, run as root: {}", names.join(", "), debian::fix(needs))
}

/// `cargo test` of the suite, under a virtual display where there is none.
fn suite_command(situation: &Situation) -> Command {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let cargo: OsString = process::cargo();
    let mut command = if !has_display && process::on_path("xvfb-run").is_some() {
        let mut display = Command::new("xvfb-run");
        display.args(["--auto-servernum", "--server-args=-screen 0 1600x1200x24"]).arg(cargo);
        display
    } else {
        Command::new(cargo)
    };
    command.current_dir(&situation.workspace.root);
    command.args(["test", "-p", BROWSER_TESTS, "--no-fail-fast"]);
    command.env("TOKENYARD_DIST", &situation.dist);
    if situation.all_hosts || situation.is_ci {
        command.env("TOKENYARD_HOSTS", "all");
    }
    command
}
