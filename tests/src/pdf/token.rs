//! Words, names and byte strings of a PDF, one after the other.

/// One of them. Brackets and comments are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `/F4`, without the slash.
    Name(&'a [u8]),
    /// `(text)` or `<2026>`.
    Bytes(Vec<u8>),
    /// A number or an operator.
    Word(&'a [u8]),
}

/// Reads a text from its beginning.
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// Takes bytes as long as they fit.
    fn take(&mut self, fits: impl Fn(u8) -> bool) -> &'a [u8] {
        let length = self.rest.iter().take_while(|byte| fits(**byte)).count();
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn next_byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// What follows an opening parenthesis, up to its own closing one.
    fn literal(&mut self) -> Vec<u8> {
        let (mut bytes, mut depth) = (Vec::new(), 1);
        while let Some(byte) = self.next_byte() {
            match byte {
                b'\\' => bytes.extend(self.escaped()),
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if byte != b'\\' {
                bytes.push(byte);
            }
        }
        bytes
    }

    /// What follows a backslash: nothing for the end of a line.
    fn escaped(&mut self) -> Option<u8> {
        if self.rest.first().is_some_and(u8::is_ascii_digit) {
            let digits = self.rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let (digits, rest) = self.rest.split_at(digits.max(1));
            self.rest = rest;
            return Some(
                digits.iter().fold(0, |code: u8, digit| code.wrapping_mul(8).wrapping_add(digit & 7)),
            );
        }
        match self.next_byte()? {
            b'\n' => None,
            b'n' => Some(b'\n'),
            b'r' => Some(b'\r'),
            b't' => Some(b'\t'),
            byte => Some(byte),
        }
    }

    /// What follows `<`, up to `>`: two digits a byte, the last one being 0 if it is not there.
    fn hexadecimal(&mut self) -> Vec<u8> {
        let digits = self.take(|byte| byte != b'>');
        let digits: Vec<u8> =
            digits.iter().filter_map(|byte| char::from(*byte).to_digit(16)).map(|d| d as u8).collect();
        digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            self.take(is_space);
            match *self.rest.first()? {
                b'/' => {
                    self.next_byte();
                    return Some(Token::Name(self.take(is_regular)));
                }
                b'(' => {
                    self.next_byte();
                    return Some(Token::Bytes(self.literal()));
                }
                b'<' if self.rest.get(1) != Some(&b'<') => {
                    self.next_byte();
                    return Some(Token::Bytes(self.hexadecimal()));
                }
                b'<' => self.rest = &self.rest[2..],
                b'%' => drop(self.take(|byte| !matches!(byte, b'\r' | b'\n'))),
                byte if is_regular(byte) => return Some(Token::Word(self.take(is_regular))),
                _ => drop(self.next_byte()),
            }
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !b"()<>[]{}/%".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_read() {
        let text = b"<</A<4 1f> /B[(a(b)\\)\\050)12 Tj]>>% no\nET";
        let bytes = |bytes: &[u8]| Token::Bytes(bytes.to_vec());
        let wanted = [
            Token::Name(b"A"),
            bytes(b"\x41\xf0"),
            Token::Name(b"B"),
            bytes(b"a(b))("),
            Token::Word(b"12"),
            Token::Word(b"Tj"),
            Token::Word(b"ET"),
        ];
        assert_eq!(Tokens::of(text).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn what_has_no_end_ends_with_the_text() {
        assert_eq!(Tokens::of(b"(a\\").collect::<Vec<_>>(), [Token::Bytes(b"a".to_vec())]);
        assert_eq!(Tokens::of(b"<4").collect::<Vec<_>>(), [Token::Bytes(vec![0x40])]);
        assert_eq!(Tokens::of(b">>] ").collect::<Vec<_>>(), []);
    }
}
