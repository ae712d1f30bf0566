//! Lines of a file, each of bounded length.

use std::io::{BufRead, Read as _};

use crate::scenario::Problem;

/// Longest line in bytes.
pub const MOST_LINE: usize = 1 << 20;

/// Reads line by line; memory is that of the longest line, whatever the file.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    /// Whether the line is still to be handed out, because it was only looked at.
    peeked: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0, peeked: false }
    }

    /// The next line that is not blank, without white space around it, and its number from 1.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, Problem> {
        let is_there = std::mem::take(&mut self.peeked) || self.advance()?;
        Ok(is_there.then(|| (self.number, self.line.trim_ascii())))
    }

    /// The same line that [`Self::next`] will give.
    pub(super) fn peek(&mut self) -> Result<Option<&[u8]>, Problem> {
        self.peeked = self.peeked || self.advance()?;
        Ok(self.peeked.then(|| self.line.trim_ascii()))
    }

    /// Reads up to the next line that is not blank; `false` at the end of the file.
    fn advance(&mut self) -> Result<bool, Problem> {
        loop {
            self.line.clear();
            let mut bounded = (&mut self.input).take(MOST_LINE as u64 + 1);
            let read = bounded.read_until(b'\n', &mut self.line);
            let read =
                read.map_err(|e| Problem::new("the file", e.to_string(), "a file that can be read"))?;
            if read == 0 {
                return Ok(false);
            }
            self.number += 1;
            if read > MOST_LINE {
                let given = format!("longer than {MOST_LINE} bytes");
                let allowed = format!("at most {MOST_LINE} bytes");
                return Err(Problem::new(&format!("line {}", self.number), given, allowed));
            }
            if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
                self.line.drain(..3);
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }
}

/// A field of a line that holds what it may not.
pub(super) fn wrong(line: u64, field: &str, given: impl Into<String>, allowed: impl Into<String>) -> Problem {
    Problem::new(&format!("line {line}, {field}"), given, allowed)
}

/// Bytes of a file as a message shows them.
pub(super) fn shown(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(200)];
    format!("{:?}", crate::scenario::shorten(&String::from_utf8_lossy(start)))
}
