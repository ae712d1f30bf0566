//! RFC 4180: a heading line, fields quoted where they must be, CRLF after every line.
//!
//! No byte order mark and no comment lines: both break readers. A text that a spreadsheet would take
//! for a formula gets an apostrophe before it, because a name may have been typed by anybody; numbers
//! are left alone, or a minus would make texts of them.

use std::fmt::Write as _;

/// First characters of a formula, in narrow and in wide letters, and what hides one.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A table in the making.
#[derive(Debug, Default)]
pub(crate) struct Csv {
    out: String,
    /// Whether a field of the line is there already.
    begun: bool,
}

impl Csv {
    fn next(&mut self) {
        if self.begun {
            self.out.push(',');
        }
        self.begun = true;
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.next();
        let guard = if text.starts_with(FORMULA) { "'" } else { "" };
        if text.contains([',', '"', '\r', '\n']) {
            let _ = write!(self.out, "\"{guard}{}\"", text.replace('"', "\"\""));
        } else {
            let _ = write!(self.out, "{guard}{text}");
        }
    }

    /// Adds a number with all its digits; what is no number is empty.
    pub(crate) fn number(&mut self, number: f64) {
        self.next();
        if number.is_finite() {
            let _ = write!(self.out, "{number}");
        }
    }

    /// Ends a line.
    pub(crate) fn end(&mut self) {
        self.out.push_str("\r\n");
        self.begun = false;
    }

    /// The whole text.
    pub(crate) fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(texts: &[&str]) -> String {
        let mut csv = Csv::default();
        texts.iter().for_each(|text| csv.text(text));
        csv.end();
        csv.finish()
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(line(&["a", "b, c", "d \"e\"", "", "f\ng"]), "a,\"b, c\",\"d \"\"e\"\"\",,\"f\ng\"\r\n");
    }

    #[test]
    fn formulas_become_texts_and_numbers_stay_numbers() {
        assert_eq!(line(&["=1+1", "-x", "@a,b", "＝1", "a=b"]), "'=1+1,'-x,\"'@a,b\",'＝1,a=b\r\n");
        let mut csv = Csv::default();
        [-0.5, 1e21, 0.1 + 0.2, f64::NAN, f64::INFINITY, 7.0].iter().for_each(|v| csv.number(*v));
        csv.end();
        assert_eq!(csv.finish(), "-0.5,1000000000000000000000,0.30000000000000004,,,7\r\n");
    }
}
