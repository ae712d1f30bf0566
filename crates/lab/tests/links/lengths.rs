//! Ordinary links are short, and no state of a lab is too long for one.

use proptest::prelude::*;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{self, MAX_CHARS, State};
use tokenyard_lab::{Ask, Fork, LabSpec, Setup};
use tokenyard_param::{Kind, ParamSpec, Value, Values};

use crate::states;

/// Longest ordinary link.
const ORDINARY: usize = 300;

fn signed(lab: &LabSpec, setup: &Setup, headline: &[String]) -> String {
    let (version, headline) = (Some(lab.model_version), Some(headline.to_vec()));
    link::write(lab, &State { setup: setup.clone(), version, headline, ..State::fresh(lab) })
}

/// A preset, or a knob or two moved as far as they go, with a step and a guess.
#[test]
fn ordinary_links_are_short() {
    for lab in LABS {
        let headline = |setup: &Setup| link::headline(&lab.table(setup));
        let corners = states::corners(lab);
        let presets = lab.presets.iter().map(|preset| lab.with(preset.set));
        let mut longest: Vec<String> = Vec::new();
        for setup in presets.chain(corners.clone()).chain(states::forks(lab)) {
            let figures = headline(&setup);
            let link = signed(lab, &setup, &figures);
            assert!(link.len() <= ORDINARY, "{}: {} characters: {link}", lab.id, link.len());
            longest = if figures.concat().len() > longest.concat().len() { figures } else { longest };
        }
        for (i, first) in corners.iter().enumerate() {
            for second in &corners[i + 1..] {
                let mut both = first.clone();
                for at in 0..lab.params.len() {
                    let moved = second.values.at(at).filter(|v| Some(*v) != lab.defaults().values.at(at));
                    if let Some(value) = moved {
                        assert!(both.values.set(at, value.clone()));
                    }
                }
                let link = signed(lab, &both, &longest) + "&step=100&guess=100";
                assert!(link.len() <= ORDINARY, "{}: {} characters: {link}", lab.id, link.len());
            }
        }
    }
}

/// Any value that a parameter can hold.
fn value(kind: Kind) -> BoxedStrategy<Value> {
    match kind {
        Kind::Int { min, max, .. } => (min..=max).prop_map(Value::Int).boxed(),
        Kind::OptInt { min, max, .. } => {
            prop_oneof![Just(Value::Nothing), (min..=max).prop_map(Value::Int)].boxed()
        }
        // Numbers near nothing have most digits.
        Kind::Real { min, max, .. } => prop_oneof![
            min..=max,
            (1.0..10.0_f64, -320..-1)
                .prop_map(move |(m, e)| { format!("{m}e{e}").parse::<f64>().unwrap_or(min).clamp(min, max) }),
        ]
        .prop_map(Value::Real)
        .boxed(),
        Kind::Switch { .. } => any::<bool>().prop_map(Value::Switch).boxed(),
        Kind::Choice { options, .. } => (0..options.len() as u8).prop_map(Value::Choice).boxed(),
        Kind::Text { max_chars, .. } => {
            let letter = prop_oneof![Just('𝒢'), Just('負'), Just('&'), Just('~'), Just('x'), Just('é')];
            let text = prop::collection::vec(letter, 1..=usize::from(max_chars));
            text.prop_map(|letters| Value::Text(letters.into_iter().collect())).boxed()
        }
    }
}

fn values(specs: &'static [ParamSpec]) -> impl Strategy<Value = Values> {
    let each: Vec<_> = specs.iter().map(|spec| value(spec.kind)).collect();
    each.prop_map(move |values| {
        let mut all = Values::defaults(specs);
        for (at, value) in values.into_iter().enumerate() {
            assert!(all.set(at, value));
        }
        all
    })
}

/// Any state of a lab that a page can get into, a hostile headline included.
fn any_state(lab: &'static LabSpec) -> impl Strategy<Value = State> {
    let (low, high) = match lab.prediction.ask {
        Ask::Number { min, max, .. } => (min, max),
        Ask::Choice(options) => (0.0, f64::from(options - 1)),
    };
    let guess = (low..=high).prop_map(move |guess| match lab.prediction.ask {
        Ask::Number { .. } => guess,
        Ask::Choice(_) => guess.floor(),
    });
    let text = prop_oneof![Just("𝒢".repeat(40)), Just("%&=,".repeat(9)), Just("0.00000123".to_owned())];
    let headline = prop::collection::vec(text, 1..5).prop_map(|h| link::figures(&h.join(","), 4));
    let change = (0..u32::MAX, values(lab.params));
    let parts = (
        (values(lab.params), values(lab.views), prop::option::of(change)),
        (prop::option::of(0..u32::MAX), prop::option::of(guess)),
        (prop::option::of(1..=u32::MAX), prop::option::of(headline)),
    );
    parts.prop_map(move |((values, view, change), (step, guess), (version, headline))| {
        let fork = change.filter(|_| lab.forks()).map(|(step, after)| {
            // Knobs that do not fork change the whole run.
            let mut then = values.clone();
            for (at, spec) in lab.params.iter().enumerate() {
                let forks = lab.knob(spec.key).is_some_and(|knob| knob.forks);
                if let Some(value) = after.at(at).filter(|_| forks) {
                    assert!(then.set(at, value.clone()));
                }
            }
            Fork { step, values: then }
        });
        State { setup: Setup { values, view, fork }, step, guess, version, headline }
    })
}

proptest! {
    #[test]
    fn no_state_of_a_lab_is_too_long_for_a_link(
        (at, state) in (0..LABS.len()).prop_flat_map(|at| (Just(at), any_state(LABS[at])))
    ) {
        let lab = LABS[at];
        let text = link::write(lab, &state);
        prop_assert!(text.len() <= MAX_CHARS, "{}: {} characters: {}", lab.id, text.len(), text);
        let (again, notices) = link::read(lab, &text);
        prop_assert!(notices.iter().all(link::Notice::is_of_newer), "{notices:?}: {text}");
        prop_assert_eq!(again, state, "{}", text);
    }
}

/// Every text as long as it can be, in letters of four bytes.
#[test]
fn the_longest_texts_fit() {
    for lab in LABS {
        let mut state = State::fresh(lab);
        for setup in states::corners(lab) {
            for (at, spec) in lab.params.iter().enumerate() {
                let longest = |value: Option<&Value>| value.map_or(0, |v| link::setting(spec, v).len());
                let value = match spec.kind {
                    Kind::Text { max_chars, .. } => Value::Text("𝒢".repeat(max_chars.into())),
                    Kind::Real { min, max, .. } => Value::Real((min + max) / 3.000_000_000_000_1),
                    _ => setup.values.at(at).unwrap().clone(),
                };
                if longest(Some(&value)) > longest(state.setup.values.at(at)) {
                    assert!(state.setup.values.set(at, value));
                }
            }
        }
        (state.step, state.version) = (Some(u32::MAX - 1), Some(u32::MAX));
        state.headline = Some(link::figures(&vec!["𝒢".repeat(40); 4].join(","), 4));
        let text = link::write(lab, &state);
        assert!(text.len() <= MAX_CHARS, "{}: {}", lab.id, text.len());
        assert_eq!(link::read(lab, &text).0, state, "{text}");
    }
}
