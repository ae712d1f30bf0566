//! A made-up language, `xx`, with every text about twice as long as in the original.
//!
//! Pages are laid out and tested with it: what holds for it holds for a translation that needs
//! more room. Placeholders, choices and glossary marks stay as they are, so every sentence can
//! still be filled.

use crate::words::Words;

/// Identifier of the language where one is asked for: a page in it, a test of it.
pub const LANGUAGE: &str = "xx";

/// All words twice as long, under the same keys. Cost: one pass over the texts.
#[must_use]
pub fn long(words: &Words) -> Words {
    words.keys().map(|key| (key.to_owned(), double(words.get(key)))).collect()
}

/// A template with every word written twice: `{n} old` becomes `{n} old old`.
///
/// What has no letters stays single: separators, arrows, numbers. The forms of a choice
/// `{n|one|other}` and what a mark `[[term|shown]]` shows are doubled where they stand; markup
/// that is not closed is left alone. An empty template stays empty.
#[must_use]
pub fn double(template: &str) -> String {
    let mut out = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some(at) = [rest.find('{'), rest.find("[[")].into_iter().flatten().min() {
        words_twice(&rest[..at], &mut out);
        rest = markup(&rest[at..], &mut out);
    }
    words_twice(rest, &mut out);
    out
}

/// Copies the markup at the start of `rest` and gives what follows it.
fn markup<'a>(rest: &'a str, out: &mut String) -> &'a str {
    if let Some(after) = rest.strip_prefix("{{") {
        out.push_str("{{");
        return after;
    }
    let (open, close) = if rest.starts_with('{') { ("{", "}") } else { ("[[", "]]") };
    let Some((inner, after)) = rest[open.len()..].split_once(close) else {
        out.push_str(rest);
        return "";
    };
    out.push_str(open);
    let mut parts = inner.split('|');
    out.push_str(parts.next().unwrap_or_default());
    for form in parts {
        out.push('|');
        words_twice(form, out);
    }
    out.push_str(close);
    after
}

fn words_twice(text: &str, out: &mut String) {
    for (i, word) in text.split(' ').enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push_str(word);
        if word.contains(char::is_alphabetic) {
            out.push(' ');
            out.push_str(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::msg::msg;
    use crate::words::placeholders;
    use proptest::prelude::*;

    #[test]
    fn words_are_doubled_and_markup_is_kept() {
        let cases = [
            ("Skew over time", "Skew Skew over over time time"),
            ("{n} {n|tick|ticks} old.", "{n} {n|tick tick|ticks ticks} old. old."),
            ("a [[herd|big herd]] forms", "a a [[herd|big big herd herd]] forms forms"),
            ("{at} / {of}", "{at} / {of}"),
            (", ", ", "),
            ("{{brace", "{{brace brace"),
            ("open {n", "open open {n"),
            ("", ""),
        ];
        for (template, doubled) in cases {
            assert_eq!(double(template), doubled);
        }
    }

    #[test]
    fn arguments_are_filled_once() {
        let pairs = [("a", "see {what} here"), ("number.group", ","), ("number.decimal", ".")];
        let words: Words = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let filled = long(&words).say(&msg("a").with("what", 1_234_u32));
        assert_eq!(filled, "see see 1,234 here here");
    }

    proptest! {
        #[test]
        fn any_template_keeps_its_placeholders(template in "([a-zé .]{0,5}|\\{[a-c]\\}|\\{[a-c]\\|x\\|y z\\}|\\{\\{|\\[\\[t\\|u v\\]\\]){0,8}") {
            let doubled = double(&template);
            prop_assert_eq!(placeholders(&doubled), placeholders(&template));
            prop_assert_eq!(doubled.matches("[[t|").count(), template.matches("[[t|").count());
            prop_assert_eq!(doubled.matches("]]").count(), template.matches("]]").count());
            let letters = |s: &str| s.chars().filter(|c| *c == 'é').count();
            prop_assert_eq!(letters(&doubled), 2 * letters(&template));
        }
    }
}
