//! What is true of every figure.

use proptest::prelude::*;
use roxmltree::Document;
use tokenyard_lab::LabSpec;
use tokenyard_lab::link::State;

use super::document::{Line, lines};
use super::states::{LANGUAGES, any_state, known, words};
use crate::{Theme, WIDTH, svg};

/// A long address, as a link with every setting is.
fn address() -> String {
    format!("https://example.org/labs/x/#{}", "setting=12345&".repeat(12))
}

fn draw(lab: &LabSpec, state: &State, language: &str, theme: Theme) -> String {
    svg(lab, state, &words(lab, language), theme, Some(&address())).unwrap()
}

/// Nearest to the edge of the figure that text may come.
const MARGIN: f64 = 12.0;

/// What is wrong with the places of a figure's lines.
fn faults(svg: &str) -> Vec<String> {
    let lines = lines(svg);
    let document = Document::parse(svg).unwrap();
    let height: f64 = document.root_element().attribute("height").unwrap().parse().unwrap();
    let outside = |line: &&Line| {
        line.left < MARGIN
            || line.right > f64::from(WIDTH) - MARGIN
            || line.base < MARGIN
            || line.base > height - MARGIN
    };
    let mut faults: Vec<String> = lines.iter().filter(outside).map(|l| format!("outside: {l:?}")).collect();
    let own: Vec<&Line> = lines.iter().filter(|line| !line.in_chart).collect();
    for (i, a) in own.iter().enumerate() {
        for b in &own[..i] {
            let apart = (a.base - b.base).abs() >= 12.0 || a.left >= b.right || b.left >= a.right;
            if !apart {
                faults.push(format!("{a:?} lies on {b:?}"));
            }
        }
    }
    faults
}

#[test]
fn nothing_is_outside_or_on_something_else_in_any_language() {
    for (lab, state) in known() {
        for language in LANGUAGES {
            let faults = faults(&draw(lab, &state, language, Theme::Light));
            assert!(faults.is_empty(), "{} {language}: {faults:#?}", lab.id);
        }
    }
}

/// The figure without its colours.
fn geometry(svg: &str) -> String {
    let mut parts = svg.split("\"#");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + "\"#" + part.get(6..).unwrap_or_default())
}

#[test]
fn themes_differ_in_colours_only() {
    for (lab, state) in known() {
        let (light, dark) = (draw(lab, &state, "en", Theme::Light), draw(lab, &state, "en", Theme::Dark));
        assert_ne!(light, dark);
        assert_eq!(geometry(&light), geometry(&dark), "{}", lab.id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_state_gives_a_well_formed_figure_that_fits_and_comes_out_the_same((lab, state) in any_state()) {
        let drawn = draw(lab, &state, "en", Theme::Light);
        prop_assert_eq!(&drawn, &draw(lab, &state, "en", Theme::Light));
        prop_assert!(Document::parse(&drawn).is_ok());
        let faults = faults(&drawn);
        prop_assert!(faults.is_empty(), "{} {:?}: {:#?}", lab.id, state, faults);
    }
}
