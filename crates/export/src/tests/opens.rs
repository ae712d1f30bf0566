//! What was written leads back to its state.

use proptest::prelude::*;
use tokenyard_figure::{Carried, Unread, sign_png};
use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::{LABS, by_id};
use tokenyard_lab::link::{self, State};

use super::states::{any_state, known, words};
use super::{Source, file, write};
use crate::{Export, Opened, Reason, read};

/// The smallest file that is a PNG to whoever looks at its chunks only.
fn png() -> Vec<u8> {
    let chunk =
        |kind: &[u8], data: &[u8]| [&(data.len() as u32).to_be_bytes()[..], kind, data, &[0; 4]].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &[0; 13]), chunk(b"IEND", &[])].concat()
}

fn check(lab: &LabSpec, state: &State, language: &str, site: Option<&str>) {
    let words = words(lab, language);
    let source = Source { lab, state, words: &words, site, sweep: &[] };
    let carried = Carried::of(lab, state);
    for export in Export::ALL {
        let text = write(export, &source).unwrap();
        let name = export.file_name(lab, state);
        assert!(name.len() < 200 && name.is_ascii() && !name.contains(['/', '\\', ':', '"']), "{name}");
        let opened = read(text.as_bytes(), Some(&name));
        if matches!(export, Export::TableCsv | Export::SeriesCsv) {
            assert_eq!(read(text.as_bytes(), None).unwrap_err().reason, Reason::Numbers);
            by_name(lab, state, &name, opened.ok());
        } else {
            assert_eq!(opened, Ok(Opened::Lab(carried.clone())), "{} {}", lab.id, export.id());
            assert_eq!(read(text.as_bytes(), None), opened, "whatever it is called");
        }
    }
    assert_eq!(read(&sign_png(&png(), &carried).unwrap(), None), Ok(Opened::Lab(carried)));
}

/// A CSV says its settings by its name, if they fit.
fn by_name(lab: &LabSpec, state: &State, name: &str, opened: Option<Opened>) {
    let Some(Opened::Lab(carried)) = opened else {
        assert!(name.contains("+more"), "{name}");
        return;
    };
    let (again, notices) = link::read(lab, carried.fragment());
    assert!(notices.is_empty() && carried.lab() == lab.id, "{name}: {notices:?}");
    assert_eq!((again.setup, again.step), (state.setup.clone(), state.step), "{name}");
}

#[test]
fn known_states_are_reopened_from_every_file() {
    for (lab, state) in known() {
        check(lab, &state, "ja", None);
        check(lab, &state, "en", Some("https://example.org/labs/x"));
    }
}

#[test]
fn a_csv_is_known_by_its_name_also_where_a_browser_counted_it() {
    let lab = by_id("herding").unwrap();
    let mut state = State::fresh(lab);
    state.step = Some(11);
    let text = file(Export::TableCsv, lab, &state, &words(lab, "en"));
    let opened = |name: &str| read(text.as_bytes(), Some(name)).ok();
    let name = Export::TableCsv.file_name(lab, &state);
    assert_eq!(name, "tokenyard-herding-table+step=12.csv");
    assert!(opened(&name).is_some());
    assert_eq!(opened("tokenyard-herding-table+step=12 (3).csv"), opened(&name));
    for other in
        ["table.csv", "tokenyard-herding-table+more.csv", "tokenyard-nope-table.csv", "tokenyard-herding.csv"]
    {
        assert_eq!(opened(other), None, "{other}");
    }
}

#[test]
fn rewritten_and_newer_documents_are_told_apart_from_damaged_ones() {
    let lab = LABS[0];
    let state = State { step: Some(3), ..State::fresh(lab) };
    let text = file(Export::Json, lab, &state, &words(lab, "en"));
    let carried = Ok(Opened::Lab(Carried::of(lab, &state)));
    let sorted: std::collections::BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    let sorted = serde_json::to_string(&sorted).unwrap();
    assert!(sorted.find("\"figures\"") < sorted.find("\"link\""));
    for same in
        [sorted.clone(), sorted.replace('/', "\\/").replace('&', "\\u0026"), format!("\u{feff}\r\n{text}")]
    {
        assert_eq!(read(same.as_bytes(), None), carried);
    }
    let reason = |text: String| read(text.as_bytes(), None).unwrap_err().reason;
    let newer = text.replace("\"export\": 1", "\"export\": 2");
    assert_eq!(reason(newer), Reason::Export(Unread::Newer(2)));
    for damaged in
        [text.replace("labs/", "lab/"), text.replace("\"link\"", "\"lynx\""), text[..60].to_owned()]
    {
        assert_eq!(reason(damaged), Reason::Export(Unread::Broken));
    }
    let markdown = file(Export::Markdown, lab, &state, &words(lab, "en"));
    assert_eq!(
        reason(markdown.replace("<!-- tokenyard 1;", "<!-- tokenyard 9;")),
        Reason::Export(Unread::Newer(9))
    );
    let bare = markdown.split("<!-- ").next().unwrap();
    let Ok(Opened::Lab(bare)) = read(bare.as_bytes(), None) else { panic!("without its comment") };
    assert_eq!((bare.link(), bare.product()), (Carried::of(lab, &state).link(), ""));
}

#[test]
fn a_link_in_any_text_is_found() {
    let id = LABS[0].id;
    let lab = |fragment: &str| Ok(Opened::Lab(Carried::linked("", id, fragment).unwrap()));
    for text in [
        "https://example.org/labs/ID/#seed=7",
        "look at labs/ID/#seed=7.",
        "(https://example.org/a/labs/ID/index.html?lang=ja#seed=7), and again labs/ID/#seed=7",
        "<iframe src=\"https://example.org/embed/ID/?ui=lab#seed=7\"></iframe>",
        "ここ（labs/ID#seed=7）です。",
        "file:///x/tokenyard.html#lab=ID&seed=7",
        "[InternetShortcut]\r\nURL=https://example.org/labs/ID/#seed=7\r\n",
    ] {
        assert_eq!(read(text.replace("ID", id).as_bytes(), None), lab("seed=7"), "{text}");
    }
    let html = format!("<a href='labs/{id}/#seed=7&amp;step=3'>x</a>");
    assert_eq!(read(html.as_bytes(), None), lab("seed=7&step=3"));
    let fleet = read(b"https://example.org/fleet/#rules=random&seed=3", None);
    assert_eq!(fleet, Ok(Opened::Study("rules=random&seed=3".to_owned())));
    let two = format!("labs/{id}/#seed=7 labs/{id}/#seed=8");
    assert_eq!(read(two.as_bytes(), None).unwrap_err().reason, Reason::Several);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_state_is_reopened_from_every_file((lab, state) in any_state()) {
        check(lab, &state, "en", None);
    }
}

/// A lesson names states, but is not one of them.
#[test]
fn a_lesson_is_known_by_its_steps() {
    let lesson = "format = 1\n\n  [[step]]  \nstate = \"#lab=herding\"\n";
    for text in [lesson, &lesson.replace('\n', "\r\n"), &lesson.replace("state", "states")] {
        assert_eq!(read(text.as_bytes(), Some("own.toml")), Ok(Opened::Lesson), "{text}");
    }
    assert_ne!(read(lesson.replace("[[step]]", "[step]").as_bytes(), None), Ok(Opened::Lesson));
}
