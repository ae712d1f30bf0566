//! Files that nobody of ours made.

use proptest::prelude::*;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{MAX_CHARS, State};

use super::carries::picture;
use super::states::words;
use crate::carried::LONGEST;
use crate::{Carried, MAX_BYTES, Theme, Unread, read_link, sign_png, svg};

fn carried() -> Carried {
    Carried::of(LABS[0], &State::fresh(LABS[0]))
}

fn drawn() -> String {
    svg(LABS[0], &State::fresh(LABS[0]), &words(LABS[0], "en"), Theme::Light, None).unwrap()
}

#[test]
fn what_is_no_picture_is_refused_as_such() {
    for bytes in [&b""[..], b"\x89PN", b"GIF89a", b"<html></html>", b"\xff\xd8\xff", &[0; 100]] {
        assert_eq!(read_link(bytes), Err(Unread::Kind));
        assert_eq!(sign_png(bytes, &carried()), Err(Unread::Kind));
    }
    assert_eq!(read_link(b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), Err(Unread::Nothing));
    assert_eq!(read_link(&picture().1), Err(Unread::Nothing));
    let large = vec![b' '; MAX_BYTES + 1];
    assert_eq!(read_link(&large), Err(Unread::TooLarge(MAX_BYTES + 1)));
    assert_eq!(sign_png(&large, &carried()), Err(Unread::TooLarge(MAX_BYTES + 1)));
}

#[test]
fn a_cut_picture_gives_its_state_or_a_reason() {
    let png = sign_png(&picture().1, &carried()).unwrap();
    // Signature, header chunk, our chunk.
    let whole = 8 + 25 + 12 + "tokenyard".len() + 1 + carried().line().len();
    for end in 0..png.len() {
        let read = read_link(&png[..end]);
        assert_eq!(read.is_ok(), end >= whole, "{end}: {read:?}");
        assert_eq!(
            sign_png(&png[..end], &carried()),
            Err(if end < 8 { Unread::Kind } else { Unread::Broken }),
            "{end}"
        );
    }
    let svg = drawn();
    let whole = svg.find("</metadata").unwrap() + "</metadata".len();
    for end in (0..svg.len()).filter(|end| svg.is_char_boundary(*end)).take(whole + 200) {
        assert_eq!(read_link(&svg.as_bytes()[..end]).is_ok(), end >= whole, "{end}");
    }
}

#[test]
fn a_changed_byte_in_a_chunk_is_seen() {
    let png = sign_png(&picture().1, &carried()).unwrap();
    let (start, end) = (8 + 25, 8 + 25 + 12 + "tokenyard".len() + 1 + carried().line().len());
    for at in start..end {
        for bit in 0..8 {
            let mut other = png.clone();
            other[at] ^= 1 << bit;
            let read = read_link(&other);
            assert!(matches!(read, Err(Unread::Broken | Unread::Nothing)), "{at}, {bit}: {read:?}");
        }
    }
}

#[test]
fn newer_and_impossible_lines_are_refused() {
    let line = carried().line();
    assert_eq!(Carried::read(&line), Ok(carried()));
    assert_eq!(Carried::read(&line.replacen('1', "2", 1)), Err(Unread::Newer(2)));
    let long = format!("tokenyard 1; product 1; labs/x/#{}", "a".repeat(MAX_CHARS + 1));
    let longer = format!("tokenyard 1; product 1; labs/x/#{}", "a".repeat(LONGEST));
    for bad in [
        "",
        "tokenyard",
        "tokenyard 1",
        "tokenyard 0; product 1; labs/x/#",
        "tokenyard +1; product 1; labs/x/#",
        "tokenyard 99999999999; product 1; labs/x/#",
        "tokenyard 1; product ; labs/x/#",
        "tokenyard 1; product 1; labs//#",
        "tokenyard 1; product 1; labs/../../x/#",
        "tokenyard 1; product 1; https://example.org/labs/x/#",
        "tokenyard 1; product 1; labs/x/#a b",
        "tokenyard 1; product 1; labs/x/#é",
        "tokenyard 1; product 1; labs/x/",
        &long,
        &longer,
    ] {
        assert_eq!(Carried::read(bad), Err(Unread::Broken), "{bad}");
    }
}

/// A chunk of a kind with any length written before it.
fn chunk(length: u32, kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    [&length.to_be_bytes(), kind.as_slice(), data, b"\0\0\0\0"].concat()
}

#[test]
fn lengths_that_lie_are_no_panic() {
    for length in [0, 1, 1000, u32::MAX - 12, u32::MAX] {
        for (kind, data) in
            [(b"tEXt", &b"tokenyard\0tokenyard 1"[..]), (b"iTXt", b"tokenyard\0\0\0"), (b"IHDR", b"")]
        {
            let bytes = [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(length, kind, data)].concat();
            assert!(read_link(&bytes).is_err() && sign_png(&bytes, &carried()).is_err(), "{length}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_no_panic(
        head in prop_oneof![Just(&b"\x89PNG\r\n\x1a\n"[..]), Just(&b"<svg><metadata>urn:tokenyard:state"[..]), Just(&b""[..])],
        rest in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let bytes = [head, &rest].concat();
        prop_assert!(read_link(&bytes).is_err());
        let _ = sign_png(&bytes, &carried());
    }
}

#[test]
fn every_reason_has_its_words() {
    for language in ["en", "ja"] {
        let words = words(LABS[0], language);
        let reasons = [Unread::Kind, Unread::Nothing, Unread::Broken, Unread::Newer(2), Unread::TooLarge(1)];
        for reason in reasons {
            assert!(words.has(reason.say().key) && !reason.to_string().is_empty(), "{reason:?}");
        }
    }
}
