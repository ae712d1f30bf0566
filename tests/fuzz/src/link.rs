//! Laws of links: a lab's and a study's.

use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{self, MAX_CHARS, Notice};
use tokenyard_lab::spec::LabSpec;
use tokenyard_study::link as study;

/// Most characters that a notice repeats of a key or a value.
const MOST_REPEATED: usize = 60;

/// Any fragment gives a state; that state's own link gives the same state with nothing to say about
/// it, unless it is longer than a link may be, which is all that is said then.
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
    if fits(&text, &notices) {
        assert_eq!(again, state, "{}: read again from {text}", lab.id);
        assert_eq!(link::write(lab, &again), text, "{}: written again", lab.id);
    }
}

fn of_study(fragment: &str) {
    let (state, notices) = study::read(fragment);
    short(&notices);
    let text = study::write(&state);
    let (again, notices) = study::read(&text);
    if fits(&text, &notices) {
        assert_eq!(again, state, "read again from {text}");
        assert_eq!(study::write(&again), text, "written again");
    }
}

/// Whether a link that we wrote is short enough to be read. Then nothing is wrong with it, except
/// that it may be of a newer version.
fn fits(text: &str, notices: &[Notice]) -> bool {
    let length = text.chars().count();
    if length > MAX_CHARS {
        assert_eq!(notices, [Notice::TooLong(length)]);
        return false;
    }
    assert!(notices.iter().all(|notice| matches!(notice, Notice::Newer(_))), "{notices:?}: {text}");
    true
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
