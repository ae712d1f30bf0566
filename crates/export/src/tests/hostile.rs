//! Files that are not ours, or are meant to do harm.

use proptest::prelude::*;
use tokenyard_figure::Unread;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::State;
use tokenyard_lab::{Words, catalogue};

use super::file;
use super::states::words;
use crate::{Export, Opened, Reason, TraceForm, Unopened, read};

fn reason(bytes: &[u8]) -> Reason {
    read(bytes, None).unwrap_err().reason
}

#[test]
fn other_files_are_refused_for_what_they_are() {
    for (bytes, expected) in [
        (&b""[..], Reason::Empty),
        (b"\xef\xbb\xbf \r\n", Reason::Empty),
        (b"%PDF-1.7\n\xff\xfe", Reason::NoText),
        (b"PK\x03\x04\x14\0", Reason::NoText),
        (b"\xff\xfel\0a\0b\0s\0", Reason::NoText),
        (b"\x89PNG\r\n\x1a\n", Reason::Figure(Unread::Nothing)),
        (b"\x89PNG\r\n\x1a\n\xff", Reason::Figure(Unread::Broken)),
        (b"<?xml version=\"1.0\"?><svg/>", Reason::Figure(Unread::Nothing)),
        (b"{\"name\":\"x\",\"version\":\"1.0\"}", Reason::Json),
        (b"{\"a\"", Reason::Json),
        (b"{\"export\":1,\"link\":\"labs/herding/#\"}", Reason::Json),
        (b"{{{", Reason::Json),
        (b"[1,2]", Reason::NoLink),
        (b"variant,name,x\r\n", Reason::Numbers),
        (b"labs/nope/#seed=7 and labs/ and #lab=nope", Reason::NoLink),
        (b"<html><body>labs</body></html>", Reason::NoLink),
    ] {
        assert_eq!(reason(bytes), expected, "{}", String::from_utf8_lossy(bytes));
    }
}

/// A trace of any size is known by its first line; nothing else is looked at that is so large.
#[test]
fn large_files_are_refused_without_being_read() {
    let large = |first: &str| {
        let mut bytes = first.as_bytes().to_vec();
        bytes.resize((32 << 20) + 1, b'x');
        bytes
    };
    assert!(matches!(reason(&large("labs/herding/#seed=7 ")), Reason::Large(_)));
    assert!(matches!(reason(&large("{\"export\":")), Reason::Large(_)));
    assert!(matches!(reason(&large("<svg ")), Reason::Large(_)));
    assert_eq!(reason(&large("\u{89}")), Reason::Large((32 << 20) + 1));
    let trace = large("{\"timestamp\": 0, \"input_length\": 1}\n");
    assert_eq!(read(&trace, None).unwrap(), Opened::Trace(TraceForm::Mooncake));
    let mut text = "a ".repeat(3 << 20);
    text.push_str("labs/herding/#seed=7");
    assert!(matches!(reason(text.as_bytes()), Reason::Large(_)));
}

/// Words without an end, brackets without a partner, a link on every line.
#[test]
fn work_is_bounded_by_the_length_of_the_file() {
    for (unit, count) in
        [("#", 4 << 20), ("{", 1 << 20), ("labs/herding/#", 200_000), ("\n<!-- tokenyard ", 200_000)]
    {
        let text = unit.repeat(count);
        assert!(read(text.as_bytes(), None).is_err(), "{unit}");
    }
    let many: String = (1..100_000).map(|seed| format!("labs/herding/#seed={seed}\n")).collect();
    assert_eq!(reason(many.as_bytes()), Reason::Several);
}

#[test]
fn every_reason_has_its_words_and_names_the_file() {
    let locales = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    for language in ["en", "ja"] {
        let words: Words = catalogue::read(&locales, "common", language).unwrap().into_iter().collect();
        for reason in [
            Reason::Empty,
            Reason::NoText,
            Reason::Figure(Unread::Nothing),
            Reason::Export(Unread::Newer(2)),
            Reason::Export(Unread::Broken),
            Reason::Numbers,
            Reason::Json,
            Reason::NoLink,
            Reason::Several,
            Reason::Large(1),
        ] {
            let said = words.say(&Unopened { name: "a.txt".to_owned(), reason: reason.clone() }.say());
            let what = words.say(&reason.say());
            assert!(
                said.starts_with("a.txt") && said.contains(&what) && what.contains(' ') | (language == "ja"),
                "{said}"
            );
            assert!(!said.contains('{') && !said.contains("unopened."), "{said}");
            let nameless = words.say(&Unopened { name: String::new(), reason }.say());
            assert!(nameless.starts_with(words.get("unopened.this")), "{nameless}");
        }
    }
}

#[test]
fn a_name_in_a_message_is_short_and_plain() {
    let name = format!("a\n\u{202e}{}", "x".repeat(500));
    let refused = read(b"", Some(&name)).unwrap_err();
    assert!(refused.name.starts_with("ax") && refused.name.chars().count() == 61, "{}", refused.name);
}

proptest! {
    #[test]
    fn any_bytes_are_no_panic(
        head in prop_oneof![
            Just("\u{89}PNG\r\n\u{1a}\n"), Just("<svg><metadata>urn:tokenyard:state"), Just("{\"tokenyard\":\"1\",\"export\":1,\"link\":\""),
            Just("<!-- tokenyard 1; "), Just("variant,name,"), Just("{\"seed\":"), Just("labs/herding/#"), Just(""),
        ],
        rest in proptest::collection::vec(any::<u8>(), 0..300),
        text in "[\\PC\"{}\\[\\]\\\\:,#&=/ ]{0,80}",
        name in proptest::option::of("(tokenyard-herding-table)?[+=(). a-z0-9]{0,12}(\\.csv)?"),
    ) {
        let _ = read(&[head.as_bytes(), &rest].concat(), name.as_deref());
        let _ = read(&[head, &text].concat().into_bytes(), name.as_deref());
    }

    #[test]
    fn a_file_that_is_cut_off_is_no_panic_and_no_other_state(cut in 0.0..1.0_f64, which in 0..Export::ALL.len()) {
        let lab = LABS[2];
        let state = State { step: Some(27), ..State::fresh(lab) };
        let text = file(Export::ALL[which], lab, &state, &words(lab, "ja"));
        let bytes = text.as_bytes();
        let part = &bytes[..(bytes.len() as f64 * cut) as usize];
        if let Ok(Opened::Lab(carried)) = read(part, None) {
            // A link that was cut short is a link all the same.
            prop_assert!(carried.lab() == lab.id && "step=28".starts_with(&carried.fragment()[..carried.fragment().len().min(7)]));
        }
    }
}
