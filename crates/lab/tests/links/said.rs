//! What a page says about a link of another model, in every language.

use std::path::Path;

use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{self, Notice, State, Verdict, promise};
use tokenyard_lab::{LabSpec, Msg, Words, catalogue};

/// The first lab as it would be two changes of results later.
fn third() -> LabSpec {
    LabSpec { model_version: 3, ..*LABS[0] }
}

fn languages() -> [(Words, [&'static str; 3]); 2] {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    let read = |language: &str| {
        let texts = catalogue::read(&locales, "common", language).unwrap();
        texts.into_iter().collect::<Words>()
    };
    [(read("en"), ["model 2", "model 3", "model 9"]), (read("ja"), ["モデル2", "モデル3", "モデル9"])]
}

/// What is said about a link of a model version with figures that come out, or do not.
fn said(version: Option<u32>, same: bool) -> (Vec<Msg>, Vec<Notice>, [Vec<String>; 2]) {
    let lab = third();
    let now = link::headline(&lab.table(&lab.defaults()));
    let mut was = now.clone();
    if !same {
        was[0] = "77.7".to_owned();
    }
    let text = link::write(&lab, &State { version, headline: Some(was.clone()), ..State::fresh(&lab) });
    let (state, notices) = link::read(&lab, &text);
    let figures = state.headline.as_deref().map(|was| (was, &now[..]));
    (promise(state.version, lab.model_version, figures), notices, [was, now])
}

fn keys(messages: &[Msg]) -> Vec<&'static str> {
    messages.iter().map(|message| message.key).collect()
}

#[test]
fn only_the_same_model_can_be_at_fault() {
    for (version, same, wanted) in [
        (Some(3), true, &["link.same"][..]),
        (Some(3), false, &["link.differs"]),
        (None, true, &["link.same"]),
        (None, false, &["link.differs"]),
        (Some(2), true, &["link.older", "link.same"]),
        (Some(2), false, &["link.older", "link.moved"]),
        (Some(9), true, &["link.same"]),
        (Some(9), false, &["link.moved"]),
    ] {
        let (messages, notices, [was, now]) = said(version, same);
        assert_eq!(keys(&messages), wanted, "{version:?} {same}");
        let newer = version.filter(|v| *v > 3).map(Notice::Newer);
        assert_eq!(notices, newer.into_iter().collect::<Vec<_>>());
        let verdict = Verdict::of(version, 3, &was, &now);
        assert_eq!(verdict == Verdict::Same, same);
        assert_eq!(verdict == Verdict::Differs, wanted.contains(&"link.differs"));
    }
    assert_eq!(keys(&promise(Some(2), 3, None)), ["link.older"], "a link without figures");
    assert_eq!(promise(Some(3), 3, None), []);
}

#[test]
fn an_older_model_is_told_with_both_numbers_and_both_figures() {
    for (words, [two, three, _]) in languages() {
        let (messages, _, [was, now]) = said(Some(2), false);
        let text = messages.iter().map(|message| words.say(message)).collect::<Vec<_>>().join(" ");
        for part in [two, three, &was[0], &now[0], &now[1]] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let fault = words.get("link.differs");
        let fault = fault.split(['{', '。', '.']).next().unwrap();
        assert!(!text.contains(fault) && fault.len() > 5, "{fault}: {text}");
    }
}

#[test]
fn what_a_newer_version_made_explains_itself() {
    for (words, [_, three, nine]) in languages() {
        let newer = words.say(&tokenyard_lab::msg("link.newer").with("n", 9_u32).with("own", 3_u32));
        assert!(newer.contains(nine) && newer.contains(three), "{newer}");
        let form = words.say(&tokenyard_lab::msg("link.newer-form").with("n", 9_u32).with("own", 3_u32));
        assert!(form.contains('9') && form.contains('3') && form != newer, "{form}");
        assert!(!newer.contains('{') && !form.contains('{'), "{newer} {form}");
    }
}
