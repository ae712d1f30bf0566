//! Public reports as scenarios: the symptom shows without the cure and not with it, beyond the
//! spread of seeds; every report has its words; and `docs/reports.md` says what was measured.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::page;
use tokenyard_lab::catalogue::{self, Texts};
use tokenyard_study::link;
use tokenyard_study::reports::{INCIDENTS, Incident, LEFT, MOST_CHARS, SEEDS, measure};

/// Parts of an incident's words, in the order of the page.
const PARTS: [&str; 5] = ["name", "symptom", "mechanism", "cure", "measure"];

/// Rows of the table that each list covers.
const HALVES: [std::ops::RangeInclusive<u8>; 2] = [1..=20, 21..=40];

fn incidents() -> impl Iterator<Item = &'static Incident> {
    INCIDENTS.iter().copied().flatten()
}

/// Figures of one state over the seeds.
pub(crate) struct Band {
    pub(crate) low: f64,
    pub(crate) median: f64,
    pub(crate) high: f64,
}

impl Band {
    fn of(incident: &Incident, broken: bool) -> Self {
        let figure =
            |seed| measure(incident, broken, seed).unwrap_or_else(|e| panic!("{}: {e:?}", incident.id));
        let mut figures: Vec<f64> = (0..SEEDS).map(figure).collect();
        figures.sort_by(f64::total_cmp);
        let last = figures.len() - 1;
        Self { low: figures[0], median: figures[last / 2], high: figures[last] }
    }

    fn range(&self) -> f64 {
        self.high - self.low
    }
}

fn words(language: &str) -> Texts {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    catalogue::read(&locales, "reports", language).unwrap()
}

/// The symptom is there, the cure takes it away, and chance does not explain it. What was measured
/// is what the page says.
#[test]
fn cures_work_beyond_the_spread_of_seeds_and_the_page_says_so() {
    let mut measured = BTreeMap::new();
    for incident in incidents() {
        let (broken, cured) = (Band::of(incident, true), Band::of(incident, false));
        let sign = if incident.worse_is_more { 1.0 } else { -1.0 };
        let (effect, spread) = ((broken.median - cured.median) * sign, broken.range().max(cured.range()));
        assert!(
            effect > 0.0 && effect >= 2.0 * spread,
            "{}: {} broken, {} cured, spread {spread}",
            incident.id,
            broken.median,
            cured.median
        );
        measured.insert(incident.number, (incident, broken, cured));
    }
    page::compare(&page::write(&measured, &words("en")));
}

#[test]
fn states_are_short_and_say_nothing_that_is_not_read() {
    for incident in incidents() {
        assert_ne!(incident.broken, incident.cured, "{}", incident.id);
        for fragment in [incident.broken, incident.cured] {
            assert!(fragment.chars().count() <= MOST_CHARS, "{}: {}", incident.id, fragment.chars().count());
            let (state, notices) = link::read(fragment);
            assert_eq!(notices, [], "{}: {fragment}", incident.id);
            assert_eq!(state.study.problems(None), [], "{}", incident.id);
            // A setting that is what the start page has anyway would not be written back.
            let (again, parts) = (link::write(&state), fragment.split('&').count());
            assert_eq!(again.split('&').count(), parts, "{}: {fragment} is read as {again}", incident.id);
        }
    }
}

/// Settings that only one of two states has, or has another value of.
fn differing(incident: &Incident) -> usize {
    let of = |fragment: &'static str| fragment.split('&').collect::<BTreeSet<_>>();
    let (broken, cured) = (of(incident.broken), of(incident.cured));
    broken.difference(&cured).count().max(cured.difference(&broken).count())
}

#[test]
fn a_cure_is_one_setting_or_two() {
    for incident in incidents() {
        assert!((1..=2).contains(&differing(incident)), "{}: {}", incident.id, differing(incident));
    }
}

#[test]
fn every_report_is_there_once_or_left_out_with_a_reason() {
    for ((incidents, left), half) in INCIDENTS.iter().zip(LEFT).zip(HALVES) {
        let mut numbers: Vec<u8> = incidents.iter().map(|i| i.number).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        numbers.extend(left.iter().map(|l| l.number));
        numbers.sort_unstable();
        assert!(numbers.is_empty() || numbers == half.collect::<Vec<_>>(), "{numbers:?}");
    }
    let ids: BTreeSet<&str> = incidents().map(|i| i.id).collect();
    assert_eq!(ids.len(), incidents().count());
}

#[test]
fn every_report_has_its_words_and_no_word_is_left_over() {
    let of = |i: &Incident| PARTS.map(|part| format!("report.{}.{part}", i.id));
    let mut wanted: BTreeSet<String> = incidents().flat_map(of).collect();
    wanted.extend(LEFT.iter().copied().flatten().map(|left| format!("left.{}", left.number)));
    for language in ["en", "ja"] {
        let texts = words(language);
        let found: BTreeSet<String> = texts.keys().cloned().collect();
        assert_eq!(found, wanted, "{language}");
        for (key, text) in &texts {
            let stop = text.ends_with(if language == "ja" { '。' } else { '.' });
            let name = key.ends_with(".name") || key.ends_with(".measure");
            assert!(stop != name && !text.contains(['{', '[']), "{language} {key}: {text}");
        }
    }
}
