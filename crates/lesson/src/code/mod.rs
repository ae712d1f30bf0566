//! Short codes that carry a guess or a finished task from one screen to another, by hand or by
//! camera: twelve symbols in three groups, ten of them data, two of them checks.
//!
//! Symbols are Crockford's: digits and letters without I, L, O and U, read as 1, 1, 0 and nothing. The
//! checks are those of a Reed-Solomon code over 32 elements: Σ cᵢ = 0 and Σ cᵢ·αⁱ = 0. Its distance is
//! three, so every wrong symbol and every two swapped ones are seen, and of one wrong symbol it is
//! known which. Nothing is ever corrected silently.

mod checked;
mod field;
mod finished;
mod room;
mod scan;

pub use checked::{Answer, Checked, check};
pub use finished::{Finished, Refused, finished, verify};
pub use room::{MAX_CODES, Rejected, Room, Why, guess};
pub use scan::{Found, MAX_TEXT, scan};

use field::{divide, power};

/// Symbols of a code.
pub const SYMBOLS: usize = 12;
/// Symbols of a group.
const GROUP: usize = 4;
/// Data symbols; the others are checks.
const DATA: usize = 10;
/// Crockford's symbols by value.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// What a code is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A guess of one learner.
    Guess,
    /// A finished task.
    Finished,
}

/// A code's 50 bits: kind 2, subject 16, content 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    /// What it is about.
    pub kind: Kind,
    /// Which question or task, as [`subject`] numbers it.
    pub subject: u16,
    /// Guess and chance, or word and outcome.
    pub content: u32,
}

/// What is wrong with a code. Places count symbols from 1, without the dashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// So many symbols instead of twelve.
    Length(usize),
    /// A sign at this place that no code has.
    Sign(usize),
    /// One wrong symbol: its place and what is most likely meant.
    Symbol(usize, char),
    /// The symbols at this place and the next are swapped.
    Swapped(usize),
    /// More than one symbol is wrong.
    Several,
    /// The symbols agree, but no code of ours has these bits: of a newer version, perhaps.
    Unknown,
}

/// The number of a question or a task by its name: 16 bits of a digest.
#[must_use]
pub fn subject(name: &str) -> u16 {
    (digest(name) & 0xFFFF) as u16
}

/// 32 well mixed bits of a text.
fn digest(text: &str) -> u32 {
    let mut digest = tokenyard_det::Digest::default();
    digest.bytes(text.as_bytes());
    // The low bits of this digest depend on all bytes, the high ones less on the last.
    let mixed = digest.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

impl Code {
    /// The code as it is shown: `4K7P-9TQX-2MZD`. Fit for a QR code's alphanumeric mode.
    #[must_use]
    pub fn write(&self) -> String {
        let kind = match self.kind {
            Kind::Guess => 1_u64,
            Kind::Finished => 2,
        };
        let bits = kind << 48 | u64::from(self.subject) << 32 | u64::from(self.content);
        let mut symbols = [0_u8; SYMBOLS];
        for (i, symbol) in symbols.iter_mut().take(DATA).enumerate() {
            *symbol = (bits >> (5 * (DATA - 1 - i)) & 31) as u8;
        }
        let [sum, weighted] = sums(&symbols);
        let last = divide(weighted ^ field::times(sum, power(DATA)), power(DATA) ^ power(DATA + 1));
        (symbols[DATA], symbols[DATA + 1]) = (sum ^ last, last);
        let mut out = String::with_capacity(SYMBOLS + 2);
        for (i, symbol) in symbols.iter().enumerate() {
            if i > 0 && i % GROUP == 0 {
                out.push('-');
            }
            out.push(char::from(ALPHABET[usize::from(*symbol)]));
        }
        out
    }

    /// Reads a code, in capitals or not, with dashes and blanks anywhere, as narrow or as wide signs.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(text: &str) -> Result<Self, Slip> {
        let signs: Vec<char> =
            text.chars().map(scan::plain).filter(|c| *c != '-' && !c.is_whitespace()).collect();
        if signs.len() != SYMBOLS {
            return Err(Slip::Length(signs.len()));
        }
        let mut symbols = [0_u8; SYMBOLS];
        for (i, (symbol, sign)) in symbols.iter_mut().zip(&signs).enumerate() {
            *symbol = value(*sign).ok_or(Slip::Sign(i + 1))?;
        }
        match slip(&symbols) {
            Some(slip) => Err(slip),
            None => Self::of(&symbols).ok_or(Slip::Unknown),
        }
    }

    fn of(symbols: &[u8; SYMBOLS]) -> Option<Self> {
        let bits = symbols[..DATA].iter().fold(0_u64, |bits, s| bits << 5 | u64::from(*s));
        let kind = match bits >> 48 {
            1 => Kind::Guess,
            2 => Kind::Finished,
            _ => return None,
        };
        Some(Self { kind, subject: (bits >> 32 & 0xFFFF) as u16, content: (bits & 0xFFFF_FFFF) as u32 })
    }
}

/// The value of a sign; look-alikes count as what they look like.
fn value(sign: char) -> Option<u8> {
    let sign = match sign.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        sign => sign,
    };
    ALPHABET.iter().position(|s| char::from(*s) == sign).and_then(|at| u8::try_from(at).ok())
}

/// Both sums, zero in a sound code.
fn sums(symbols: &[u8; SYMBOLS]) -> [u8; 2] {
    let sum = symbols.iter().fold(0, |sum, s| sum ^ s);
    let weighted = symbols.iter().enumerate().fold(0, |sum, (i, s)| sum ^ field::times(*s, power(i)));
    [sum, weighted]
}

/// What the sums say is wrong. Two equal errors, such as a swap, leave the first sum at zero.
fn slip(symbols: &[u8; SYMBOLS]) -> Option<Slip> {
    match sums(symbols) {
        [0, 0] => None,
        [0, weighted] => {
            let swapped = |i: &usize| {
                let error = symbols[*i] ^ symbols[*i + 1];
                error != 0 && field::times(error, power(*i) ^ power(*i + 1)) == weighted
            };
            let mut places = (0..SYMBOLS - 1).filter(swapped);
            Some(match (places.next(), places.next()) {
                (Some(at), None) => Slip::Swapped(at + 1),
                _ => Slip::Several,
            })
        }
        [error, weighted] => {
            let at = (0..SYMBOLS).find(|i| field::times(error, power(*i)) == weighted);
            Some(at.map_or(Slip::Several, |at| {
                Slip::Symbol(at + 1, char::from(ALPHABET[usize::from(symbols[at] ^ error)]))
            }))
        }
    }
}

#[cfg(test)]
mod tests;
