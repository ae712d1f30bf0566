//! A small JSON reader that keeps what a scenario needs: duplicate keys, positions, exact numbers.
//!
//! `serde_json` drops duplicate keys and rounds some decimal fractions to a neighbour, so a written
//! scenario would not always read back equal.

use super::problem::{Problem, shorten};

/// Longest scenario file in bytes.
pub const MOST_BYTES: usize = 4 << 20;
/// Deepest nesting of lists and objects.
pub const MOST_DEPTH: usize = 16;

/// One JSON value. Numbers keep their text, objects their order and their duplicates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The value as a message shows it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(on) => on.to_string(),
            Self::Number(text) => shorten(text),
            Self::Text(text) => format!("\"{}\"", shorten(text)),
            Self::List(_) => "a list".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        }
    }
}

/// Reads a whole document.
///
/// # Errors
/// Where the text stops being JSON, by line and column, and what could stand there.
pub(super) fn parse(bytes: &[u8]) -> Result<Node, Problem> {
    if bytes.len() > MOST_BYTES {
        let given = format!("{} bytes long", bytes.len());
        return Err(Problem::new("the file", given, format!("at most {MOST_BYTES} bytes")));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let given = format!("not text at byte {}", e.valid_up_to());
        Problem::new("the file", given, "UTF-8".to_owned())
    })?;
    let mut reader = Reader { text, at: 0 };
    let node = reader.value(0)?;
    reader.space();
    if reader.at < text.len() { Err(reader.wrong("the end of the file")) } else { Ok(node) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// What is wrong at the place reached.
    fn wrong(&self, allowed: &str) -> Problem {
        let before = &self.text.as_bytes()[..self.at];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
        let column = self.text.get(start..self.at).map_or(0, |s| s.chars().count()) + 1;
        let given = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("{c:?}"),
            None => "the end of the file".to_owned(),
        };
        Problem::new(&format!("line {line}, column {column}"), given, allowed.to_owned())
    }

    fn value(&mut self, depth: usize) -> Result<Node, Problem> {
        self.space();
        match self.peek() {
            Some(b'{' | b'[') if depth >= MOST_DEPTH => {
                Err(self.wrong(&format!("nesting of at most {MOST_DEPTH} levels")))
            }
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Node::Text(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Node, Problem> {
        let words = [("null", Node::Null), ("true", Node::Bool(true)), ("false", Node::Bool(false))];
        for (word, node) in words {
            if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
                self.at += word.len();
                return Ok(node);
            }
        }
        Err(self.wrong("a JSON value"))
    }

    fn object(&mut self, depth: usize) -> Result<Node, Problem> {
        self.at += 1;
        let mut pairs = Vec::new();
        self.space();
        if self.eat(b'}') {
            return Ok(Node::Object(pairs));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a field name in quotes"));
            }
            let key = self.string()?;
            self.space();
            if !self.eat(b':') {
                return Err(self.wrong("a colon"));
            }
            pairs.push((key, self.value(depth + 1)?));
            self.space();
            if self.eat(b'}') {
                return Ok(Node::Object(pairs));
            }
            if !self.eat(b',') {
                return Err(self.wrong("a comma or }"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Node, Problem> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.eat(b']') {
            return Ok(Node::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.eat(b']') {
                return Ok(Node::List(items));
            }
            if !self.eat(b',') {
                return Err(self.wrong("a comma or ]"));
            }
        }
    }

    fn digits(&mut self) -> Result<(), Problem> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.wrong("a digit"));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Node, Problem> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        Ok(Node::Number(self.text.get(start..self.at).unwrap_or_default().to_owned()))
    }

    fn string(&mut self) -> Result<String, Problem> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(c) = rest.chars().next() else { return Err(self.wrong("the end of the text")) };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                c if c < ' ' => return Err(self.wrong("text without control characters")),
                c => {
                    self.at += c.len_utf8();
                    out.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Problem> {
        let c = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.wrong("an escape of JSON")),
        };
        self.at += 1;
        Ok(c)
    }

    /// `\uXXXX`, or two of them for a character outside the basic plane.
    fn unicode(&mut self) -> Result<char, Problem> {
        let first = self.four()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or_else(|| self.wrong("a whole character"));
        }
        if !self.eat(b'\\') || self.peek() != Some(b'u') {
            return Err(self.wrong("the second half of a character"));
        }
        let second = self.four()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(self.wrong("the second half of a character"));
        }
        let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        char::from_u32(code).ok_or_else(|| self.wrong("a whole character"))
    }

    fn four(&mut self) -> Result<u32, Problem> {
        self.at += 1;
        let hex = self.text.get(self.at..self.at + 4).filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = hex.and_then(|h| u32::from_str_radix(h, 16).ok());
        let code = code.ok_or_else(|| self.wrong("four hexadecimal digits"))?;
        self.at += 4;
        Ok(code)
    }
}
