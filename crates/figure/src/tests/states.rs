//! Words and states that the tests go over.

use std::path::Path;

use proptest::prelude::*;
use tokenyard_lab::link::State;
use tokenyard_lab::{Fork, LabSpec, Words, catalogue, labs::LABS, pseudo};
use tokenyard_param::{Kind, ParamSpec, Value, Values};

/// The languages of the catalogues, and the made-up one with long words.
pub(super) const LANGUAGES: [&str; 3] = ["en", "ja", pseudo::LANGUAGE];

/// The words of a lab's page.
pub(super) fn words(lab: &LabSpec, language: &str) -> Words {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    let long = language == pseudo::LANGUAGE;
    let read = |name: &str| catalogue::read(&locales, name, if long { "en" } else { language }).unwrap();
    let words: Words = read("common").into_iter().chain(read(lab.id)).collect();
    if long { pseudo::long(&words) } else { words }
}

/// Every lab with the state that nobody has touched, every preset, and a fork where there are any.
pub(super) fn known() -> Vec<(&'static LabSpec, State)> {
    let mut all = Vec::new();
    for lab in LABS.iter().copied() {
        let fresh = State::fresh(lab);
        all.push((lab, fresh.clone()));
        for preset in lab.presets {
            all.push((lab, State { setup: lab.with(preset.set), ..fresh.clone() }));
        }
        if lab.forks() {
            let mut forked = fresh;
            let mut then = forked.setup.clone();
            assert!(then.apply(&[("scrape_interval", "1")]) == 1);
            forked.setup.fork = Some(Fork { step: 30, values: then.values });
            forked.step = Some(40);
            all.push((lab, forked));
        }
    }
    all
}

fn value(spec: &ParamSpec) -> BoxedStrategy<Value> {
    match spec.kind {
        Kind::Int { min, max, .. } => (min..=max).prop_map(Value::Int).boxed(),
        Kind::OptInt { min, max, .. } => {
            prop_oneof![(min..=max).prop_map(Value::Int), Just(Value::Nothing)].boxed()
        }
        Kind::Real { min, max, .. } => (min..=max).prop_map(Value::Real).boxed(),
        Kind::Switch { .. } => any::<bool>().prop_map(Value::Switch).boxed(),
        Kind::Choice { options, .. } => (0..options.len() as u8).prop_map(Value::Choice).boxed(),
        Kind::Text { max_chars, .. } => proptest::collection::vec(
            prop_oneof![Just('<'), Just('&'), Just('負'), Just('\u{ffff}'), any::<char>()],
            1..=usize::from(max_chars),
        )
        // As a page and a link read it: without blanks around it.
        .prop_map(|chars| chars.into_iter().filter(|c| !c.is_control()).collect::<String>().trim().to_owned())
        .prop_filter("a name has characters", |text| !text.is_empty())
        .prop_map(Value::Text)
        .boxed(),
    }
}

fn values(specs: &'static [ParamSpec]) -> BoxedStrategy<Values> {
    let each: Vec<_> = specs.iter().map(value).collect();
    each.prop_map(move |all| {
        let mut values = Values::defaults(specs);
        for (i, value) in all.into_iter().enumerate() {
            values.set(i, value);
        }
        values
    })
    .boxed()
}

/// Any lab in any state.
pub(super) fn any_state() -> impl Strategy<Value = (&'static LabSpec, State)> {
    (0..LABS.len()).prop_flat_map(|i| {
        let lab = LABS[i];
        (values(lab.params), values(lab.views), proptest::option::of(0..100_u32)).prop_map(
            move |(values, view, step)| {
                let mut state = State { step, ..State::fresh(lab) };
                state.setup.values = values;
                state.setup.view = view;
                (lab, state)
            },
        )
    })
}
