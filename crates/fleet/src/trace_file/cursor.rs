//! A reader of one flat JSON object: names, numbers and lists of numbers, nothing else.

use super::lines::{shown, wrong};
use crate::scenario::Problem;

/// A place in a line.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: u64, bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line }
    }

    fn peek(&mut self) -> Option<u8> {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    /// Whether a byte comes next, after blanks; it is passed then.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// What stands here instead of what may.
    pub(super) fn wrong(&mut self, field: &str, allowed: &str) -> Problem {
        let given = match self.peek() {
            Some(_) => shown(&self.bytes[self.at..]),
            None => "the end of the line".to_owned(),
        };
        wrong(self.line, field, given, allowed)
    }

    /// A byte that must come.
    pub(super) fn expect(&mut self, byte: u8, field: &str, allowed: &str) -> Result<(), Problem> {
        if self.eat(byte) { Ok(()) } else { Err(self.wrong(field, allowed)) }
    }

    /// A field's name and its colon. Names with escapes are none that anybody knows.
    pub(super) fn name(&mut self) -> Result<&'a [u8], Problem> {
        self.expect(b'"', "the line", "a field name in quotes")?;
        let rest = &self.bytes[self.at..];
        let Some(end) = rest.iter().position(|b| *b == b'"') else {
            return Err(self.wrong("the line", "a field name in quotes"));
        };
        self.at += end + 1;
        self.expect(b':', "the line", "a colon")?;
        Ok(&rest[..end])
    }

    /// The text of a number as JSON writes it.
    pub(super) fn number(&mut self, field: &str, allowed: &str) -> Result<&'a str, Problem> {
        self.peek();
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|b| !matches!(b, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
        let text = std::str::from_utf8(&rest[..end.unwrap_or(rest.len())]).unwrap_or_default();
        if !is_number(text) {
            return Err(self.wrong(field, allowed));
        }
        self.at += text.len();
        Ok(text)
    }

    /// Nothing may follow.
    pub(super) fn end(&mut self) -> Result<(), Problem> {
        if self.peek().is_some() { Err(self.wrong("the line", "the end of the line")) } else { Ok(()) }
    }
}

/// Whether text is a number of JSON: digits without a leading zero, a fraction, an exponent.
fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let exponent = exponent.map(|e| e.strip_prefix(['+', '-']).unwrap_or(e));
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn numbers_are_those_of_json() {
        for text in ["0", "-0", "10", "1.5", "1e9", "1.25E-3", "-7e+2"] {
            assert!(is_number(text) && serde_json::from_str::<f64>(text).is_ok(), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "1e", "+1", "1.2.3", "1e5e5", "--1", "1-1"] {
            assert!(!is_number(text) && serde_json::from_str::<f64>(text).is_err(), "{text}");
        }
    }
}
