//! `cargo xtask test`: every check as a list of named steps, all run, all counted.

mod browsers;
mod conformance;
mod count;
mod embeds;
mod fuzz;
mod steps;

pub use count::{Counts, LibtestCounter};

use std::path::PathBuf;

use crate::cache::Cache;
use crate::clock::{Since, in_words};
use crate::workspace::Workspace;
use crate::{Outcome, Trouble};

/// What a step may look at.
#[derive(Debug)]
pub struct Situation {
    /// The checkout.
    pub workspace: Workspace,
    /// Where tools are.
    pub cache: Cache,
    /// Whether `CI` is `true`: then nothing may be skipped for want of a tool.
    pub is_ci: bool,
    /// Whether every site that embeds a lab is to be built, and not the first one only.
    pub all_hosts: bool,
    /// Where the site is written and read.
    pub dist: PathBuf,
}

impl Situation {
    /// Something that a step needs is not there: a loud skip here, a failure in CI.
    #[must_use]
    pub fn absent(&self, what: &str) -> Counts {
        if self.is_ci {
            eprintln!("FAILED: {what}; nothing may be missing in CI");
            return Counts { failed: 1, ..Counts::default() };
        }
        eprintln!("SKIPPED: {what}");
        Counts { skipped: 1, ..Counts::default() }
    }
}

/// One check.
#[derive(Debug)]
pub struct Step {
    /// Word for `--only`.
    pub name: &'static str,
    /// What it checks, as its heading.
    pub about: &'static str,
    /// Whether `--fast` runs it.
    pub is_fast: bool,
    /// Runs it. Trouble counts as one failure.
    pub run: fn(&Situation) -> Outcome<Counts>,
}

/// Which steps to run: those named, or the fast ones, or all, always in the order of the list.
pub fn choose(fast: bool, only: &[String]) -> Outcome<Vec<&'static Step>> {
    let names: Vec<&str> = steps::ALL.iter().map(|step| step.name).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(Trouble(format!("--only {unknown:?} is not a step: allowed are {}", names.join(", "))));
    }
    let wanted = |step: &&Step| {
        if only.is_empty() { !fast || step.is_fast } else { only.iter().any(|name| name == step.name) }
    };
    Ok(steps::ALL.iter().filter(wanted).collect())
}

/// Runs the steps in order, going on after failures. Prints the count as its last line.
pub fn run(situation: &Situation, chosen: &[&Step]) -> Counts {
    let mut total = Counts::default();
    let mut failed = Vec::new();
    for step in chosen {
        println!("\n== {}: {}", step.name, step.about);
        let start = Since::now();
        let counts = (step.run)(situation).unwrap_or_else(|trouble| {
            eprintln!("FAILED: {trouble}");
            Counts { failed: 1, ..Counts::default() }
        });
        println!("-- {}: {counts}, {}", step.name, in_words(start.elapsed()));
        if counts.failed > 0 {
            failed.push(step.name);
        }
        total.add(counts);
    }
    println!();
    for name in failed {
        println!("failed: {name}; again with: cargo xtask test --only {name}");
    }
    println!("{total}");
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fast: bool, only: &[&str]) -> Vec<&'static str> {
        let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
        choose(fast, &only).unwrap().iter().map(|step| step.name).collect()
    }

    #[test]
    fn fast_is_the_inner_loop_and_only_keeps_the_order_of_the_list() {
        assert_eq!(names(true, &[]), ["fmt", "clippy", "unit"]);
        assert_eq!(names(false, &["unit", "fmt"]), ["fmt", "unit"]);
        assert_eq!(names(false, &[]).len(), steps::ALL.len());
        let trouble = choose(false, &["units".to_owned()]).unwrap_err();
        assert!(trouble.0.contains("\"units\"") && trouble.0.contains("browsers"), "{trouble}");
    }

    #[test]
    fn the_site_is_built_before_it_is_tested() {
        let all = names(false, &[]);
        let at = |name: &str| all.iter().position(|other| *other == name).unwrap();
        assert!(at("dist") < at("parity") && at("dist") < at("hosts") && at("hosts") < at("browsers"));
    }
}
