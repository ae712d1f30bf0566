//! A short lesson as a part of an address.

use crate::fault::Fault;
use crate::model::Lesson;
use crate::{read, write};

/// Longest address part that is written or read, as of labs' links.
pub const MAX_CHARS: usize = tokenyard_lab::link::MAX_CHARS;

/// The 64 characters of base64 that an address may hold as they are.
const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Why a link holds no lesson.
#[derive(Clone, Debug, PartialEq)]
pub enum Broken {
    /// Longer than links may be.
    Long(usize),
    /// Not of our making: signs or bytes that no link of ours has.
    Garbled,
    /// A text that is no lesson.
    Faults(Vec<Fault>),
}

/// Writes a lesson; `None` if it is too long for a link and must travel as a file.
#[must_use]
pub fn to_link(lesson: &Lesson) -> Option<String> {
    let text = write(lesson);
    let mut out = String::with_capacity(text.len() * 4 / 3 + 4);
    for three in text.as_bytes().chunks(3) {
        let bits = three.iter().enumerate().fold(0_u32, |sum, (i, b)| sum | (u32::from(*b) << (16 - 8 * i)));
        for i in 0..=three.len() {
            out.push(char::from(SYMBOLS[(bits >> (18 - 6 * i) & 63) as usize]));
        }
    }
    (out.len() <= MAX_CHARS).then_some(out)
}

/// Reads what [`to_link`] wrote.
///
/// # Errors
/// A text that is too long or garbled, or everything that is wrong with the lesson in it.
pub fn from_link(text: &str) -> Result<Lesson, Broken> {
    if text.len() > MAX_CHARS {
        return Err(Broken::Long(text.len()));
    }
    let mut bytes = Vec::with_capacity(text.len());
    for four in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for (i, symbol) in four.iter().enumerate() {
            let value = SYMBOLS.iter().position(|s| s == symbol).ok_or(Broken::Garbled)?;
            bits |= (value as u32) << (18 - 6 * i);
        }
        let whole = four.len() - 1;
        bytes.extend((0..whole).map(|i| (bits >> (16 - 8 * i) & 255) as u8));
        if whole == 0 || bits.checked_shl(8 + 8 * whole as u32).unwrap_or(0) != 0 {
            return Err(Broken::Garbled);
        }
    }
    let text = String::from_utf8(bytes).map_err(|_| Broken::Garbled)?;
    read(&text).map_err(Broken::Faults)
}
