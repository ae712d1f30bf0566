//! The proof that results are the same everywhere: one digest of the full state per scenario.

use tokenyard_det::{Digest, Mulberry32};
use tokenyard_param::{Kind, ParamSpec, Value, Values};

use crate::labs::LABS;
use crate::spec::LabSpec;

/// Scenarios per lab: defaults, one with every parameter at an end of its range, and random ones.
pub const PER_LAB: u32 = 40;

/// Digest of one run.
#[must_use]
pub fn of(lab: &LabSpec, values: &Values) -> u64 {
    let mut digest = Digest::default();
    let mut setup = lab.defaults();
    setup.values = values.clone();
    lab.run(&setup).digest(&mut digest);
    digest.finish()
}

/// Number of scenarios over all labs.
#[must_use]
pub fn count() -> u32 {
    PER_LAB * LABS.len() as u32
}

/// Scenario `index` of the suite: its lab and values. `None` past the end.
///
/// For each lab: the defaults, then each parameter alone at its smallest and its largest value,
/// then all parameters at random, from a stream that is fixed by the index.
#[must_use]
pub fn scenario(index: u32) -> Option<(&'static LabSpec, Values)> {
    let lab = *LABS.get((index / PER_LAB) as usize)?;
    let within = index % PER_LAB;
    let mut values = Values::defaults(lab.params);
    let corner = within.checked_sub(1);
    if let Some(corner) = corner.filter(|c| (*c as usize) < 2 * lab.params.len()) {
        let at = (corner / 2) as usize;
        values.set(at, corner_value(&lab.params[at], corner % 2 == 1));
    } else if corner.is_some() {
        let mut rng = Mulberry32::new(index.wrapping_mul(0x9E37_79B9));
        for (at, spec) in lab.params.iter().enumerate() {
            values.set(at, random_value(spec, &mut rng));
        }
    }
    Some((lab, values))
}

/// Digest of scenario `index`; 0 past the end.
#[must_use]
pub fn run(index: u32) -> u64 {
    scenario(index).map_or(0, |(lab, values)| of(lab, &values))
}

fn corner_value(spec: &ParamSpec, high: bool) -> Value {
    match spec.kind {
        Kind::Int { min, max, .. } | Kind::OptInt { min, max, .. } => {
            Value::Int(if high { max } else { min })
        }
        Kind::Real { min, max, .. } => Value::Real(if high { max } else { min }),
        Kind::Switch { .. } => Value::Switch(high),
        Kind::Choice { options, .. } => {
            Value::Choice(if high { u8::try_from(options.len() - 1).unwrap_or(0) } else { 0 })
        }
        Kind::Text { max_chars, .. } => {
            Value::Text("x".repeat(if high { usize::from(max_chars) } else { 1 }))
        }
    }
}

fn random_value(spec: &ParamSpec, rng: &mut Mulberry32) -> Value {
    match spec.kind {
        Kind::Int { min, max, .. } => {
            let span = u32::try_from(max - min).unwrap_or(u32::MAX);
            Value::Int(min + i64::from(rng.uniform_int(span.saturating_add(1))))
        }
        Kind::OptInt { min, max, .. } => {
            let at = min - 1 + i64::from(rng.uniform_int(u32::try_from(max - min + 2).unwrap_or(1)));
            if at < min { Value::Nothing } else { Value::Int(at) }
        }
        Kind::Real { min, max, .. } => Value::Real(min + (max - min) * rng.draw()),
        Kind::Switch { .. } => Value::Switch(rng.uniform_int(2) == 1),
        Kind::Choice { options, .. } => Value::Choice(
            u8::try_from(rng.uniform_int(u32::try_from(options.len()).unwrap_or(1))).unwrap_or(0),
        ),
        Kind::Text { default, .. } => Value::Text(default.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_in_range_and_mostly_different() {
        let mut digests: Vec<u64> = (0..count()).map(run).collect();
        digests.sort_unstable();
        digests.dedup();
        assert!(digests.len() * 10 >= count() as usize * 8, "{} of {}", digests.len(), count());
        assert!(scenario(count()).is_none());
    }

    #[test]
    fn the_same_scenario_gives_the_same_digest() {
        assert!((0..count()).step_by(7).all(|i| run(i) == run(i)));
    }
}
