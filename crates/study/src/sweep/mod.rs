//! "How much load until it breaks?": every rule of a study at twenty loads around the scenario's
//! own, many seeds each, by the requests that meet both objectives.
//!
//! A run of one load and one seed is an *item*; items do not depend on each other, so that workers
//! share them. Nothing is recorded: a sweep asks how requests fared and never why.

mod figure;
mod work;

use tokenyard_fleet::scenario::Section;
use tokenyard_param::{Kind, Value};

pub use figure::{CHARTS, Knee, figures, knees};
pub use work::{Part, Sweep};

use crate::setup::Study;

/// Loads of a sweep.
pub const LOADS: u32 = 20;
/// Seeds at each load, from the study's own on: the seeds that "is it luck?" begins with.
pub const SEEDS: u32 = 20;
/// Runs of a sweep, each of all rules.
pub const ITEMS: u32 = LOADS * SEEDS;
/// Most requests of one run: a scenario that has more is cut, so that a sweep ends.
pub const MOST_REQUESTS: i64 = 1_000;
/// The scenario's own load is the fifth.
const OWN: f64 = 5.0;
/// Numbers of a lane in a row: requests a second within both objectives, and their share.
pub const FIGURES: usize = 2;

/// What load means for a way of arriving: a field of the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Its key in the workload's table. An axis and a unit in words are chosen by it.
    pub field: &'static str,
    /// Decimals that make a difference.
    pub digits: u8,
}

/// Of a study: how often requests arrive, how many are under way at once, or how fast a trace runs.
#[must_use]
pub fn load(study: &Study) -> Load {
    let workload = study.base.section(Section::Workload);
    let arrivals = workload.position("arrivals").and_then(|place| {
        let kind = workload.specs()[place].kind;
        workload.at(place).map(|value| kind.write(value))
    });
    match arrivals.as_deref() {
        Some("closed") => Load { field: "concurrency", digits: 0 },
        Some("trace") => Load { field: "trace_speed", digits: 3 },
        _ => Load { field: "rate_rps", digits: 3 },
    }
}

/// The loads, ascending: fifths of the scenario's own, which is the fifth of them. Those that the
/// field cannot hold are moved into its range, so that some may be equal.
#[must_use]
pub fn loads(study: &Study) -> Vec<f64> {
    let Load { field, digits } = load(study);
    let workload = study.base.section(Section::Workload);
    let own = match workload.get(field) {
        Some(Value::Real(rate)) => *rate,
        Some(Value::Int(count)) => *count as f64,
        _ => 1.0,
    };
    let (least, most) = match workload.position(field).map(|place| workload.specs()[place].kind) {
        Some(Kind::Real { min, max, .. }) => (min, max),
        Some(Kind::OptInt { min, max, .. }) => (min as f64, max as f64),
        _ => (own, own),
    };
    let unit = f64::from(10_u32.pow(u32::from(digits)));
    let at = |i: u32| ((own * f64::from(i) / OWN * unit + 0.5).floor() / unit).clamp(least, most);
    (1..=LOADS).map(at).collect()
}

/// Load and seed of an item, each from 0. All loads come once before any comes twice, so that whole
/// curves are there early; the first load moves on from seed to seed, so that workers that take
/// turns share light and heavy loads alike.
#[must_use]
pub fn item(number: u32) -> (u32, u32) {
    let seed = number / LOADS;
    ((number + seed) % LOADS, seed)
}

/// The study at a load, with no more requests than a sweep takes.
fn at_load(study: &Study, at: f64) -> Study {
    let mut study = study.clone();
    let Load { field, .. } = load(&study);
    let values = study.base.section_mut(Section::Workload);
    let requests = i64::from(values.u32("requests")).min(MOST_REQUESTS);
    let at = if field == "concurrency" { Value::Int(at as i64) } else { Value::Real(at) };
    for (key, value) in [(field, at), ("requests", Value::Int(requests))] {
        if let Some(place) = values.position(key) {
            values.set(place, value);
        }
    }
    study
}
