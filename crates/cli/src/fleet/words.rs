//! What the page says of rules and of decisions, in English and with numbers for replicas. The words
//! are those of the page's catalogue, which is built into the program.

use std::sync::LazyLock;

use tokenyard_fleet::record::Decision;
use tokenyard_lab::words::Words;
use tokenyard_lab::{Arg, catalogue, msg};
use tokenyard_policy::{RuleSpec, Why};
use tokenyard_study::why;

use crate::words;

/// Digits as files have them: nothing between thousands.
const DIGITS: [(&str, &str); 2] = [("number.group", ""), ("number.decimal", ".")];

/// A test reads the catalogue, so it is never empty; a key without words would show itself.
static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let digits = DIGITS.map(|(key, text)| (key.to_owned(), text.to_owned()));
    catalogue::parse(words::text("rules")).unwrap_or_default().into_iter().chain(digits).collect()
});

/// What a rule compares with what, as a sentence.
pub(super) fn compares(rule: &RuleSpec) -> String {
    WORDS.at(&["rule", rule.id, "compares"])
}

/// The word of a reason, for programs.
pub(super) fn word(reason: Why) -> &'static str {
    why::word(&why::code(reason))
}

/// The sentence of a decision's reason, and, where several were equal, how many.
pub(super) fn reason(decision: &Decision) -> String {
    let replica = |number: u32| Arg::Text(number.to_string());
    let sentence = WORDS.say(&why::sentence(&why::code(decision.why), decision.to.into(), replica));
    match decision.tied {
        0 | 1 => sentence,
        tied => format!("{sentence} {}", WORDS.say(&msg("why.tied").with("n", tied))),
    }
}
