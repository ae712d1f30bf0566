//! A sheet as Markdown.

use super::part::{Part, Room, Span};

/// Writes parts one after the other, each with a blank line after it. Figures have no place there.
pub(super) fn write(parts: &[Part]) -> String {
    let mut out = String::new();
    parts.iter().for_each(|part| one(part, &mut out));
    out
}

fn one(part: &Part, out: &mut String) {
    let text = match part {
        Part::Title(text) => format!("# {}", plain(text)),
        Part::Heading { text, aside } => format!("## {} ({})", plain(text), plain(aside)),
        Part::Paragraph(text) => at_start(&plain(text)),
        Part::Items(items) => list("- ", items.iter().map(|item| spans(item))),
        Part::Choices(choices) => list("- [ ] ", choices.iter().map(|choice| plain(choice))),
        Part::Line { label, spans: line } => {
            format!("**{}** {}", plain(label), spans(line)).trim_end().to_owned()
        }
        Part::Blank { label, room } => format!("**{}** {}", plain(label), blank(*room)),
        Part::Table { head, rows } => table(head, rows),
        Part::Figure(_) => return,
        Part::Group(_, parts) => return parts.iter().for_each(|part| one(part, out)),
    };
    out.push_str(&text);
    out.push_str("\n\n");
}

fn blank(room: Room) -> &'static str {
    match room {
        Room::Short => "______",
        // As code: dashes between underscores would be taken for something in bold.
        Room::Code => "`____-____-____`",
        Room::Lines => "________________________",
    }
}

fn list(mark: &str, items: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = items.map(|item| format!("{mark}{}", at_start(&item))).collect();
    lines.join("\n")
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| plain(cell).replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rule = format!("|{}", "---|".repeat(head.len()));
    let lines: Vec<String> = [row(head), rule].into_iter().chain(rows.iter().map(|r| row(r))).collect();
    lines.join("\n")
}

fn spans(line: &[Span]) -> String {
    line.iter()
        .map(|span| match span {
            Span::Text(text) => plain(text),
            Span::Code(code) => fenced(code),
        })
        .collect()
}

/// Between more backticks than there are in a row in it.
fn fenced(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{code}{pad}{fence}")
}

/// Words that stay words: signs that Markdown would take for its own get a backslash, but not where
/// they cannot mean anything, as an underscore inside a word.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let after = rest.peek().copied().unwrap_or(' ');
        let escaped = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '&' => after.is_ascii_alphanumeric() || after == '#',
            _ => false,
        };
        if escaped {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

/// A line that must not begin a heading, a quotation, a list or a rule.
fn at_start(text: &str) -> String {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let numbered = digits > 0 && text[digits..].starts_with(['.', ')']);
    if numbered {
        return format!("{}\\{}", &text[..digits], &text[digits..]);
    }
    let marks = text.starts_with(['#', '>', '+', '-', '=']);
    if marks { format!("\\{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words() {
        let same = ["TTFT P95", "max_spread", "a & b", "1.5 ticks later", "日本語、です。", "R&D"];
        for text in &same[..5] {
            assert_eq!(plain(text), *text);
        }
        assert_eq!(
            plain("*a* _b_ `c` <d> [e](f) \\ &lt; ~g~"),
            "\\*a\\* \\_b\\_ \\`c\\` \\<d> \\[e\\](f) \\\\ \\&lt; \\~g\\~"
        );
        for (text, written) in
            [("# a", "\\# a"), ("1. a", "1\\. a"), ("- a", "\\- a"), ("> a", "\\> a"), ("12 a", "12 a")]
        {
            assert_eq!(at_start(text), written);
        }
    }

    #[test]
    fn code_and_cells_are_closed_where_they_should_be() {
        assert_eq!(fenced("a=1"), "`a=1`");
        assert_eq!(fenced("a`b"), "``a`b``");
        assert_eq!(fenced("`a"), "`` `a ``");
        let cells = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let table = Part::Table { head: cells(&["", "a"]), rows: vec![cells(&["1", "x|y"])] };
        assert_eq!(write(&[table]), "|  | a |\n|---|---|\n| 1 | x\\|y |\n\n");
    }
}
