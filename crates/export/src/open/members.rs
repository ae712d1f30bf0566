//! The names at the top of a JSON document, and where their values are: all that is needed to know
//! what it is. One pass, no recursion, no memory.

/// A name and its value as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member<'a> {
    /// Without its quotation marks; escapes are left in.
    pub(super) key: &'a str,
    /// Empty if the text ends before its value does.
    pub(super) value: &'a str,
}

/// The members of the outermost object. Ends where the text stops being JSON.
#[derive(Clone, Debug)]
pub(super) struct Members<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Members<'a> {
    /// From a text that begins with a brace.
    pub(super) fn of(bytes: &'a [u8]) -> Option<Self> {
        bytes.starts_with(b"{").then_some(Self { bytes, at: 1 })
    }

    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Goes past a text, from its first quotation mark.
    fn string(&mut self) -> Option<&'a [u8]> {
        let start = self.at + 1;
        self.at = end_of_string(self.bytes, start)? + 1;
        self.bytes.get(start..self.at - 1)
    }

    /// Goes past a value.
    fn value(&mut self) -> Option<&'a [u8]> {
        let first = self.peek()?;
        let start = self.at;
        match first {
            b'"' => drop(self.string()?),
            b'{' | b'[' => self.at = end_of_nest(self.bytes, start)?,
            _ => {
                let more = |b: &u8| !b.is_ascii_whitespace() && !b",:{}[]\"".contains(b);
                self.at += self.bytes[start..].iter().take_while(|b| more(b)).count();
            }
        }
        self.bytes.get(start..self.at).filter(|value| !value.is_empty())
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        if self.peek()? != b'"' {
            return None;
        }
        let key = std::str::from_utf8(self.string()?).ok()?;
        let value = self.eat(b':').and_then(|()| self.value());
        let value = value.and_then(|value| std::str::from_utf8(value).ok());
        // Without a value or a comma there is nothing after this member.
        if value.is_none() || self.eat(b',').is_none() {
            self.at = self.bytes.len();
        }
        Some(Member { key, value: value.unwrap_or_default() })
    }
}

/// Where the text ends that begins after a quotation mark.
fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Where a list or an object ends; whether its brackets match is for a reader of JSON to say.
fn end_of_nest(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0_usize);
    loop {
        match bytes.get(at)? {
            b'"' => at = end_of_string(bytes, at + 1)?,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Vec<(&str, &str)> {
        Members::of(text.as_bytes()).into_iter().flatten().map(|m| (m.key, m.value)).collect()
    }

    #[test]
    fn names_and_values_are_found_whatever_is_nested() {
        let text = "{ \"a\" : 1,\n\"b\":{\"c\":[{}, \"}\\\"]\"]},\"d\":\"x\\\\\" , \"e\\u0020\":null}";
        let found = [("a", "1"), ("b", "{\"c\":[{}, \"}\\\"]\"]}"), ("d", "\"x\\\\\""), ("e\\u0020", "null")];
        assert_eq!(members(text), found);
        assert_eq!(members("{}"), []);
        assert_eq!(members("[1]"), []);
    }

    #[test]
    fn what_ends_early_gives_what_it_has() {
        for text in ["{\"a\":1,\"b\":[1,2", "{\"a\":1,\"b\"", "{\"a\":1,\"b\":", "{\"a\":1,\"b\":\"x"] {
            assert_eq!(members(text), [("a", "1"), ("b", "")], "{text}");
        }
        assert_eq!(members("{\"a\":1 \"b\":2}"), [("a", "1")]);
        assert_eq!(members("{\"a"), []);
        assert_eq!(members(&format!("{{\"a\":{}", "[".repeat(100_000))), [("a", "")]);
    }
}
