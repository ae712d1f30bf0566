//! Laws of links: a lab's and a study's.

use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{self, MAX_CHARS, Notice};
use tokenyard_lab::spec::LabSpec;
use tokenyard_study::link as study;

/// Most characters that a notice repeats of a key or a value.
const MOST_REPEATED: usize = 60;

/// Any fragment gives a state; that state's own link gives the same state with nothing to say about
/// it. A lab's link is never too long; a study that is too long for one is refused and not written.
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
    assert!(text.len() <= MAX_CHARS, "{}: {} characters", lab.id, text.len());
    clean(&text, &notices);
    assert_eq!(again, state, "{}: read again from {text}", lab.id);
    assert_eq!(link::write(lab, &again), text, "{}: written again", lab.id);
}

fn of_study(fragment: &str) {
    let (state, notices) = study::read(fragment);
    short(&notices);
    let text = study::write(&state);
    let (again, notices) = study::read_all(&text);
    clean(&text, &notices);
    assert_eq!(again, state, "read again from {text}");
    assert_eq!(study::write(&again), text, "written again");
    match study::share(&state) {
        Ok(link) => assert_eq!((link.len() <= MAX_CHARS, study::read(&link).0), (true, state)),
        Err(study::TooLong(length)) => {
            assert_eq!((length, length > MAX_CHARS), (text.len(), true));
            assert_eq!(study::read(&text).1, [Notice::TooLong(length)]);
        }
    }
}

/// Nothing is wrong with a link that we wrote, except that its model may be of a newer version.
fn clean(text: &str, notices: &[Notice]) {
    assert!(notices.iter().all(|notice| matches!(notice, Notice::Newer(_))), "{notices:?}: {text}");
}

/// What a page shows of a hostile link stays short.
fn short(notices: &[Notice]) {
    for notice in notices {
        let texts: &[&str] = match notice {
            Notice::Unknown(key) | Notice::Repeated(key) => &[key],
            Notice::Value(error) => &[&error.key, &error.given],
            Notice::TooLong(_) | Notice::Newer(_) | Notice::NewerForm { .. } => &[],
        };
        assert!(texts.iter().all(|text| text.chars().count() <= MOST_REPEATED), "{notice:?}");
    }
}
