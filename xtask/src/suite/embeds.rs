//! Sites of others that embed a lab: the first one always, all with `--hosts` and in CI.

use super::steps::site_absent;
use super::{Counts, Situation};
use crate::Outcome;
use crate::clock::{Since, in_words};
use crate::hosts::{self, Fault};

/// Generators lie on other machines: one that cannot be fetched is a skip, in CI too.
pub(super) fn run(situation: &Situation) -> Outcome<Counts> {
    // What an earlier run built must not be tested in the place of what this one could not.
    hosts::write_list(&situation.workspace, &[])?;
    if let Some(counts) = site_absent(situation) {
        return Ok(counts);
    }
    let all = situation.all_hosts || situation.is_ci;
    let mut counts = Counts::default();
    let mut built = Vec::new();
    for host in hosts::ALL.iter().take(if all { usize::MAX } else { 1 }) {
        let start = Since::now();
        match hosts::build(&situation.workspace, &situation.cache, &situation.dist, host) {
            Ok(one) => {
                println!("{}: built in {}", host.name, in_words(start.elapsed()));
                counts.add(Counts::one(true));
                built.push(one);
            }
            Err(Fault::Unreachable(why)) => {
                eprintln!("SKIPPED: {}: {why}", host.name);
                counts.add(Counts { skipped: 1, ..Counts::default() });
            }
            Err(Fault::Broken(trouble)) => {
                eprintln!("FAILED: {}: {trouble}", host.name);
                counts.add(Counts::one(false));
            }
        }
    }
    hosts::write_list(&situation.workspace, &built)?;
    Ok(counts)
}
