//! CSV, read by somebody else's reader.

use proptest::prelude::*;
use tokenyard_lab::labs::by_id;
use tokenyard_lab::link::State;
use tokenyard_lab::{LabSpec, Words, sweep};

use super::states::{any_state, known, words};
use super::{Source, file, write};
use crate::Export;

/// All lines, the heading first; every line has as many fields.
fn lines(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let record =
        |record: Result<csv::StringRecord, csv::Error>| record.unwrap().iter().map(str::to_owned).collect();
    reader.records().map(record).collect()
}

/// Bits of a number as it was written; no number is empty.
fn bits(text: &str) -> Option<u64> {
    (!text.is_empty()).then(|| text.parse::<f64>().unwrap().to_bits())
}

fn finite(number: f64) -> Option<u64> {
    number.is_finite().then(|| number.to_bits())
}

/// A text without the mark that hides a formula; there must be one where it would be one.
fn said(field: &str) -> &str {
    let formula = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    assert!(!field.starts_with(formula), "{field}");
    field.strip_prefix('\'').filter(|text| text.starts_with(formula)).unwrap_or(field)
}

fn check_table(lab: &LabSpec, state: &State, words: &Words) {
    let lines = lines(&file(Export::TableCsv, lab, state, words));
    let table = lab.table(&state.setup);
    assert_eq!(lines[0][..2], ["variant", "name"]);
    assert_eq!((lines[0].len(), lines.len()), (lab.columns.len() + 2, table.rows.len() + 1));
    for (heading, column) in lines[0][2..].iter().zip(lab.columns) {
        assert!(heading.starts_with(&words.at(&["col", column.key])), "{heading}");
        assert!(heading.ends_with(&format!("({})", words.at(&["unit", column.key]))), "{heading}");
    }
    for (line, row) in lines[1..].iter().zip(&table.rows) {
        assert_eq!((line[0].as_str(), said(&line[1])), (row.id, words.say(&row.name).as_str()));
        let read: Vec<_> = line[2..].iter().map(|cell| bits(cell)).collect();
        assert_eq!(read, row.cells.iter().map(|cell| finite(*cell)).collect::<Vec<_>>(), "{}", lab.id);
    }
}

fn check_series(lab: &LabSpec, state: &State, words: &Words, sweep: &[Vec<f64>]) {
    let source = Source { lab, state, words, site: None, sweep };
    let lines = lines(&write(Export::SeriesCsv, &source).unwrap());
    let run = lab.run(&state.setup);
    let step = state.step.unwrap_or_else(|| run.moments().first().map_or(0, |m| m.step));
    let figures = sweep::figures(lab, &state.setup, run.as_ref(), step.min(run.steps() - 1), sweep);
    let mut rest = lines[1..].iter();
    for (figure, series) in figures.iter().flat_map(|f| f.series.iter().map(move |s| (f, s))) {
        let kind = if series.ghost { "ghost" } else { "run" };
        for (i, (x, y)) in series.points.iter().enumerate() {
            let line = rest.next().unwrap();
            assert_eq!(
                (line[0].as_str(), said(&line[1]), line[2].as_str()),
                (figure.id, &*words.say(&series.name), kind)
            );
            assert_eq!((bits(&line[3]), bits(&line[5])), (finite(*x), finite(*y)));
            let band = series.band.get(i).map_or((None, None), |(low, high)| (finite(*low), finite(*high)));
            assert_eq!((bits(&line[6]), bits(&line[7])), band);
            let named = figure.x.named.iter().find(|(at, _)| at == x);
            assert_eq!(said(&line[4]), named.map_or(String::new(), |(_, name)| words.say(name)));
            assert_eq!(
                (said(&line[8]), said(&line[9])),
                (&*words.say(&figure.x.label), &*words.say(&figure.y.label))
            );
        }
    }
    assert!(rest.next().is_none() && lines.len() > 1, "{}", lab.id);
}

#[test]
fn known_states_come_back_in_every_language() {
    for (lab, state) in known() {
        for language in ["en", "ja"] {
            check_table(lab, &state, &words(lab, language));
            check_series(lab, &state, &words(lab, language), &[]);
        }
    }
}

#[test]
fn what_a_sweep_brought_is_among_the_series() {
    let lab = by_id("queueing-knee").unwrap();
    let state = State::fresh(lab);
    let rows: Vec<_> = (0..30).map(|item| sweep::sample(lab, &state.setup, item)).collect();
    let words = words(lab, "en");
    check_series(lab, &state, &words, &rows);
    let source = |sweep| Source { lab, state: &state, words: &words, site: None, sweep };
    let count = |sweep| write(Export::SeriesCsv, &source(sweep)).unwrap().lines().count();
    assert!(count(&rows) > count(&[]));
}

#[test]
fn a_name_that_is_a_formula_is_hidden() {
    let lab = by_id("retries").unwrap();
    let mut state = State::fresh(lab);
    let spec = lab.params.iter().find(|p| p.kind.allowed().contains("characters")).unwrap();
    assert_eq!(state.setup.apply(&[(spec.key, "=1+1,\"x\"")]), 1);
    check_table(lab, &state, &words(lab, "en"));
    check_series(lab, &state, &words(lab, "en"), &[]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_state_comes_back_bit_for_bit((lab, state) in any_state()) {
        check_table(lab, &state, &words(lab, "en"));
        check_series(lab, &state, &words(lab, "en"), &[]);
    }
}
