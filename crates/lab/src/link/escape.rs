//! Values in a fragment: percent-encoding, and base64 where that would be too long.

use std::fmt::Write as _;

/// Longest value in percent-encoding. A longer one is written in base64, which takes less than half
/// for text in other letters than Latin ones, so that no state is too long for a link.
const LONGEST: usize = 130;

/// Before a value in base64. Nobody's percent-encoding leaves it as it is: neither ours nor a browser's.
const MARK: char = ':';

/// Sixty-four letters that need no encoding in an address.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Leaves what is unreserved in an address, and `,`, as it is; everything else by byte. Long text is
/// written in base64 if that is shorter.
#[must_use]
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~,".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    if out.len() <= LONGEST {
        return out;
    }
    let packed = pack(text.as_bytes());
    if packed.len() < out.len() { packed } else { out }
}

fn pack(bytes: &[u8]) -> String {
    let mut out = String::from(MARK);
    for three in bytes.chunks(3) {
        let at = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        // Six bits a letter, and no letter for bytes that are not there.
        for letter in 0..=three.len() {
            let six = bits >> (18 - 6 * letter) & 63;
            out.push(char::from(LETTERS[six as usize]));
        }
    }
    out
}

fn unpack(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    for four in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for i in 0..4 {
            let six = match four.get(i) {
                Some(byte) => LETTERS.iter().position(|letter| letter == byte)?,
                None => 0,
            };
            bits = bits << 6 | six as u32;
        }
        let [_, bytes @ ..] = bits.to_be_bytes();
        out.extend_from_slice(bytes.get(..four.len().checked_sub(1).filter(|n| *n > 0)?)?);
    }
    Some(out)
}

/// Reads base64 after its mark, else percent-encoding and `+` for a space. `None` if it is broken or
/// not UTF-8.
#[must_use]
pub fn decode(text: &str) -> Option<String> {
    if let Some(packed) = text.strip_prefix(MARK) {
        return String::from_utf8(unpack(packed)?).ok();
    }
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let high = char::from(bytes.next()?).to_digit(16)?;
                let low = char::from(bytes.next()?).to_digit(16)?;
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_broken_input() {
        for text in ["plain-1.5", "a b&c=d", "ゲートウェイ", "100%", "~", ":", ":YQ", "a:b", ""] {
            assert_eq!(decode(&encode(text)).as_deref(), Some(text));
        }
        for broken in ["%", "%1", "%zz", "%ff", ":Y", ":YQ=", ":_w", ":%41"] {
            assert_eq!(decode(broken), None, "{broken}");
        }
    }

    #[test]
    fn long_text_in_other_letters_takes_a_third_more_than_its_bytes() {
        for (text, most) in [("負荷分散装置", 54), ("𝒢", 12), ("x", 24)] {
            for count in 1..=30 {
                let long = text.repeat(count);
                let written = encode(&long);
                assert_eq!(decode(&written), Some(long.clone()));
                assert!(written.bytes().all(|b| b.is_ascii_graphic() && b != b'&' && b != b'='), "{written}");
                let (bytes, packed) = (long.len(), long.len().div_ceil(3) * 4 + 1);
                assert!(written.len() <= packed.max(LONGEST), "{bytes} bytes: {}", written.len());
                assert!(count > 1 || written.len() <= most, "{written}");
            }
        }
    }
}
