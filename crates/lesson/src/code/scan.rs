//! Finding codes in pasted text, among names, greetings and line numbers.

use super::{Code, SYMBOLS, Slip};

/// Longest text that is looked at, in bytes.
pub const MAX_TEXT: usize = 256 * 1024;

/// Something that looks like a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// As it stands in the text, with narrow signs.
    pub text: String,
    /// The code, or what is wrong with it.
    pub code: Result<Code, Slip>,
}

/// A sign in its narrow form, dashes of all kinds as `-`.
pub(super) fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{30FC}' | '\u{FF0D}' | '\u{FF70}' => '-',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    }
}

/// Everything in a text that looks like a code, in its order. Groups may stand apart. Words do not look
/// like codes: a code has a digit, no small letter, or stands in three groups of four with dashes. Text past [`MAX_TEXT`] is not looked at.
#[must_use]
pub fn scan(text: &str) -> Vec<Found> {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let narrow: String = text[..end].chars().map(plain).collect();
    let tokens: Vec<&str> = narrow
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .map(|token| token.trim_matches('-'))
        .filter(|token| !token.is_empty())
        .collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let taken = one(tokens[at]).map(|found| (found, 1)).or_else(|| apart(&tokens[at..]));
        at += taken.as_ref().map_or(1, |(_, tokens)| *tokens);
        found.extend(taken.map(|(found, _)| found));
    }
    found
}

fn signs(token: &str) -> usize {
    token.bytes().filter(|b| *b != b'-').count()
}

fn looks(token: &str) -> bool {
    token.bytes().any(|b| b.is_ascii_digit()) || !token.bytes().any(|b| b.is_ascii_lowercase())
}

/// A code in one piece. With a sign too few or too many it needs its dashes to be known as one.
fn one(token: &str) -> Option<Found> {
    let groups = token.split('-').count();
    let (n, dashed) = (signs(token), groups == SYMBOLS / super::GROUP);
    let grouped = dashed && token.split('-').all(|g| g.len() == super::GROUP);
    let code = Code::read(token);
    let close = dashed
        && (SYMBOLS - 2..=SYMBOLS + 2).contains(&n)
        && token.split('-').all(|g| (2..=6).contains(&g.len()));
    let shown = match code {
        Ok(_) => dashed || looks(token),
        Err(_) => grouped || looks(token) && (n == SYMBOLS || close),
    };
    shown.then(|| Found { text: token.to_owned(), code })
}

/// A code whose groups stand apart: as many tokens as make twelve signs.
fn apart(tokens: &[&str]) -> Option<(Found, usize)> {
    let mut joined = String::new();
    for (i, token) in tokens.iter().take(SYMBOLS / super::GROUP).enumerate() {
        let whole = token.split('-').all(|group| group.len() == super::GROUP);
        if !whole || !looks(token) {
            return None;
        }
        joined = if i == 0 { (*token).to_owned() } else { format!("{joined}-{token}") };
        if signs(&joined) >= SYMBOLS {
            // Numbers of four digits are common; only what is sound or has letters was meant.
            let code = Code::read(&joined);
            let meant = code.is_ok() || !joined.bytes().all(|b| b.is_ascii_digit() || b == b'-');
            return (signs(&joined) == SYMBOLS && meant && (code.is_ok() || i == 2))
                .then_some((Found { text: joined, code }, i + 1));
        }
    }
    None
}
