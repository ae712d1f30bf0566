//! Text in Markdown (CommonMark with tables): nothing that a text holds becomes a mark.

/// Marks that mean something wherever they stand in a line.
const MARKS: [char; 12] = ['\\', '`', '*', '_', '[', ']', '<', '>', '&', '|', '~', '$'];

/// Marks that mean something at the beginning of a line.
const FIRST: [char; 4] = ['#', '+', '-', '='];

/// A text on one line, which reads as it stands.
pub(crate) fn plain(text: &str) -> String {
    let text = text.trim();
    let mut out = String::with_capacity(text.len() + 8);
    if text.starts_with(FIRST) {
        out.push('\\');
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    for (at, c) in text.char_indices() {
        // A number and a mark begin a list, if nothing follows the mark at once.
        let alone = || text[at + c.len_utf8()..].chars().next().is_none_or(char::is_whitespace);
        let numbered = digits > 0 && at == digits && matches!(c, '.' | ')') && alone();
        if MARKS.contains(&c) || numbered {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// A row of a table; cells are plain already.
pub(crate) fn row(cells: impl Iterator<Item = String>, out: &mut String) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(&cell);
        out.push_str(" |");
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_texts() {
        for (text, written) in [
            ("a*b_c|d", "a\\*b\\_c\\|d"),
            ("# 1", "\\# 1"),
            ("- x", "\\- x"),
            ("12. x 3.5", "12\\. x 3.5"),
            ("7) x", "7\\) x"),
            ("3.5 of 4", "3.5 of 4"),
            ("8.", "8\\."),
            (" <b>&amp;\n負荷 ", "\\<b\\>\\&amp; 負荷"),
            ("", ""),
        ] {
            assert_eq!(plain(text), written, "{text}");
        }
    }
}
