//! A model whose results change has another number, and exact models never do.

use std::path::Path;

use tokenyard_lab::labs::{LABS, by_id};
use tokenyard_lab::link::{self, State};
use tokenyard_lab::{LabSpec, digest};

use crate::golden::{Folder, changelog, explained};

/// The suite's scenarios of a lab, as links: a parameter that comes later leaves them as they are.
fn scenarios(lab: &LabSpec) -> Vec<String> {
    let all = (0..digest::count()).filter_map(digest::scenario);
    let ours = all.filter(|(other, _)| other.id == lab.id).map(|(_, values)| {
        let mut state = State::fresh(lab);
        state.setup.values = values;
        link::write(lab, &state)
    });
    ours.collect()
}

#[test]
fn a_change_of_results_is_another_model() {
    for lab in LABS {
        let spec = format!("crates/lab/src/labs/{}/spec.rs (model_version)", lab.id.replace('-', "_"));
        let run = |fragment: &str| {
            let (state, notices) = link::read(lab, fragment);
            assert_eq!(notices, [], "{}: {fragment}", lab.id);
            digest::of(lab, &state.setup.values)
        };
        Folder::own().hold((lab.id, lab.model_version, &spec), || scenarios(lab), run);
    }
}

#[test]
fn the_changelog_gives_the_reason_for_every_model() {
    let changelog = changelog();
    for lab in LABS {
        assert_eq!(explained(&changelog, lab.id, lab.model_version), Ok(()));
    }
    assert!(explained("- model 2 of x: the queue was counted twice", "x", 2).is_ok());
    for without in
        ["", "- model 2 of x", "- model 2 of x: ", "- model 3 of x: for a good reason", "model 2 of xy"]
    {
        assert!(explained(without, "x", 2).is_err(), "{without}");
    }
}

/// Models with vectors of a reference never change: the vectors are the model.
#[test]
fn exact_models_are_the_first_ones_for_ever() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests");
    let files =
        std::fs::read_dir(tests).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let exact: Vec<String> =
        files.filter_map(|name| Some(name.strip_suffix("_oracle.rs")?.replace('_', "-"))).collect();
    assert!(exact.len() >= 4, "{exact:?}");
    for id in exact {
        assert_eq!(by_id(&id).map(|lab| lab.model_version), Some(1), "{id}");
    }
}
