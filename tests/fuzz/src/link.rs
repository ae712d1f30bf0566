//! Laws of links: a lab's and a study's.

use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{self, MAX_CHARS, Notice};
use tokenyard_lab::spec::LabSpec;
use tokenyard_study::link as study;

/// Most characters that a notice repeats of a key or a value.
const MOST_REPEATED: usize = 60;

/// Any fragment gives a state; that state's own link gives the same state with nothing to say about
/// it, and is not longer than a link may be.
pub fn link(bytes: &[u8]) {
    let Ok(fragment) = std::str::from_utf8(bytes) else { return };
    for lab in LABS {
        of_lab(lab, fragment);
    }
    of_study(fragment);
}

fn of_lab(lab: &LabSpec, fragment: &str) {
    let (state, notices) = link::read(lab, fragment);
    short(&notices);
    let text = link::write(lab, &state);
    let (again, notices) = link::read(lab, &text);
    assert_eq!(again, state, "{}: read again from {text}", lab.id);
    quiet(&notices, &text);
    assert_eq!(link::write(lab, &again), text, "{}: written again", lab.id);
}

fn of_study(fragment: &str) {
    let (state, notices) = study::read(fragment);
    short(&notices);
    let text = study::write(&state);
    let (again, notices) = study::read(&text);
    assert_eq!(again, state, "read again from {text}");
    quiet(&notices, &text);
    assert_eq!(study::write(&again), text, "written again");
}

/// A link that we wrote has nothing wrong with it, except that it may be of a newer version.
fn quiet(notices: &[Notice], text: &str) {
    assert!(text.chars().count() <= MAX_CHARS, "{} characters: {text}", text.chars().count());
    assert!(notices.iter().all(|notice| matches!(notice, Notice::Newer(_))), "{notices:?}: {text}");
}

/// What a page shows of a hostile link stays short.
fn short(notices: &[Notice]) {
    for notice in notices {
        let texts: &[&str] = match notice {
            Notice::Unknown(key) | Notice::Repeated(key) => &[key],
            Notice::Value(error) => &[&error.key, &error.given],
            Notice::TooLong(_) | Notice::Newer(_) => &[],
        };
        assert!(texts.iter().all(|text| text.chars().count() <= MOST_REPEATED), "{notice:?}");
    }
}
