//! The JSON document, read by somebody else's reader.

use proptest::prelude::*;
use serde_json::Value;
use tokenyard_lab::link::{self, State};
use tokenyard_lab::{LabSpec, Words};

use super::states::{LANGUAGES, any_state, known, words};
use super::{file, schema};
use crate::Export;

fn document(lab: &LabSpec, state: &State, words: &Words) -> Value {
    serde_json::from_str(&file(Export::Json, lab, state, words)).unwrap()
}

/// Bits of a number; none where it is null.
fn bits(value: &Value) -> Option<u64> {
    (!value.is_null()).then(|| value.as_f64().unwrap().to_bits())
}

fn finite(number: f64) -> Option<u64> {
    number.is_finite().then(|| number.to_bits())
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn check_figures(lab: &LabSpec, state: &State, document: &Value) {
    let run = lab.run(&state.setup);
    let step = document["step"].as_u64().unwrap() - 1;
    let figures = run.figures(u32::try_from(step).unwrap());
    assert_eq!(document["steps"].as_u64().unwrap(), u64::from(run.steps()));
    assert_eq!(list(&document["figures"]).len(), figures.len());
    for (written, figure) in list(&document["figures"]).iter().zip(&figures) {
        assert_eq!(written["id"], figure.id);
        assert_eq!(list(&written["series"]).len(), figure.series.len());
        for (line, series) in list(&written["series"]).iter().zip(&figure.series) {
            let pair = |pair: &Value| (bits(&pair[0]), bits(&pair[1]));
            let points =
                |of: &[(f64, f64)]| of.iter().map(|p| (finite(p.0), finite(p.1))).collect::<Vec<_>>();
            assert_eq!(list(&line["points"]).iter().map(pair).collect::<Vec<_>>(), points(&series.points));
            assert_eq!(list(&line["band"]).iter().map(pair).collect::<Vec<_>>(), points(&series.band));
        }
        assert_eq!(list(&written["guides"]).len(), figure.guides.len());
        assert_eq!(list(&written["pins"]).len(), figure.pins.len());
    }
}

fn check(lab: &LabSpec, state: &State, words: &Words) {
    let document = document(lab, state, words);
    let faults = schema::faults(&document);
    assert!(faults.is_empty(), "{}: {faults:?}", lab.id);
    let table = lab.table(&state.setup);
    let rows = list(&document["table"]["rows"]);
    assert_eq!(
        (rows.len(), list(&document["table"]["columns"]).len()),
        (table.rows.len(), lab.columns.len())
    );
    for (written, row) in rows.iter().zip(&table.rows) {
        assert_eq!(
            (&written["id"], &written["name"]),
            (&Value::from(row.id), &Value::from(words.say(&row.name)))
        );
        let cells: Vec<_> = list(&written["cells"]).iter().map(bits).collect();
        assert_eq!(cells, row.cells.iter().map(|cell| finite(*cell)).collect::<Vec<_>>(), "{}", lab.id);
    }
    check_figures(lab, state, &document);
    let (id, fragment) = document["link"].as_str().unwrap().split_once("/#").unwrap();
    let (again, notices) = link::read(lab, fragment);
    assert!(notices.is_empty() && id == format!("labs/{}", lab.id), "{notices:?}");
    assert_eq!((&again.setup, again.step), (&state.setup, state.step));
    assert_eq!((again.version, again.headline), (Some(lab.model_version), Some(link::headline(&table))));
    assert_eq!(document.get("fork").is_some(), state.setup.fork.is_some());
    let keys: Vec<&str> = list(&document["settings"]).iter().map(|s| s["key"].as_str().unwrap()).collect();
    assert_eq!(keys, lab.params.iter().map(|spec| spec.key).collect::<Vec<_>>());
}

#[test]
fn known_states_keep_to_the_schema_and_hold_everything_in_every_language() {
    for (lab, state) in known() {
        LANGUAGES.iter().for_each(|language| check(lab, &state, &words(lab, language)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_state_keeps_to_the_schema_and_holds_everything((lab, state) in any_state()) {
        check(lab, &state, &words(lab, "en"));
    }
}
