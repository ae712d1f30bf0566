//! Placeholders of templates against the arguments that the code gives, both ways.

use std::collections::BTreeSet;

use tokenyard_lab::words::placeholders;

use crate::catalogue::{Catalogue, all, named};
use crate::sources;
use crate::walk::Walk;

/// Argument of words after a number, such as `{n|tick|ticks}`: the page gives it.
const UNIT: (&str, &str) = (".unit", "n");

/// First part of a key: the sentences of one situation, which share its arguments.
fn family(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

/// Every placeholder of a lab's catalogue is given by the lab to that very key, in every language;
/// and everything that a lab gives is told by some sentence of the family, in every language: an
/// argument that none of them uses is a slip of the pen on one of the two sides.
pub(crate) fn check(catalogue: &Catalogue, walk: &Walk) {
    let nothing = BTreeSet::new();
    for (language, texts) in &catalogue.languages {
        let mut told: BTreeSet<(&str, String)> = BTreeSet::new();
        for (key, text) in texts {
            let unit = key.starts_with("param.") && key.ends_with(UNIT.0);
            let given = walk.given.get(key).unwrap_or(&nothing);
            for name in placeholders(text) {
                let place = format!("{}/{language} {key}", catalogue.folder);
                let known = given.contains(&name) || (unit && name == UNIT.1) || walk.drawn.contains(key);
                assert!(known, "{place}: nobody gives {{{name}}}, only {given:?}");
                told.insert((family(key), name));
            }
        }
        for (key, names) in &walk.given {
            // Words that every page has are said with arguments of their own, checked below.
            for name in names.iter().filter(|_| texts.contains_key(key)) {
                let used = told.contains(&(family(key), name.clone()));
                assert!(used, "{}/{language}: no sentence like {key} tells {{{name}}}", catalogue.folder);
            }
        }
    }
}

/// A message as it stands in a source file: its keys, and the names of its arguments.
#[derive(Debug, PartialEq)]
struct Written {
    keys: Vec<String>,
    names: BTreeSet<String>,
}

/// Every `msg(…)` of a source with its literal keys, if it has any, and the `.with("name", …)` behind it.
fn written(source: &str) -> Vec<Written> {
    let calls = source.match_indices("msg(").filter(|(at, _)| {
        // Not the end of a longer name.
        !source[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
    });
    calls
        .filter_map(|(at, call)| {
            let (inner, mut rest) = inside(&source[at + call.len()..])?;
            let mut names = BTreeSet::new();
            while let Some(after) = rest.trim_start().strip_prefix(".with(") {
                let (arguments, behind) = inside(after)?;
                names.extend(literals(arguments).into_iter().take(1));
                rest = behind;
            }
            Some(Written { keys: literals(inner), names })
        })
        .collect()
}

/// What stands before the bracket that closes this text, and what follows it.
fn inside(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted && depth == 0 => return Some((&text[..at], &text[at + 1..])),
            ')' if !quoted => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Texts in double quotes.
fn literals(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Every argument of the page's own messages that are written in one piece is told by their words,
/// and every placeholder of the words that all pages share is given where their key stands.
#[test]
fn pages_give_what_their_words_tell() {
    let catalogues = all();
    let files = sources::speakers();
    let of = |file: &String| written(file).into_iter().map(|m| (file.clone(), m)).collect::<Vec<_>>();
    let messages: Vec<(String, Written)> = files.iter().flat_map(of).collect();
    let mut checked = 0;
    for c in ["class", "common", "home", "proof", "teach"].map(|folder| named(&catalogues, folder)) {
        // Scripts of pages say what is about offline use, and the page generator's tests check them.
        for (key, text) in c.english().iter().filter(|(key, _)| !key.starts_with("offline.")) {
            let wanted: BTreeSet<String> = placeholders(text).into_iter().collect();
            let here: Vec<_> = messages.iter().filter(|(_, m)| m.keys.contains(key)).collect();
            for (file, m) in &here {
                checked += 1;
                // Several keys in one place share arguments: each tells some of them.
                let told = m.keys.len() > 1 || m.names.is_subset(&wanted);
                // A message may get the rest of its arguments further down.
                let later = |name: &&String| file.contains(&format!(".with(\"{name}\""));
                let given = wanted.difference(&m.names).all(|name| later(&name));
                assert!(told && given, "{} {key} wants {wanted:?}, not {m:?}", c.folder);
            }
            // Else the key travels to a message that takes any key.
            let takes = |m: &Written| m.keys.is_empty() && wanted.is_subset(&m.names);
            let given = wanted.is_empty() || !here.is_empty() || messages.iter().any(|(_, m)| takes(m));
            assert!(given, "{} {key}: nobody gives {wanted:?}", c.folder);
        }
    }
    assert!(checked > 20, "{checked} messages of the page were found");
}

#[test]
fn messages_are_read_from_sources() {
    let source = r#"let a = msg(if one { "a.b" } else { "c.d" }).with("n", f(2))
        .with("at", msg("e")); xmsg("no"); words.say(&tokenyard_lab::msg("f")); msg(key).with("z", 1)"#;
    let read = written(source);
    let keys: Vec<Vec<&str>> = read.iter().map(|m| m.keys.iter().map(String::as_str).collect()).collect();
    assert_eq!(keys, [vec!["a.b", "c.d"], vec!["e"], vec!["f"], vec![]]);
    assert_eq!(read[0].names, ["at", "n"].map(str::to_owned).into());
    assert!(read[1].names.is_empty());
}
