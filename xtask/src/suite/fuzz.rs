//! Readers of what others write, on inputs that a fuzzer makes.

use super::conformance::not_fetched;
use super::{Counts, Situation};
use crate::clock::{Since, in_words};
use crate::fuzz::{self, Limit};
use crate::{Outcome, debian, process};

/// Inputs for each target: the same every time.
const RUNS: u64 = 20_000;

/// Counts one test for each target. Where nothing compiles C++, this is a skip.
pub(super) fn run(situation: &Situation) -> Outcome<Counts> {
    let workspace = &situation.workspace;
    let skipped = Counts { skipped: fuzz::TARGETS.len() as u64, ..Counts::default() };
    debian::install_missing(|need| need.package == "g++")?;
    if let Some(reason) = fuzz::cannot_build() {
        eprintln!("SKIPPED: {reason}");
        return Ok(skipped);
    }
    if let Some(counts) = not_fetched("the fuzzer", &mut fuzz::cargo(workspace, &["fetch", "--quiet"])) {
        return Ok(counts);
    }
    let start = Since::now();
    let host = fuzz::host(workspace)?;
    if !process::succeeds(&mut fuzz::build(workspace, &host))? {
        return Ok(Counts::one(false));
    }
    println!("fuzz targets built in {}", in_words(start.elapsed()));
    let mut total = Counts::default();
    for target in fuzz::TARGETS {
        total.add(Counts::one(fuzz::run_target(workspace, &host, target, &Limit::Runs(RUNS))?));
    }
    Ok(total)
}
