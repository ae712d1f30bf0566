//! Rows and columns, as aligned text or as RFC 4180.

/// One field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    /// What is printed.
    pub(crate) text: String,
    /// Numbers are aligned to the right.
    pub(crate) number: bool,
}

impl Cell {
    /// A field aligned to the left.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), number: false }
    }
}

/// A rectangle of fields under headings.
#[derive(Debug)]
pub(crate) struct Grid {
    /// Headings.
    pub(crate) head: Vec<String>,
    /// Rows, each as wide as the headings.
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Grid {
    /// Columns aligned with two spaces between them, without trailing spaces.
    pub(crate) fn aligned(&self) -> String {
        let width = |i: usize| {
            let cells = self.rows.iter().map(|row| row[i].text.chars().count());
            cells.chain([self.head[i].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let right = |i: usize| self.rows.iter().any(|row| row[i].number);
        let right: Vec<bool> = (0..self.head.len()).map(right).collect();
        let line = |texts: &mut dyn Iterator<Item = &str>| {
            let padded: Vec<String> = texts
                .enumerate()
                .map(|(i, text)| match right[i] {
                    true => format!("{text:>0$}", widths[i]),
                    false => format!("{text:<0$}", widths[i]),
                })
                .collect();
            format!("{}\n", padded.join("  ").trim_end())
        };
        let mut out = line(&mut self.head.iter().map(String::as_str));
        for row in &self.rows {
            out.push_str(&line(&mut row.iter().map(|cell| cell.text.as_str())));
        }
        out
    }

    /// RFC 4180: a heading line, fields quoted where they must be, CRLF after every line.
    pub(crate) fn csv(&self) -> String {
        let line = |texts: &mut dyn Iterator<Item = &str>| {
            let fields: Vec<String> = texts.map(quoted).collect();
            format!("{}\r\n", fields.join(","))
        };
        let mut out = line(&mut self.head.iter().map(String::as_str));
        for row in &self.rows {
            out.push_str(&line(&mut row.iter().map(|cell| cell.text.as_str())));
        }
        out
    }
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let number = |text: &str| Cell { text: text.to_owned(), number: true };
        Grid {
            head: vec!["rule".to_owned(), "n".to_owned()],
            rows: vec![vec![Cell::text("a \"b\", c"), number("12")], vec![Cell::text("d"), number("3")]],
        }
    }

    #[test]
    fn numbers_are_aligned_to_the_right() {
        assert_eq!(grid().aligned(), "rule       n\na \"b\", c  12\nd          3\n");
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(grid().csv(), "rule,n\r\n\"a \"\"b\"\", c\",12\r\nd,3\r\n");
    }
}
