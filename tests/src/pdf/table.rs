//! Which characters the codes of a font are.

use std::collections::BTreeMap;

use super::token::{Token, Tokens};

/// Stands for a glyph whose character the file does not tell.
pub(super) const UNKNOWN: char = '\u{fffd}';

/// Two or three letters that a font draws as one.
const LIGATURES: [(char, &str); 5] = [('ﬀ', "ff"), ('ﬁ', "fi"), ('ﬂ', "fl"), ('ﬃ', "ffi"), ('ﬄ', "ffl")];

/// A font's own table, `/ToUnicode`.
pub(super) struct Table {
    /// Bytes of a code.
    width: usize,
    characters: BTreeMap<u32, Vec<char>>,
}

impl Table {
    /// Reads sections of codes and characters; what else is there says nothing about text.
    pub(super) fn read(text: &[u8]) -> Self {
        let mut table = Self { width: 1, characters: BTreeMap::new() };
        let mut section: Vec<Vec<u8>> = Vec::new();
        for token in Tokens::of(text) {
            let Token::Word(word) = token else {
                if let Token::Bytes(bytes) = token {
                    section.push(bytes);
                }
                continue;
            };
            match word {
                b"endcodespacerange" => table.width = section.first().map_or(1, |code| code.len().max(1)),
                b"endbfchar" => {
                    for pair in section.chunks_exact(2) {
                        table.characters.insert(code(&pair[0]), utf16(&pair[1]));
                    }
                }
                b"endbfrange" => section.chunks_exact(3).for_each(|range| table.add(range)),
                _ => {}
            }
            section.clear();
        }
        table
    }

    /// First and last code, and the character of the first.
    fn add(&mut self, range: &[Vec<u8>]) {
        let (from, to, first) = (code(&range[0]), code(&range[1]), code(&range[2]));
        for (at, code) in (from..=to).enumerate().take(1 << 16) {
            let letter = u32::try_from(at).ok().and_then(|at| char::from_u32(first + at));
            self.characters.insert(code, vec![letter.unwrap_or(UNKNOWN)]);
        }
    }

    /// Adds the letters of a text in this font, without spaces.
    pub(super) fn letters(&self, bytes: &[u8], text: &mut Vec<char>) {
        for one in bytes.chunks_exact(self.width) {
            let letters = self.characters.get(&code(one)).map_or(&[UNKNOWN][..], Vec::as_slice);
            for letter in letters.iter().filter(|letter| !letter.is_whitespace()) {
                match LIGATURES.iter().find(|(one, _)| one == letter) {
                    Some((_, parts)) => text.extend(parts.chars()),
                    // Parts of signs that look like whole ones: Firefox names those.
                    None if ('\u{2e80}'..='\u{2fdf}').contains(letter) => text.push(UNKNOWN),
                    None => text.push(*letter),
                }
            }
        }
    }
}

/// A number from its bytes, the highest first; of more than four the last ones.
fn code(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |code, byte| (code << 8) | u32::from(*byte))
}

fn utf16(bytes: &[u8]) -> Vec<char> {
    let units = bytes.chunks_exact(2).map(|pair| u16::from(pair[0]) << 8 | u16::from(pair[1]));
    char::decode_utf16(units).map(|letter| letter.unwrap_or(UNKNOWN)).collect()
}
