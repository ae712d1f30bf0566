//! Objects of a file, and which of them name which.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::ZlibDecoder;

use super::token::{Token, Tokens};

/// One object: all of it, or the part before its stream.
pub(super) struct Object<'a> {
    pub(super) head: &'a [u8],
    packed: Option<&'a [u8]>,
}

impl Object<'_> {
    /// The unpacked stream; nothing if there is none, or if it is not packed as all others are.
    pub(super) fn stream(&self) -> Option<Vec<u8>> {
        let mut plain = Vec::new();
        // The packed form knows its own end.
        ZlibDecoder::new(self.packed?).read_to_end(&mut plain).ok()?;
        Some(plain)
    }
}

/// Every object that stands by itself, by its number.
pub(super) fn objects(pdf: &[u8]) -> BTreeMap<u32, Object<'_>> {
    const BEGIN: &[u8] = b" 0 obj";
    let mut found = BTreeMap::new();
    let mut from = 0;
    while let Some(at) = find(&pdf[from..], BEGIN).map(|at| from + at) {
        from = at + BEGIN.len();
        let digits = pdf[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let Some(number) = number(&pdf[at - digits..at]) else { continue };
        let rest = &pdf[from..];
        let end = find(rest, b"endobj").unwrap_or(rest.len());
        let object = match find(&rest[..end], b"stream") {
            Some(stream) => {
                let data = &rest[stream + b"stream".len()..];
                let line = data.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                Object { head: &rest[..stream], packed: Some(&data[line..]) }
            }
            None => Object { head: &rest[..end], packed: None },
        };
        found.insert(number, object);
    }
    found
}

/// Names of a dictionary, or of several, that name an object: `/F4 2 0 R`.
pub(super) fn references(dictionary: &[u8]) -> Vec<(&[u8], u32)> {
    let tokens: Vec<Token<'_>> = Tokens::of(dictionary).collect();
    let mut found = Vec::new();
    for four in tokens.windows(4) {
        if let [Token::Name(name), Token::Word(of), Token::Word(b"0"), Token::Word(b"R")] = four
            && let Some(number) = number(of)
        {
            found.push((*name, number));
        }
    }
    found
}

/// How many things each list of a dictionary, or of several, says that it has.
pub(super) fn counts(dictionary: &[u8]) -> Vec<u32> {
    let tokens: Vec<Token<'_>> = Tokens::of(dictionary).collect();
    let count = |two: &[Token<'_>]| match two {
        [Token::Name(b"Count"), Token::Word(digits)] => number(digits),
        _ => None,
    };
    tokens.windows(2).filter_map(count).collect()
}

/// The object that a dictionary names by this name.
pub(super) fn reference(dictionary: &[u8], name: &[u8]) -> Option<u32> {
    references(dictionary).into_iter().find(|(found, _)| *found == name).map(|(_, number)| number)
}

/// Where `part` begins for the first time.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
