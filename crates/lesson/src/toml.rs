//! The part of TOML in which lesson files are written: sections, keys with a language after a dot,
//! texts in double quotes, whole numbers and lists of texts. Written by hand because a reader of all
//! of TOML is larger than the rest of this crate, and would not know a field from a step.

use tokenyard_lab::{Msg, msg};

use crate::fault::{Faults, Line};

/// Longest file that is read, in bytes.
pub const MAX_BYTES: usize = 128 * 1024;

/// Most texts in a list.
const MAX_ITEMS: usize = 64;

/// A value with the type it was written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// In quotes; outer blanks removed.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A list of texts.
    List(Vec<String>),
}

/// `key = value` or `key.language = value`.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) line: Line,
    pub(crate) key: String,
    pub(crate) language: Option<String>,
    pub(crate) value: Value,
}

/// A section with what stands under it; the first has no name.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) line: Line,
    /// As written, brackets included: `[[step]]`.
    pub(crate) header: String,
    pub(crate) entries: Vec<Entry>,
}

/// Reads sections. A line that cannot be understood is a fault and is left out; text after it is read
/// on. Cost: one pass.
pub(crate) fn parse(text: &str, faults: &mut Faults) -> Vec<Section> {
    let mut sections = vec![Section { line: Line(1), header: String::new(), entries: Vec::new() }];
    if text.len() > MAX_BYTES {
        faults.add(Line(1), "", "", msg("fault.file").with("n", text.len()).with("most", MAX_BYTES));
        return sections;
    }
    let mut cursor = Cursor { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1 };
    while !cursor.rest.is_empty() {
        cursor.blanks();
        let line = Line(cursor.line);
        match cursor.rest.chars().next() {
            None => break,
            Some('\n' | '\r' | '#') => {
                cursor.line_end();
            }
            Some('[') => match cursor.header() {
                Ok(header) => sections.push(Section { line, header, entries: Vec::new() }),
                Err(why) => cursor.fail(line, why, faults),
            },
            Some(_) => match cursor.entry() {
                Ok(entry) => {
                    if let Some(section) = sections.last_mut() {
                        section.entries.push(entry);
                    }
                }
                Err(why) => cursor.fail(line, why, faults),
            },
        }
    }
    sections
}

struct Cursor<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Cursor<'a> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// The present line without its end.
    fn here(&self) -> &'a str {
        self.rest.lines().next().unwrap_or_default()
    }

    /// Goes to the next line, and gives what was left of this one.
    fn line_end(&mut self) -> &'a str {
        let (left, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += 1;
        left
    }

    /// Names the line at which something went wrong and leaves the rest of the present one out.
    fn fail(&mut self, line: Line, why: Msg, faults: &mut Faults) {
        let left = self.line_end();
        faults.add(line, "", left.trim(), why);
    }

    /// Nothing but a comment may follow a value or a header.
    fn alone(&mut self) -> Result<(), Msg> {
        self.blanks();
        let left = self.here();
        if left.is_empty() || left.starts_with('#') {
            self.line_end();
            return Ok(());
        }
        Err(msg("fault.after"))
    }

    fn header(&mut self) -> Result<String, Msg> {
        let here = self.here();
        let end = here.rfind(']').filter(|end| !here[..*end].contains('#'));
        let end = end.ok_or_else(|| msg("fault.line"))? + 1;
        let header: String = here[..end].chars().filter(|c| !c.is_whitespace()).collect();
        self.rest = &self.rest[end..];
        self.alone()?;
        Ok(header)
    }

    fn entry(&mut self) -> Result<Entry, Msg> {
        let line = Line(self.line);
        let (name, _) = self.here().split_once('=').ok_or_else(|| msg("fault.line"))?;
        let (key, language) = match name.trim().split_once('.') {
            Some((key, language)) => (key.trim(), Some(language.trim())),
            None => (name.trim(), None),
        };
        let plain = |word: &str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        };
        if !plain(key) || !language.is_none_or(plain) {
            return Err(msg("fault.line"));
        }
        self.rest = &self.rest[name.len() + 1..];
        self.blanks();
        let value = self.value()?;
        self.alone()?;
        Ok(Entry { line, key: key.to_owned(), language: language.map(str::to_owned), value })
    }

    fn value(&mut self) -> Result<Value, Msg> {
        if self.rest.starts_with('[') {
            return self.list();
        }
        if self.rest.starts_with('"') {
            return Ok(Value::Text(self.text()?));
        }
        let here = self.here();
        let end = here.find([' ', '\t', '#']).unwrap_or(here.len());
        let number = here[..end].parse().map_err(|_| msg("fault.value"))?;
        self.rest = &self.rest[end..];
        Ok(Value::Number(number))
    }

    fn list(&mut self) -> Result<Value, Msg> {
        let mut items = Vec::new();
        self.rest = &self.rest[1..];
        let mut expected = true;
        loop {
            self.blanks();
            match self.rest.chars().next() {
                None => return Err(msg("fault.open")),
                Some('\n' | '\r' | '#') => {
                    self.line_end();
                }
                Some(']') => {
                    self.rest = &self.rest[1..];
                    return Ok(Value::List(items));
                }
                Some(',') if !expected => {
                    self.rest = &self.rest[1..];
                    expected = true;
                }
                Some('"') if expected && items.len() < MAX_ITEMS => {
                    items.push(self.text()?);
                    expected = false;
                }
                Some(_) => return Err(msg("fault.value")),
            }
        }
    }

    /// A text in one or in three quotes. What is wrong in a long one is told when it is over: its other lines
    /// are no lines of the lesson.
    fn text(&mut self) -> Result<String, Msg> {
        let long = self.rest.starts_with("\"\"\"");
        self.rest = &self.rest[if long { 3 } else { 1 }..];
        let (mut out, mut wrong) = (String::new(), None);
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if !long || self.rest[at..].starts_with("\"\"\"") => {
                    if long || wrong.is_none() {
                        self.rest = &self.rest[at + if long { 3 } else { 1 }..];
                    }
                    return wrong.map_or_else(|| Ok(out.trim().to_owned()), Err);
                }
                '\n' if !long => break,
                '\n' => {
                    self.line += 1;
                    out.push('\n');
                }
                '\r' if self.rest[at + 1..].starts_with('\n') => {}
                '\\' => match self.rest[at + 1..].chars().next() {
                    Some(known @ ('"' | '\\' | 'n')) => {
                        out.push(if known == 'n' { '\n' } else { known });
                        chars.next();
                    }
                    _ => wrong = wrong.or_else(|| Some(msg("fault.escape"))),
                },
                c if c.is_control() => wrong = wrong.or_else(|| Some(msg("fault.control"))),
                c => out.push(c),
            }
        }
        if long {
            self.rest = "";
        }
        Err(msg("fault.open"))
    }
}
