//! The text of a printed page, as far as browsers write it: PDF with packed streams, and fonts that
//! say which character each of their codes is.
//!
//! What is deliberately absent: encryption, text without such a table, and the places of the text on
//! the paper. Spaces are left out, since lines are broken without them.

mod object;
mod table;
mod token;

use std::collections::BTreeMap;

use crate::{Failure, Outcome};
use object::{counts, find, objects, reference, references};
use table::{Table, UNKNOWN};
use token::{Token, Tokens};

/// All texts of a PDF in the order in which they are drawn, without spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    text: Vec<char>,
    pages: u32,
}

impl Printed {
    /// Reads what a browser printed. Fails if it is no PDF.
    pub fn read(pdf: &[u8]) -> Result<Self, Failure> {
        if !pdf.starts_with(b"%PDF-") {
            return Err(format!("{} bytes that are no PDF", pdf.len()).into());
        }
        let objects = objects(pdf);
        let streams: BTreeMap<u32, Vec<u8>> =
            objects.iter().filter_map(|(number, object)| Some((*number, object.stream()?))).collect();
        // Small objects may be packed together.
        let packed =
            |number: &u32| objects.get(number).is_some_and(|one| find(one.head, b"/ObjStm").is_some());
        let packs = streams.iter().filter(|(number, _)| packed(number)).map(|(_, stream)| stream.as_slice());
        let dictionaries: Vec<&[u8]> = objects.values().map(|object| object.head).chain(packs).collect();
        // The root of the tree of pages counts all of them.
        let trees = dictionaries.iter().filter(|one| find(one, b"/Pages").is_some());
        let pages = trees.flat_map(|one| counts(one)).max().unwrap_or_default();
        // Which object a page means by the name of a font: names are given once for a whole file.
        let mut fonts = BTreeMap::new();
        for (name, number) in dictionaries.into_iter().flat_map(references) {
            let table = objects.get(&number).and_then(|font| reference(font.head, b"ToUnicode"));
            if let Some(table) = table.and_then(|table| streams.get(&table)) {
                fonts.insert(name, Table::read(table));
            }
        }
        let mut text = Vec::new();
        for stream in streams.values().filter(|stream| find(stream, b" Tf").is_some()) {
            draw(stream, &fonts, &mut text);
        }
        Ok(Self { text, pages })
    }

    /// Sheets of paper.
    #[must_use]
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// Whether these words are there, one after the other. A glyph of which the file does not tell the
    /// character stands for any one, but not more than half of them may.
    #[must_use]
    pub fn has(&self, words: &str) -> bool {
        let wanted: Vec<char> = words.chars().filter(|letter| !letter.is_whitespace()).collect();
        !wanted.is_empty()
            && self.text.windows(wanted.len()).any(|seen| {
                let unknown = seen.iter().filter(|letter| **letter == UNKNOWN).count();
                let same = |(seen, wanted): (&char, &char)| seen == wanted || *seen == UNKNOWN;
                unknown * 2 <= wanted.len() && seen.iter().zip(&wanted).all(same)
            })
    }

    /// Fails, with the text that is there, if these words are not.
    pub fn expect(&self, what: &str, words: &str) -> Outcome {
        if self.has(words) {
            return Ok(());
        }
        let text: String = self.text.iter().take(4000).collect();
        Err(format!("{what}: {words:?} is not printed: {text}").into())
    }
}

/// Reads the texts of one stream that draws.
fn draw(stream: &[u8], fonts: &BTreeMap<&[u8], Table>, text: &mut Vec<char>) {
    let (mut name, mut font) = (&b""[..], None);
    let mut shown: Vec<Vec<u8>> = Vec::new();
    for token in Tokens::of(stream) {
        match token {
            Token::Name(found) => name = found,
            Token::Bytes(bytes) => shown.push(bytes),
            Token::Word(b"Tf") => font = fonts.get(name),
            Token::Word(b"Tj" | b"TJ") => {
                if let Some(font) = font {
                    shown.drain(..).for_each(|bytes| font.letters(&bytes, text));
                }
                shown.clear();
            }
            // Distances between the pieces of one line.
            Token::Word(word) if word.iter().all(|byte| matches!(byte, b'-' | b'.' | b'0'..=b'9')) => {}
            Token::Word(_) => shown.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn packed(stream: &str) -> Vec<u8> {
        let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        writer.write_all(stream.as_bytes()).unwrap();
        writer.finish().unwrap()
    }

    /// A file with one font, whose table is `table`, and one page, on which `drawn` is drawn.
    fn printed(table: &str, drawn: &str) -> Printed {
        let mut pdf = b"%PDF-1.7\n1 0 obj\n<< /Font << /F4 2 0 R >> >>\nendobj\n".to_vec();
        pdf.extend(b"2 0 obj\n<</Type /Font /ToUnicode 3 0 R>>\nendobj\n");
        for (number, stream) in [(3, table), (14, drawn)] {
            pdf.extend(format!("{number} 0 obj\n<</Filter /FlateDecode>> stream\r\n").bytes());
            pdf.extend(packed(stream));
            pdf.extend(b"\nendstream\nendobj\n");
        }
        Printed::read(&pdf).unwrap()
    }

    const TABLE: &str =
        "1 begincodespacerange <00> <FF> endcodespacerange 3 beginbfchar <01> <0020> <66> <FB01>
        <70> <fffd> endbfchar 1 beginbfrange <41> <5A> <0061> endbfrange";

    #[test]
    fn words_are_read_through_the_font_across_lines_and_pieces() {
        let seen = printed(TABLE, "BT /F4 20 Tf [<41>-15<01>12(BC)] TJ 3 0 Td <66> Tj (D\\\n\\105\\p) Tj ET");
        assert_eq!(seen.text.iter().collect::<String>(), "abcfide\u{fffd}");
        for there in ["abc", "a bc fi", "fide", "dex"] {
            assert!(seen.has(there), "{there}");
        }
        for absent in ["", " ", "acb", "abcd", "fi dx", "x", "xyz"] {
            assert!(!seen.has(absent), "{absent:?}");
        }
        assert!(seen.expect("a page", "nowhere").unwrap_err().to_string().contains("abcfide"));
    }

    #[test]
    fn codes_may_have_two_bytes_and_fonts_may_be_unknown() {
        let table = "<0000> <FFFF> endcodespacerange 1 beginbfchar <0007> <30B9> endbfchar";
        let seen = printed(table, "BT /F4 1 Tf <0007000900> Tj /F5 1 Tf <0007> Tj ET");
        assert_eq!(seen.text, ['ス', UNKNOWN]);
    }

    #[test]
    fn what_is_no_pdf_is_told() {
        assert!(Printed::read(b"<!doctype html>").unwrap_err().to_string().contains("15 bytes"));
        assert!(Printed::read(b"%PDF-1.4\n").unwrap().text.is_empty());
    }
}
