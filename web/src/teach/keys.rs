//! Keys of whoever presents: those of a clicker, and a few letters.

use web_sys::KeyboardEvent;

use crate::platform::keys::target_tag;

/// What a key or a button asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Do {
    /// The next beat, or the next step.
    Next,
    /// The beat before, or the step before.
    Back,
    /// The first step.
    First,
    /// The last step.
    Last,
    /// Plays the lab, or stops it.
    Play,
    /// Black screen, and back.
    Black,
    /// The window with notes.
    Notes,
    /// The codes of the class.
    Codes,
    /// Full screen, and back.
    Full,
    /// The next language of the page.
    Language,
    /// The list of keys.
    Help,
    /// Out of it.
    Leave,
}

impl Do {
    /// Each by the name that buttons of the second window carry.
    const NAMES: [(&'static str, Self); 12] = [
        ("next", Self::Next),
        ("back", Self::Back),
        ("first", Self::First),
        ("last", Self::Last),
        ("play", Self::Play),
        ("black", Self::Black),
        ("notes", Self::Notes),
        ("codes", Self::Codes),
        ("full", Self::Full),
        ("language", Self::Language),
        ("help", Self::Help),
        ("leave", Self::Leave),
    ];

    /// The one of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(own, _)| *own == name).map(|(_, what)| *what)
    }
}

/// What a key means where somebody presents. `tag` is the element that has it: a text field keeps what is
/// typed and moves in it, a button its own, and arrows move a slider or a list. Page keys are a clicker's: nothing else
/// gets them, wherever the focus was left.
#[must_use]
pub fn meaning(key: &str, tag: &str) -> Option<Do> {
    let types = tag == "TEXTAREA" || tag == "text";
    if types && !matches!(key, "PageDown" | "PageUp" | "Escape") {
        return None;
    }
    let moves = matches!(tag, "INPUT" | "SELECT");
    let presses = matches!(tag, "BUTTON" | "A" | "SUMMARY" | "SELECT" | "INPUT");
    match key {
        "PageDown" => Some(Do::Next),
        "PageUp" => Some(Do::Back),
        "ArrowRight" if !moves => Some(Do::Next),
        "ArrowLeft" if !moves => Some(Do::Back),
        " " | "Enter" if !presses => Some(Do::Next),
        "Home" if !moves => Some(Do::First),
        "End" if !moves => Some(Do::Last),
        "b" | "B" | "." => Some(Do::Black),
        "p" | "P" => Some(Do::Play),
        "n" | "N" => Some(Do::Notes),
        "c" | "C" => Some(Do::Codes),
        "f" | "F" => Some(Do::Full),
        "l" | "L" => Some(Do::Language),
        "?" => Some(Do::Help),
        "Escape" => Some(Do::Leave),
        _ => None,
    }
}

/// What a key event means, unless somebody took it or a modifier makes it the browser's.
#[must_use]
pub fn of(event: &KeyboardEvent) -> Option<Do> {
    if event.default_prevented() || event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    let mut tag = target_tag(event);
    let kind = event.target().and_then(|target| {
        js_sys::Reflect::get(&target, &"type".into()).ok().and_then(|kind| kind.as_string())
    });
    if tag == "INPUT" && matches!(kind.as_deref(), Some("text" | "search" | "number")) {
        tag = "text".to_owned();
    }
    meaning(&event.key(), &tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clicker_works_wherever_the_focus_was_left() {
        for tag in ["BODY", "H1", "BUTTON", "INPUT", "SELECT", "SUMMARY", "A"] {
            assert_eq!((meaning("PageDown", tag), meaning("PageUp", tag)), (Some(Do::Next), Some(Do::Back)));
            assert_eq!((meaning("b", tag), meaning(".", tag)), (Some(Do::Black), Some(Do::Black)));
        }
    }

    #[test]
    fn fields_and_buttons_keep_their_keys() {
        for tag in ["TEXTAREA", "text"] {
            assert_eq!((meaning("PageDown", tag), meaning("Escape", tag)), (Some(Do::Next), Some(Do::Leave)));
        }
        for key in ["b", "n", "c", " ", "Enter", "?", ".", "Home", "ArrowRight"] {
            assert_eq!((meaning(key, "TEXTAREA"), meaning(key, "text")), (None, None), "{key}");
        }
        for tag in ["INPUT", "SELECT"] {
            for key in ["ArrowRight", "ArrowLeft", "Home", "End", " ", "Enter"] {
                assert_eq!(meaning(key, tag), None, "{key}");
            }
        }
        for (key, tag) in [(" ", "BUTTON"), ("Enter", "A"), (" ", "SUMMARY")] {
            assert_eq!(meaning(key, tag), None, "{key}");
        }
        assert_eq!((meaning(" ", "BODY"), meaning("Enter", "H1")), (Some(Do::Next), Some(Do::Next)));
        assert_eq!((meaning("x", "BODY"), meaning("Tab", "BODY")), (None, None));
    }

    #[test]
    fn buttons_are_named() {
        for (name, what) in Do::NAMES {
            assert_eq!(Do::named(name), Some(what));
        }
        assert_eq!(Do::named("other"), None);
    }
}
