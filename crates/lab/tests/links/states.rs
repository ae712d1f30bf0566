//! States that links are made of: enough that every key and every kind of value is in one.

use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::State;
use tokenyard_lab::{Ask, Fork, LabSpec, Setup, digest};
use tokenyard_param::{Kind, Value};

/// Position of a lab in the list.
fn place(lab: &LabSpec) -> u32 {
    LABS.iter().position(|other| other.id == lab.id).unwrap() as u32
}

/// A lab with each of its parameters at the low and at the high end, one at a time.
pub(crate) fn corners(lab: &'static LabSpec) -> Vec<Setup> {
    let first = place(lab) * digest::PER_LAB + 1;
    let ends = 2 * lab.params.len() as u32;
    assert!(ends < digest::PER_LAB, "{}: not every end is in the suite", lab.id);
    let setup = |index| Setup { values: digest::scenario(index).unwrap().1, ..lab.defaults() };
    (first..first + ends).map(setup).collect()
}

/// A lab with each of its views at each of its other options.
pub(crate) fn views(lab: &'static LabSpec) -> Vec<Setup> {
    let options = |(at, spec): (usize, &tokenyard_param::ParamSpec)| {
        let Kind::Choice { options, .. } = spec.kind else { panic!("{}: {}", lab.id, spec.key) };
        (0..options.len() as u8).map(move |option| (at, option))
    };
    let set = |(at, option): (usize, u8)| {
        let mut setup = lab.defaults();
        assert!(setup.view.set(at, Value::Choice(option)));
        setup
    };
    lab.views.iter().enumerate().flat_map(options).map(set).filter(|s| *s != lab.defaults()).collect()
}

/// Forks of a lab: one for each knob that the run can change half way, at its high end.
pub(crate) fn forks(lab: &'static LabSpec) -> Vec<Setup> {
    let changed = |corner: Setup| {
        let at = (0..lab.params.len()).find(|i| corner.values.at(*i) != lab.defaults().values.at(*i))?;
        let forks = lab.knob(lab.params[at].key).is_some_and(|knob| knob.forks);
        let fork = Some(Fork { step: 10 + at as u32, values: corner.values });
        forks.then(|| Setup { fork, ..lab.defaults() })
    };
    corners(lab).into_iter().filter_map(changed).collect()
}

/// A guess that may be made.
pub(crate) fn guess(lab: &LabSpec) -> f64 {
    match lab.prediction.ask {
        Ask::Number { start, step, .. } => start + step,
        Ask::Choice(options) => f64::from(options - 1),
    }
}

/// All of these, each once.
pub(crate) fn all(lab: &'static LabSpec) -> Vec<State> {
    let fresh = State::fresh(lab);
    let with = |setup: Setup| State { setup, ..fresh.clone() };
    let presets = lab.presets.iter().map(|preset| lab.with(preset.set));
    let setups = presets.chain(corners(lab)).chain(views(lab)).chain(forks(lab));
    let mut states = vec![fresh.clone()];
    for state in setups.map(with) {
        if !states.contains(&state) {
            states.push(state);
        }
    }
    states.push(State { step: Some(2), ..fresh.clone() });
    states.push(State { guess: Some(guess(lab)), ..fresh.clone() });
    let last = lab.presets.last().map_or(lab.defaults(), |preset| lab.with(preset.set));
    states.push(State { step: Some(3), guess: Some(guess(lab)), setup: last, ..fresh });
    states
}
