//! JSON that a person can read: one line for each field, not for each number.

use std::fmt::Write as _;

/// A value. Objects keep their order.
#[derive(Debug)]
pub(crate) enum Json {
    Null,
    Switch(bool),
    Int(i64),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn list(items: impl Iterator<Item = Json>) -> Self {
        Self::List(items.collect())
    }

    /// A number with all its digits; what is no number is `null`.
    pub(crate) fn number(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Null }
    }

    /// The document with its final line end.
    pub(crate) fn document(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out.push('\n');
        out
    }

    fn write(&self, level: usize, out: &mut String) {
        let _ = match self {
            Self::Null => out.write_str("null"),
            Self::Switch(on) => write!(out, "{on}"),
            Self::Int(v) => write!(out, "{v}"),
            Self::Number(v) => write!(out, "{v}"),
            Self::Text(text) => {
                quote(text, out);
                Ok(())
            }
            Self::List(items) => {
                block(out, level, ['[', ']'], items, self.opens(), |item, out| item.write(level + 1, out));
                Ok(())
            }
            Self::Object(fields) => {
                block(out, level, ['{', '}'], fields, self.opens(), |(key, value), out| {
                    quote(key, out);
                    out.push_str(": ");
                    value.write(level + 1, out);
                });
                Ok(())
            }
        };
    }

    /// Whether each part has a line of its own: parts that have parts with names, or lists of lists.
    fn opens(&self) -> bool {
        match self {
            Self::List(items) => items.iter().any(|item| matches!(item, Self::Object(_))),
            Self::Object(fields) => fields.iter().any(|(_, v)| matches!(v, Self::Object(_) | Self::List(_))),
            _ => false,
        }
    }
}

fn block<T>(
    out: &mut String,
    level: usize,
    ends: [char; 2],
    items: &[T],
    open: bool,
    each: impl Fn(&T, &mut String),
) {
    out.push(ends[0]);
    for (i, item) in items.iter().enumerate() {
        let between = if i == 0 { "" } else { "," };
        out.push_str(between);
        if open {
            out.push('\n');
            (0..=level).for_each(|_| out.push_str("  "));
        } else if i > 0 {
            out.push(' ');
        }
        each(item, out);
    }
    if open && !items.is_empty() {
        out.push('\n');
        (0..level).for_each(|_| out.push_str("  "));
    }
    out.push(ends[1]);
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' || c == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_with_parts_have_lines_and_numbers_do_not() {
        let point = |x: f64, y: f64| Json::List(vec![Json::number(x), Json::number(y)]);
        let value = Json::Object(vec![
            ("a", Json::Object(vec![("b", Json::Int(-1)), ("c", Json::Switch(true))])),
            ("points", Json::List(vec![point(1.0, 0.5), point(2.0, f64::NAN)])),
            ("rows", Json::List(vec![Json::Object(vec![("n", Json::Null)])])),
            ("none", Json::List(Vec::new())),
        ]);
        let text = "{\n  \"a\": {\"b\": -1, \"c\": true},\n  \"points\": [[1, 0.5], [2, null]],\n  \
                    \"rows\": [\n    {\"n\": null}\n  ],\n  \"none\": []\n}\n";
        assert_eq!(value.document(), text);
    }

    #[test]
    fn every_text_is_read_back() {
        let text: String = ('\0'..'\u{a0}').chain("負荷 \u{2028}\u{1f600}".chars()).collect();
        let written = Json::text(text.as_str()).document();
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }
}
