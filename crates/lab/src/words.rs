//! The words of one page in one language.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tokenyard_det::format;
use tokenyard_param::{Kind, ParamSpec, Value};

use crate::msg::{Arg, Msg, msg};

/// Keys to templates. A template holds placeholders `{name}` and choices `{name|one|other}`,
/// which show `one` where the argument is 1 and `other` otherwise; `{{` is a brace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    map: BTreeMap<String, String>,
}

impl FromIterator<(String, String)> for Words {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        // Collecting would sort first, with a sorting routine of its own in the module.
        let mut map = BTreeMap::new();
        for (key, template) in pairs {
            map.insert(key, template);
        }
        Self { map }
    }
}

impl Words {
    /// Whether the catalogue has the key.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    /// All keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    /// The template of a key. A key that is missing shows itself, so that nothing is silently
    /// blank; a test makes sure that none is.
    #[must_use]
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.map.get(key).map_or(key, String::as_str)
    }

    /// A message in this language.
    #[must_use]
    pub fn say(&self, msg: &Msg) -> String {
        self.fill(self.get(msg.key), &msg.args)
    }

    /// The words of a key that is put together at run time, with arguments.
    #[must_use]
    pub fn fill_key(&self, key: &str, args: &[(&'static str, Arg)]) -> String {
        self.fill(self.get(key), args)
    }

    /// A parameter's value: `10 ticks`, `none`, `aligned`. The parameter's own words are under `prefix`.
    #[must_use]
    pub fn value(&self, prefix: &str, spec: &ParamSpec, value: &Value) -> String {
        let digits = match (spec.kind, value) {
            // Beyond two decimals most are zeros.
            (Kind::Real { digits: 3.., .. }, Value::Real(_)) => {
                spec.kind.write(value).split_once('.').map_or(0, |(_, rest)| rest.len() as u8)
            }
            (Kind::Real { digits, .. }, _) => digits,
            _ => 0,
        };
        let number = match value {
            Value::Nothing => return self.at(&["knobs.none"]),
            Value::Switch(on) => return self.at(&[if *on { "knobs.on" } else { "knobs.off" }]),
            Value::Choice(_) => return self.at(&[prefix, &spec.kind.write(value)]),
            Value::Text(text) => return text.clone(),
            Value::Int(v) => Arg::Int(*v),
            Value::Real(v) => Arg::Fixed(*v, digits),
        };
        // The unit may bend with the number, so it is filled with the number as its argument.
        let unit = self.fill_key(&format!("{prefix}.unit"), &[("n", number.clone())]);
        self.say(&msg("knobs.value").with("n", number).with("unit", unit)).trim_end().to_owned()
    }

    /// The words under a key put together from parts joined with dots; no arguments.
    #[must_use]
    pub fn at(&self, parts: &[&str]) -> String {
        let key = parts.join(".");
        self.fill(self.get(&key), &[])
    }

    /// One argument in this language.
    #[must_use]
    pub fn arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Int(v) => self.separate(&v.to_string()),
            Arg::Fixed(v, digits) => self.separate(&format::fixed(*v, usize::from(*digits))),
            Arg::Percent(share) => format!("{}%", format::percent(*share)),
            Arg::Text(text) => text.clone(),
            Arg::Replica(i) => replica_letter(*i),
            Arg::Msg(msg) => self.say(msg),
            Arg::Key(key) => self.fill(self.get(key), &[]),
            Arg::List(items) => {
                let parts: Vec<String> = items.iter().map(|i| self.arg(i)).collect();
                parts.join(self.get("number.list"))
            }
        }
    }

    fn separate(&self, plain: &str) -> String {
        format::separate(plain, self.get("number.group"), self.get("number.decimal"))
    }

    fn fill(&self, template: &str, args: &[(&'static str, Arg)]) -> String {
        let mut out = String::with_capacity(template.len() + 16);
        for piece in pieces(template) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Brace => out.push('{'),
                Piece::Place(inner) => match place(inner) {
                    (name, Some((one, other))) => {
                        let single = matches!(find(args, name), Some(Arg::Int(1)));
                        out.push_str(if single { one } else { other });
                    }
                    (name, None) => match find(args, name) {
                        Some(arg) => out.push_str(&self.arg(arg)),
                        None => {
                            let _ = write!(out, "{{{name}}}");
                        }
                    },
                },
            }
        }
        out
    }
}

