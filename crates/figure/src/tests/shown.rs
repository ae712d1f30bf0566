//! What a figure shows.

use roxmltree::Document;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::State;
use tokenyard_lab::{Arg, LabSpec, Words};

use super::document::lines;
use super::states::{LANGUAGES, known, words};
use crate::{Shot, Theme, alt, caption, svg};

/// Golden files: `UPDATE_GOLDEN=1` writes them. The laws beside them are in this file and in
/// `laws.rs`.
#[test]
fn figures_match_their_golden_files() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    for lab in LABS {
        let address = format!("https://example.org/labs/{}/", lab.id);
        let drawn = svg(lab, &State::fresh(lab), &words(lab, "en"), Theme::Light, Some(&address)).unwrap();
        let path = folder.join(format!("{}.svg", lab.id));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &drawn).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(golden == drawn, "{} differs: look at it, then UPDATE_GOLDEN=1", path.display());
    }
}

/// Every figure of the table in the text of a figure, in the order of its rows.
fn figures_of(lab: &LabSpec, state: &State, words: &Words) -> Vec<String> {
    let table = lab.table(&state.setup);
    let text = |(column, value): (&tokenyard_lab::Column, &f64)| {
        words.arg(&column.digits.map_or(Arg::Percent(*value), |digits| Arg::Fixed(*value, digits)))
    };
    table.rows.iter().flat_map(|row| lab.columns.iter().zip(&row.cells).map(text)).collect()
}

#[test]
fn every_figure_of_the_table_is_there_in_its_order() {
    for (lab, state) in known() {
        let words = words(lab, "en");
        let drawn = svg(lab, &state, &words, Theme::Dark, None).unwrap();
        let texts: Vec<String> = lines(&drawn).into_iter().map(|line| line.text).collect();
        let head = texts.iter().position(|text| *text == words.at(&["table.variant"])).unwrap();
        let mut rest = texts[head..].iter();
        for figure in figures_of(lab, &state, &words) {
            assert!(rest.any(|text| *text == figure), "{}: {figure} is missing or out of place", lab.id);
        }
    }
}

#[test]
fn title_question_charts_sentence_and_names_are_there_whole() {
    for (lab, language) in LABS.iter().flat_map(|lab| LANGUAGES.map(|language| (lab, language))) {
        let (state, words) = (State::fresh(lab), words(lab, language));
        let shot = Shot::new(lab, &state, &words);
        let drawn = shot.svg(Theme::Light, Some("https://example.org/x/")).unwrap();
        let plain = |text: &str| text.replace(' ', "");
        let all = plain(&lines(&drawn).into_iter().map(|line| line.text).collect::<String>());
        let mut expected = vec![shot.title(), words.at(&["question"]), shot.sentence(), shot.facts()];
        expected.extend(shot.figures.iter().map(|figure| shot.chart(figure)));
        expected.extend(shot.table.rows.iter().map(|row| words.say(&row.name)));
        expected.push("https://example.org/x/".to_owned());
        for text in expected {
            assert!(!text.is_empty() && all.contains(&plain(&text)), "{} {language}: {text}", lab.id);
        }
        assert!(!shot.figures.is_empty(), "{}", lab.id);
    }
}

/// A heading is broken between words only, where words are apart.
#[test]
fn no_word_of_a_heading_is_broken() {
    for (lab, language) in LABS.iter().flat_map(|lab| ["en", "xx"].map(|language| (lab, language))) {
        let words = words(lab, language);
        let drawn = svg(lab, &State::fresh(lab), &words, Theme::Light, None).unwrap();
        let lines = lines(&drawn);
        let head: Vec<&str> = lines.iter().filter(|l| !l.in_chart).flat_map(|l| l.text.split(' ')).collect();
        for column in lab.columns {
            let name = words.at(&["col", column.key]);
            assert!(name.split(' ').all(|word| head.contains(&word)), "{} {language}: {name}", lab.id);
        }
    }
}

/// What programs read aloud, and that nothing in the document reaches outside it.
#[test]
fn a_figure_has_a_name_and_a_description_and_needs_nothing_else() {
    for (lab, state) in known() {
        let words = words(lab, "ja");
        let drawn = svg(lab, &state, &words, Theme::Light, None).unwrap();
        let document = Document::parse(&drawn).unwrap();
        let root = document.root_element();
        assert_eq!((root.attribute("role"), root.attribute("lang")), (Some("img"), Some("ja")));
        let first: Vec<&str> =
            root.children().filter(|c| c.is_element()).map(|c| c.tag_name().name()).collect();
        assert_eq!(first[..3], ["title", "desc", "metadata"], "{}", lab.id);
        let said = root.children().find(|c| c.has_tag_name("desc")).and_then(|c| c.text()).unwrap();
        assert!(said.starts_with(&alt(lab, &state, &words)), "{}: {said}", lab.id);
        for word in ["href", "url(", "<script", "<style", "style=", " id=", "class=", "@import"] {
            assert!(!drawn.contains(word), "{}: {word}", lab.id);
        }
    }
}

#[test]
fn an_address_is_a_link_only_if_it_is_one_of_the_web() {
    let lab = LABS[0];
    let (state, words) = (State::fresh(lab), words(lab, "en"));
    let draw = |address| svg(lab, &state, &words, Theme::Light, Some(address)).unwrap();
    assert!(draw("https://example.org/a?b&c").contains("<a href=\"https://example.org/a?b&amp;c\">"));
    for other in ["javascript:alert(1)", "data:text/html,x", "file:///x", "", " "] {
        assert!(!draw(other).contains("<a "), "{other}");
    }
    assert!(Document::parse(&draw("https://\"><script>/\u{0}")).is_ok());
}

#[test]
fn what_differs_from_the_default_is_told_with_seed_and_model() {
    for (lab, state) in known() {
        let words = words(lab, "en");
        let text = caption(lab, &state, &words, Some("https://example.org/"));
        let model = format!("Model {}", lab.model_version);
        assert!(text.contains(&model) && text.ends_with("https://example.org/"), "{text}");
        assert_eq!(text.contains("All settings at their defaults"), state.setup == lab.defaults(), "{text}");
        assert_eq!(text.contains("Seed "), lab.has_seed(), "{text}");
        for (spec, i) in lab.params.iter().zip(0..).filter(|(spec, _)| spec.key != "seed") {
            let differs = state.setup.values.at(i) != Some(&spec.kind.default_value());
            let name = words.at(&["param", spec.key, "name"]);
            assert!(!differs || text.contains(&format!("{name}: ")), "{text}: {name}");
        }
        assert!(state.setup.fork.is_none() || text.contains("From step 31 on: "), "{text}");
        assert!(!text.contains('{') && !alt(lab, &state, &words).contains('{'), "{text}");
    }
}
