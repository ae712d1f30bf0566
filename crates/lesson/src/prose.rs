//! What a text looks like on a slide: paragraphs and lists, and how wide they are.

use tokenyard_lab::words::{Piece, pieces};

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Lines up to a blank one, joined.
    Paragraph(String),
    /// Lines that begin with `- `, each an item; a line without it goes on with the item before.
    Items(Vec<String>),
}

/// Takes a text apart. Lines are joined with a blank, or with nothing between two wide characters,
/// because Japanese has no blanks between words. No text: no blocks.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fresh = true;
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            fresh = true;
            continue;
        }
        match (line.strip_prefix("- "), blocks.last_mut()) {
            (Some(item), Some(Block::Items(items))) if !fresh => items.push(item.trim().to_owned()),
            (Some(item), _) => blocks.push(Block::Items(vec![item.trim().to_owned()])),
            (None, Some(Block::Items(items))) if !fresh => {
                if let Some(last) = items.last_mut() {
                    join(last, line);
                }
            }
            (None, Some(Block::Paragraph(text))) if !fresh => join(text, line),
            (None, _) => blocks.push(Block::Paragraph(line.to_owned())),
        }
        fresh = false;
    }
    blocks
}

fn join(text: &mut String, line: &str) {
    let seam = text.chars().next_back().is_some_and(wide) && line.chars().next().is_some_and(wide);
    if !seam {
        text.push(' ');
    }
    text.push_str(line);
}

/// Width of a text in columns: one for a narrow character, two for a wide one.
#[must_use]
pub fn width(text: &str) -> usize {
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

/// Whether a character takes two columns, as ideographs, kana and full-width signs do.
#[must_use]
pub fn wide(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD)
}

/// The placeholders of a text, sorted, each once: languages must agree on them.
#[must_use]
pub fn places(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for piece in pieces(text) {
        if let Piece::Place(place) = piece {
            found.push(place.trim());
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_paragraphs_and_items() {
        let items = |all: &[&str]| Block::Items(all.iter().map(|i| (*i).to_owned()).collect());
        let text = "One\ntwo.\n\n- a\n- b\n  more\n\n日本\n語です";
        let paragraph = |t: &str| Block::Paragraph(t.to_owned());
        assert_eq!(blocks(text), [paragraph("One two."), items(&["a", "b more"]), paragraph("日本語です")]);
        assert_eq!(blocks(" \n\n"), []);
        assert_eq!(blocks("- a\n\nb"), [items(&["a"]), paragraph("b")]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((width("abc"), width("日本、"), width("")), (3, 6, 0));
    }

    #[test]
    fn placeholders_are_found_and_braces_kept() {
        assert_eq!(places("{b.c} {{x} {a} {b.c} {"), ["a", "b.c"]);
        let pieces = pieces("n {{ {a}");
        assert_eq!(pieces, [Piece::Text("n "), Piece::Brace, Piece::Text(" "), Piece::Place("a")]);
    }
}