fn find<'a>(args: &'a [(&'static str, Arg)], name: &str) -> Option<&'a Arg> {
    args.iter().find(|(n, _)| *n == name).map(|(_, arg)| arg)
}

/// Replicas are letters on screen: A, B, …, P, and so on with two letters after Z.
#[must_use]
pub fn replica_letter(index: u32) -> String {
    let letter = |i: u32| char::from(b'A' + u8::try_from(i % 26).unwrap_or(0));
    match index.checked_sub(26) {
        None => letter(index).to_string(),
        Some(rest) => format!("{}{}", letter(rest / 26), letter(rest)),
    }
}

/// A piece of a text with placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// As it is.
    Text(&'a str),
    /// `{{`: one brace.
    Brace,
    /// What stands between braces.
    Place(&'a str),
}

/// Splits a text at its placeholders. A brace that is never closed stands for itself.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some(open) = rest.find('{') {
        if open > 0 {
            out.push(Piece::Text(&rest[..open]));
        }
        let after = &rest[open + 1..];
        if let Some(more) = after.strip_prefix('{') {
            out.push(Piece::Brace);
            rest = more;
        } else if let Some(close) = after.find('}') {
            out.push(Piece::Place(&after[..close]));
            rest = &after[close + 1..];
        } else {
            out.push(Piece::Brace);
            rest = after;
        }
    }
    if !rest.is_empty() {
        out.push(Piece::Text(rest));
    }
    out
}

/// A placeholder of a template: the name of its argument and, of a choice, what is shown for one and
/// for any other number.
fn place(inner: &str) -> (&str, Option<(&str, &str)>) {
    match inner.split_once('|') {
        Some((name, forms)) => (name, Some(forms.split_once('|').unwrap_or((forms, forms)))),
        None => (inner, None),
    }
}

/// Names of a template's placeholders, sorted, each once: languages must agree on them.
#[must_use]
pub fn placeholders(template: &str) -> Vec<String> {
    let mut names: Vec<String> = pieces(template)
        .into_iter()
        .filter_map(|p| match p {
            Piece::Place(inner) => Some(place(inner).0.to_owned()),
            Piece::Text(_) | Piece::Brace => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::msg::msg;

    fn words() -> Words {
        let pairs = [
            ("number.group", ","),
            ("number.decimal", "."),
            ("number.list", ", "),
            ("old", "{n} {n|tick|ticks} old"),
            ("sum", "{who} holds {what} {{x"),
        ];
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn placeholders_and_choices() {
        let w = words();
        assert_eq!(w.say(&msg("old").with("n", 1_u32)), "1 tick old");
        assert_eq!(w.say(&msg("old").with("n", 12_345_u32)), "12,345 ticks old");
        let nested = msg("sum").with("who", Arg::Replica(2)).with("what", msg("old").with("n", 0_u32));
        assert_eq!(w.say(&nested), "C holds 0 ticks old {x");
    }

    #[test]
    fn what_is_missing_shows_itself() {
        assert_eq!(words().say(&msg("no.such.key")), "no.such.key");
        assert_eq!(words().say(&msg("old")), "{n} ticks old");
    }

    #[test]
    fn placeholders_are_listed_once() {
        assert_eq!(placeholders("{b} {a|x|y} {a}"), ["a", "b"]);
    }

    #[test]
    fn replicas_are_letters() {
        assert_eq!([0, 15, 25, 26, 27, 52].map(replica_letter), ["A", "P", "Z", "AA", "AB", "BA"]);
    }
}
