//! Puts a state into pictures and reads it back, from bytes that anybody may have made.
//!
//! SVG has it in `<metadata>`, PNG in a `tEXt` chunk. Nothing here parses XML or unpacks a picture:
//! both are looked through once, and whatever does not fit is a reason, never a panic. The checksum
//! of a chunk is a loop over its hundred bytes; a crate for it would bring 16 KB of tables into the
//! page's module.

use crate::carried::{Carried, LONGEST};
use crate::unread::Unread;

/// Largest file that is looked at: 32 MiB, many times as large as any figure.
pub const MAX_BYTES: usize = 32 << 20;

/// Name of the chunk, and of the element's space.
const KEYWORD: &[u8] = b"tokenyard";

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The state that a figure carries, from the bytes of an SVG or PNG file. Cost: one look at every
/// byte, or at every chunk.
///
/// # Errors
/// Why there is none; see [`Unread`].
pub fn read_link(bytes: &[u8]) -> Result<Carried, Unread> {
    if bytes.len() > MAX_BYTES {
        return Err(Unread::TooLarge(bytes.len()));
    }
    if bytes.starts_with(PNG) { from_png(bytes) } else { from_svg(bytes) }
}

/// The element with the state, for an SVG document.
pub(crate) fn element(carried: &Carried) -> String {
    let line = carried.line().replace('&', "&amp;");
    format!("<metadata><state xmlns=\"urn:tokenyard:state\">{line}</state></metadata>")
}

/// In our files `<` stands at the beginning of an element and nowhere else, so the first
/// `<metadata` is the element, whatever a reader typed into a name that the figure shows.
fn from_svg(bytes: &[u8]) -> Result<Carried, Unread> {
    find(bytes, b"<svg").ok_or(Unread::Kind)?;
    let start = find(bytes, b"<metadata").ok_or(Unread::Nothing)?;
    let inside = &bytes[start..];
    let end = find(inside, b"</metadata").ok_or(Unread::Broken)?;
    let inside = &inside[..end];
    let state = find(inside, b"urn:tokenyard:state").ok_or(Unread::Nothing)?;
    let text = &inside[state..];
    let open = find(text, b">").ok_or(Unread::Broken)?;
    let text = &text[open + 1..];
    let close = find(text, b"<").unwrap_or(text.len());
    line(text.get(..close).unwrap_or_default())
}

/// Reads a line in which `&` may be written in any of the ways that editors write it.
fn line(bytes: &[u8]) -> Result<Carried, Unread> {
    if bytes.len() > 5 * LONGEST {
        return Err(Unread::Broken);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Unread::Broken)?;
    let plain = ["&#38;", "&#x26;"].iter().fold(text.to_owned(), |text, form| text.replace(form, "&amp;"));
    Carried::read(&plain.replace("&amp;", "&"))
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn from_png(bytes: &[u8]) -> Result<Carried, Unread> {
    for chunk in (Chunks { rest: &bytes[PNG.len()..] }) {
        let chunk = chunk?;
        let Some(text) = chunk.ours() else { continue };
        if !chunk.is_whole() {
            return Err(Unread::Broken);
        }
        return line(text?);
    }
    Err(Unread::Nothing)
}

/// The same PNG with a state in it, in place of any that it had, and without whatever follows its
/// end. Cost: one copy of the file.
///
/// # Errors
/// If the file is too large, no PNG, or cut off.
pub fn sign_png(png: &[u8], carried: &Carried) -> Result<Vec<u8>, Unread> {
    if png.len() > MAX_BYTES {
        return Err(Unread::TooLarge(png.len()));
    }
    let mut rest = png.strip_prefix(PNG).ok_or(Unread::Kind)?;
    let text = [KEYWORD, b"\0", carried.line().as_bytes()].concat();
    let mut out = Vec::with_capacity(png.len() + text.len() + 12);
    out.extend_from_slice(PNG);
    let head = Chunk::first(rest).filter(|chunk| chunk.kind == *b"IHDR" && chunk.data.len() == 13);
    let head = head.ok_or(Unread::Broken)?;
    out.extend_from_slice(&rest[..head.bytes]);
    put(&mut out, *b"tEXt", &text);
    loop {
        rest = &rest[Chunk::first(rest).ok_or(Unread::Broken)?.bytes..];
        let chunk = Chunk::first(rest).ok_or(Unread::Broken)?;
        if chunk.ours().is_none() {
            out.extend_from_slice(&rest[..chunk.bytes]);
        }
        if chunk.kind == *b"IEND" {
            return Ok(out);
        }
    }
}

fn put(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    out.extend_from_slice(&u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
    out.extend_from_slice(&kind);
    out.extend_from_slice(data);
    out.extend_from_slice(&checksum(&[&kind, data]).to_be_bytes());
}

/// One chunk of a PNG.
struct Chunk<'a> {
    kind: [u8; 4],
    data: &'a [u8],
    sum: u32,
    /// With length, kind and checksum.
    bytes: usize,
}

impl<'a> Chunk<'a> {
    fn first(bytes: &'a [u8]) -> Option<Self> {
        let word = |at: usize| bytes.get(at..at.checked_add(4)?)?.try_into().ok();
        let length = usize::try_from(u32::from_be_bytes(word(0)?)).ok()?;
        let end = length.checked_add(8)?;
        let data = bytes.get(8..end)?;
        Some(Self { kind: word(4)?, data, sum: u32::from_be_bytes(word(end)?), bytes: end + 4 })
    }

    /// The text of a chunk of ours; a program that rewrites files may have made `iTXt` of it.
    fn ours(&self) -> Option<Result<&'a [u8], Unread>> {
        let rest = self.data.strip_prefix(KEYWORD)?.strip_prefix(b"\0")?;
        match &self.kind {
            b"tEXt" => Some(Ok(rest)),
            b"iTXt" => Some(international(rest).ok_or(Unread::Broken)),
            _ => None,
        }
    }

    fn is_whole(&self) -> bool {
        self.data.len() <= 2 * LONGEST && checksum(&[&self.kind, self.data]) == self.sum
    }
}

/// The text of an `iTXt` chunk after its keyword, if it is not compressed.
fn international(rest: &[u8]) -> Option<&[u8]> {
    let plain = rest.strip_prefix(b"\0\0")?;
    let language = plain.iter().position(|b| *b == 0)?;
    let name = plain[language + 1..].iter().position(|b| *b == 0)?;
    plain.get(language + name + 2..)
}

struct Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<Chunk<'a>, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let Some(chunk) = Chunk::first(self.rest) else {
            self.rest = &[];
            return Some(Err(Unread::Broken));
        };
        self.rest = &self.rest[chunk.bytes..];
        Some(Ok(chunk))
    }
}

/// CRC-32 of PNG over parts in order.
fn checksum(parts: &[&[u8]]) -> u32 {
    let mut sum = u32::MAX;
    for byte in parts.iter().flat_map(|part| part.iter()) {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn the_checksum_is_the_one_of_the_standard() {
        assert_eq!(checksum(&[b"1234", b"56789"]), 0xcbf4_3926);
        assert_eq!(checksum(&[b"IEND", b""]), 0xae42_6082);
    }
}
