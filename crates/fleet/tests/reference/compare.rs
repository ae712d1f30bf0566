//! Two engines, one scenario: the first difference.

use super::Engine;
use super::drive::{Manner, Step, Trace, drive};
use super::scenario::Scenario;

/// Drives two engines through a scenario; an error names the seed, the call and the first
/// difference.
pub(crate) fn compare<A: Engine, B: Engine>(scenario: &Scenario) -> Result<(), String> {
    let settings = &scenario.settings;
    compare_engines(A::new(settings), B::new(settings), scenario, Manner::Plain)
}

/// As [`compare`], with two given engines that are new; the second is driven in the given manner.
pub(crate) fn compare_engines<A: Engine, B: Engine>(
    a: A,
    b: B,
    scenario: &Scenario,
    manner: Manner,
) -> Result<(), String> {
    let of = |which: &str, why: &str| format!("seed {}: the {which} engine: {why}", scenario.seed);
    let a = drive(a, scenario, Manner::Plain).map_err(|why| of("first", &why))?;
    let b = drive(b, scenario, manner).map_err(|why| of("second", &why))?;
    match difference(&a, &b) {
        None => Ok(()),
        Some(what) => Err(format!("seed {}: {what}", scenario.seed)),
    }
}

fn difference(a: &Trace, b: &Trace) -> Option<String> {
    let steps = a.steps.iter().zip(&b.steps).enumerate();
    let step = steps.filter(|(_, (a, b))| a != b).map(|(op, (a, b))| different_steps(op, a, b)).next();
    step.or_else(|| {
        let gaps = || a.gaps.iter().zip(&b.gaps).find(|(a, b)| a != b);
        (a.gaps != b.gaps).then(|| {
            let counts = (a.gaps.len(), b.gaps.len());
            format!("gaps (bucket, count) differ: {:?}, of {counts:?} buckets", gaps())
        })
    })
}

fn different_steps(op: usize, a: &Step, b: &Step) -> String {
    for place in 0..a.events.len().max(b.events.len()) {
        let (a, b) = (a.events.get(place), b.events.get(place));
        if a != b {
            return format!("before or at op {op}, event {place}:\n  first  {a:?}\n  second {b:?}");
        }
    }
    format!("op {op}, answer:\n  first  {:?}\n  second {:?}", a.answer, b.answer)
}
