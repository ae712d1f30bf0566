//! The transcript: every step, and nothing that a text holds as a mark.

use proptest::prelude::*;
use tokenyard_lab::labs::by_id;
use tokenyard_lab::link::State;
use tokenyard_lab::{LabSpec, Words};

use super::file;
use super::states::{LANGUAGES, any_state, known, words};
use crate::Export;

/// What a reader of Markdown sees of an escaped text.
fn seen(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        let escapes = c == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation);
        out.extend(if escapes { chars.next() } else { Some(c) });
    }
    out
}

/// A text on one line.
fn flat(text: &str) -> String {
    text.trim().replace(char::is_control, " ")
}

fn check(lab: &LabSpec, state: &State, words: &Words) {
    let text = file(Export::Markdown, lab, state, words);
    let run = lab.run(&state.setup);
    let moments = run.moments();
    let lines: Vec<&str> = text.lines().collect();
    let heading = format!("## {}", words.at(&["player.transcript"]));
    let first = lines.iter().position(|line| seen(line) == heading).unwrap() + 2;
    for step in 0..run.steps() {
        let line = lines[first + step as usize].strip_prefix(&format!("{}. ", step + 1)).unwrap();
        let cue = moments.iter().find(|moment| moment.step == step);
        let cue = cue.map_or(String::new(), |moment| format!("**{}** ", flat(&words.say(&moment.cue))));
        assert_eq!(seen(line), cue + &flat(&words.say(&run.say(step))), "{} {step}", lab.id);
    }
    assert_eq!(lines[first + run.steps() as usize], "", "nothing follows the last step");
    let rows = lines.iter().filter(|line| line.starts_with('|')).count();
    assert_eq!(rows, lab.table(&state.setup).rows.len() + 2, "{}", lab.id);
    for figure in run.figures(0) {
        assert!(
            lines
                .iter()
                .any(|line| seen(line) == format!("## {}", words.at(&["figure", figure.id, "caption"])))
        );
    }
}

#[test]
fn known_states_have_every_step_in_every_language() {
    for (lab, state) in known() {
        LANGUAGES.iter().for_each(|language| check(lab, &state, &words(lab, language)));
    }
}

#[test]
fn a_typed_name_is_no_mark_and_no_link() {
    let lab = by_id("retries").unwrap();
    let spec = lab.params.iter().find(|p| p.kind.allowed().contains("characters")).unwrap();
    for name in ["[a](b)", "<b>x</b>", "|a|`b`", "**x**_y_", "<!-- x", "1. x", "# x", "&lt;"] {
        let mut state = State::fresh(lab);
        assert_eq!(state.setup.apply(&[(spec.key, name)]), 1, "{name}");
        check(lab, &state, &words(lab, "en"));
        let text = file(Export::Markdown, lab, &state, &words(lab, "en"));
        let bare = |mark: &str| text.matches(mark).count() - text.matches(&format!("\\{mark}")).count();
        assert_eq!((bare("]("), bare("<!-- ")), (1, 1), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_state_has_every_step((lab, state) in any_state()) {
        check(lab, &state, &words(lab, "en"));
    }
}
