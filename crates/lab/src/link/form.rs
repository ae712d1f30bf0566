//! Forms of links: how an older link becomes one of the present form.
//!
//! A link is a list of keys with values. When a key gets another name, another unit or another
//! default, that is a new *form*, and [`FORMS`] gets a list of [`Migration`]s that turn a link of the
//! form before into it. A link that says nothing is of form 1, so that links which somebody wrote by
//! hand years ago keep their meaning; one that has to say otherwise begins with `f=2`. Reading goes
//! through all migrations from the link's form on, in their order.

use super::{MAX_CHARS, Notice, decode, encode, shorten};

/// Keys and values of a link, decoded, in their order.
pub type Pairs = Vec<(String, String)>;

/// Key of the form that a link is of.
pub const KEY: &str = "f";

/// Before the keys of settings that hold from a fork on.
const AFTER_FORK: &str = "then.";

/// One change from a form to the next.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Whose links it concerns: a lab's identifier, or the fleet page's; all if none.
    pub page: Option<&'static str>,
    /// What it does to them.
    pub change: Change,
}

/// What a migration does. Keys are those of settings: what a fork says of them is turned too.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// A key is called otherwise: first the old name, then the new one.
    Rename(&'static str, &'static str),
    /// A key's value is written otherwise, in another unit or under another name.
    Value(&'static str, fn(&str) -> String),
    /// A key becomes others, in its place; none, if it is gone for good.
    Split(&'static str, fn(&str) -> Pairs),
    /// A default changed: a link without the key meant this value. The empty link is no state that
    /// somebody made and stays the page as it is today.
    Default(&'static str, &'static str),
    /// Anything else.
    Pairs(fn(Pairs) -> Pairs),
}

/// All forms that there have been. Entry `i` leads from form `i + 1` to the next.
#[derive(Clone, Copy, Debug)]
pub struct Forms<'a>(pub &'a [&'a [Migration]]);

/// The forms of this product's links. An entry is never changed once a release has it.
pub static FORMS: Forms<'static> = Forms(&[]);

/// A link taken apart, its keys those of the present form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opened {
    /// Keys and values.
    pub pairs: Pairs,
    /// What could not be used.
    pub notices: Vec<Notice>,
}

impl Forms<'_> {
    /// The present form, from 1.
    #[must_use]
    pub fn present(&self) -> u32 {
        self.0.len() as u32 + 1
    }

    /// Turns pairs of a form into pairs of the present one. Those of a newer form stay as they are.
    /// No pairs at all are no link and stay none.
    #[must_use]
    pub fn migrate(&self, page: &str, from: u32, pairs: Pairs) -> Pairs {
        if pairs.is_empty() {
            return pairs;
        }
        let after = self.0.get(from.saturating_sub(1) as usize..).unwrap_or_default();
        let all = after.iter().copied().flatten();
        let ours = all.filter(|migration| migration.page.is_none_or(|named| named == page));
        ours.fold(pairs, |pairs, migration| migration.change.of(pairs))
    }

    /// Takes a fragment apart, with or without its `#`, and brings it to the present form. One that is
    /// longer than `longest` characters is refused whole.
    #[must_use]
    pub fn open(&self, page: &str, fragment: &str, longest: usize) -> Opened {
        let text = fragment.strip_prefix('#').unwrap_or(fragment);
        let mut opened = Opened::default();
        let length = text.chars().count();
        if length > longest {
            opened.notices.push(Notice::TooLong(length));
            return opened;
        }
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match (decode(key), decode(value)) {
                (Some(key), Some(value)) => opened.pairs.push((key, value)),
                _ => opened.notices.push(Notice::Unknown(shorten(key))),
            }
        }
        let said: Pairs = opened.pairs.extract_if(.., |(key, _)| key == KEY).collect();
        let form = self.said(&said, &mut opened.notices);
        opened.pairs = self.migrate(page, form, opened.pairs);
        opened
    }

    /// The form that a link says it is of; 1 if it says none that there can be.
    fn said(&self, said: &[(String, String)], notices: &mut Vec<Notice>) -> u32 {
        if said.len() > 1 {
            notices.push(Notice::Repeated(KEY.to_owned()));
        }
        let Some((_, value)) = said.last() else { return 1 };
        match whole_number(value) {
            Some(form) if form > self.present() => {
                let own = self.present();
                notices.push(Notice::NewerForm { form, own });
                form
            }
            Some(form) => form,
            None => {
                notices.push(Notice::refused(KEY, value, "a whole number from 1"));
                1
            }
        }
    }

    /// Puts pairs of the present form together. The form is said if the link would be read as
    /// something else without.
    #[must_use]
    pub fn close(&self, page: &str, pairs: &[(String, String)]) -> String {
        let mut parts = Vec::with_capacity(pairs.len() + 1);
        if self.migrate(page, 1, pairs.to_vec()) != pairs {
            parts.push(format!("{KEY}={}", self.present()));
        }
        parts.extend(pairs.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))));
        parts.join("&")
    }

    /// As [`Self::open`], for a link that somebody may have written.
    #[must_use]
    pub fn open_link(&self, page: &str, fragment: &str) -> Opened {
        self.open(page, fragment, MAX_CHARS)
    }
}

impl Change {
    fn of(&self, pairs: Pairs) -> Pairs {
        match *self {
            Self::Rename(from, to) => each(pairs, from, |fork, value| vec![(format!("{fork}{to}"), value)]),
            Self::Value(of, turn) => {
                each(pairs, of, |fork, value| vec![(format!("{fork}{of}"), turn(&value))])
            }
            Self::Split(of, into) => each(pairs, of, |fork, value| {
                into(&value).into_iter().map(|(key, value)| (format!("{fork}{key}"), value)).collect()
            }),
            Self::Default(of, was) => {
                let mut pairs = pairs;
                if pairs.iter().all(|(key, _)| key != of) {
                    pairs.push((of.to_owned(), was.to_owned()));
                }
                pairs
            }
            Self::Pairs(turn) => turn(pairs),
        }
    }
}

/// Turns every pair of a key; `turn` gets what stands before the key and the value.
fn each(pairs: Pairs, of: &str, turn: impl Fn(&str, String) -> Pairs) -> Pairs {
    let one = |(key, value): (String, String)| match key.strip_suffix(of) {
        Some(fork @ ("" | AFTER_FORK)) => turn(fork, value),
        _ => vec![(key, value)],
    };
    pairs.into_iter().flat_map(one).collect()
}

/// A number from 1, in digits only.
pub(crate) fn whole_number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|n| digits && *n >= 1)
}
