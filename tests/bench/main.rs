//! Measures the built site in Chromium and prints `bench <name> <value>` for each figure, which
//! `cargo xtask bench` sets beside its goal. Nothing here asserts a time.
//!
//! The machinery is that of the journeys (`../README.md`), so an engine that is not installed is
//! skipped loudly. `TOKENYARD_BENCH=quick` takes fewer samples.

mod compute;
mod embeds;
mod fleet;
mod interact;
mod load;
mod playback;

use std::path::PathBuf;

use serde_json::Value;
use tokenyard_browser_tests::{Engine, Failure, Journey, Site, journey};

const CHROMIUM: &[Engine] = &[Engine::Chromium];

const JOURNEYS: &[Journey] = &[
    journey!("bench::bytes", CHROMIUM, Site::Dist, load::bytes),
    journey!("bench::first_use", CHROMIUM, Site::Dist, load::first_use, 300),
    journey!("bench::recompute", CHROMIUM, Site::Dist, compute::recompute),
    journey!("bench::conversation", CHROMIUM, Site::Dist, fleet::conversation, 300),
    journey!("bench::goodput", CHROMIUM, Site::Dist, fleet::goodput, 600),
    journey!("bench::drag", CHROMIUM, Site::Dist, interact::drag, 300),
    journey!("bench::seek", CHROMIUM, Site::Dist, interact::seek),
    journey!("bench::embeds", CHROMIUM, Site::Dist, embeds::embeds, 300),
    journey!("bench::playback", CHROMIUM, Site::Dist, playback::playback, 1800),
];

fn main() -> std::process::ExitCode {
    tokenyard_browser_tests::main(JOURNEYS)
}

/// One figure, for whoever reads the output.
fn say(name: &str, value: impl std::fmt::Display) {
    println!("bench {name} {value}");
}

/// `few` in a quick run, else `many`.
fn samples(few: usize, many: usize) -> usize {
    let is_quick = std::env::var("TOKENYARD_BENCH").is_ok_and(|how| how == "quick");
    if is_quick { few } else { many }
}

/// The folder of the built site, as the harness looks for it.
fn dist() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../dist");
    std::env::var_os("TOKENYARD_DIST").map_or_else(beside, PathBuf::from)
}

/// Numbers of a JSON list, ascending.
fn sorted(list: &Value) -> Result<Vec<f64>, Failure> {
    let list = list.as_array().ok_or_else(|| Failure::new(format!("no list of samples: {list}")))?;
    let mut numbers: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
    numbers.sort_by(f64::total_cmp);
    if numbers.is_empty() { Err("no sample was taken".into()) } else { Ok(numbers) }
}

/// The sample below which `share` of the ascending samples lie, nearest rank.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}
