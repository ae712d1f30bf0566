//! The codes of finished tasks of a whole class, one learner a line: a word and a code, in either order.

use std::collections::BTreeMap;

use super::scan::{MAX_TEXT, plain, scan};
use super::{Code, Finished, GROUP, Refused, SYMBOLS, verify};
use crate::model::Lesson;

/// What is known of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its number, from 1.
    pub line: u32,
    /// The word that stands beside the code.
    pub word: String,
    /// The code, as it was read or as it stands there. Empty if there is none.
    pub code: String,
    /// Whether it holds.
    pub answer: Answer,
}

/// Whether a line holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The code fits the word. `same` is an earlier line with the same word and code.
    Fine {
        /// How the task was finished.
        how: Finished,
        /// The first line that says the same.
        same: Option<u32>,
    },
    /// It does not, and why.
    Refused(Refused),
    /// No word stands beside the code.
    NoWord,
    /// Nothing in the line looks like a code.
    NoCode,
}

/// Checks every line of a text that is not blank. Words may stand before or behind their codes, apart by
/// blanks, tabs, commas or what a table program writes. Text past [`MAX_TEXT`] is not looked at.
#[must_use]
pub fn check(lesson: &Lesson, step: &str, text: &str) -> Vec<Checked> {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let mut seen: BTreeMap<(String, String), u32> = BTreeMap::new();
    let lines = text[..end].lines().zip(1_u32..).filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(line, at)| one(lesson, step, line, at, &mut seen)).collect()
}

fn one(
    lesson: &Lesson,
    step: &str,
    line: &str,
    at: u32,
    seen: &mut BTreeMap<(String, String), u32>,
) -> Checked {
    let Some((code, words)) = parts(line) else {
        return Checked {
            line: at,
            word: line.trim().to_owned(),
            code: String::new(),
            answer: Answer::NoCode,
        };
    };
    let tried = |word: &String| (word.clone(), verify(lesson, step, word, &code));
    let fine = words.iter().map(tried).find_map(|(word, answer)| Some((word, answer.ok()?)));
    let (word, answer) = match fine {
        Some((word, how)) => {
            let first = *seen.entry((word.to_lowercase(), code.clone())).or_insert(at);
            (word, Answer::Fine { how, same: (first != at).then_some(first) })
        }
        None => refused(lesson, step, words, &code),
    };
    Checked { line: at, word, code, answer }
}

/// Why a line does not hold, with its most likely word.
fn refused(lesson: &Lesson, step: &str, words: Vec<String>, code: &str) -> (String, Answer) {
    let word = words.into_iter().next_back().unwrap_or_default();
    let answer = match verify(lesson, step, &word, code) {
        Err(Refused::Word) if word.is_empty() => Answer::NoWord,
        Err(why) => Answer::Refused(why),
        // A code that was made without a word fits every bare line.
        Ok(_) => Answer::NoWord,
    };
    (word, answer)
}

/// The code of a line, and what its word may be: with the signs around it, without separators, and bare.
/// A code that is sound comes before one that only looks like one.
fn parts(line: &str) -> Option<(String, Vec<String>)> {
    let signs: Vec<char> = line.chars().collect();
    let tokens = tokens(&signs);
    let joined = |from: usize, n: usize| -> Option<String> {
        let token = |(a, b): &(usize, usize)| signs[*a..*b].iter().copied().map(plain).collect::<String>();
        Some(tokens.get(from..from + n)?.iter().map(token).collect::<Vec<_>>().join("-"))
    };
    let places = || (0..tokens.len()).flat_map(|from| (1..=SYMBOLS / GROUP).map(move |n| (from, n)));
    let sound = places().find_map(|(from, n)| {
        let code = Code::read(&joined(from, n)?).ok()?;
        Some((from, n, code.write()))
    });
    let (from, n, code) = sound.or_else(|| {
        let found = scan(line).into_iter().next()?;
        let (from, n) = places().find(|(from, n)| joined(*from, *n).as_ref() == Some(&found.text))?;
        Some((from, n, found.text))
    })?;
    let before: String = signs[..tokens[from].0].iter().collect();
    let after: String = signs[tokens[from + n - 1].1..].iter().collect();
    let around = |trim: &dyn Fn(char) -> bool| {
        format!("{} {}", before.trim_matches(trim), after.trim_matches(trim)).trim().to_owned()
    };
    let separates = |c: char| c.is_whitespace() || ",;:|=\"'、，；：".contains(c);
    let words = vec![around(&char::is_whitespace), around(&separates), around(&|c| !c.is_alphanumeric())];
    Some((code, words.into_iter().filter(|word| !word.is_empty()).collect()))
}

/// Where letters, digits and dashes stand together, without dashes at their ends.
fn tokens(signs: &[char]) -> Vec<(usize, usize)> {
    let dash = |at: &usize| plain(signs[*at]) == '-';
    let part = |at: &usize| plain(signs[*at]).is_ascii_alphanumeric() || dash(at);
    let (mut out, mut at) = (Vec::new(), 0);
    while at < signs.len() {
        let end = (at..signs.len()).find(|i| !part(i)).unwrap_or(signs.len());
        let from = (at..end).find(|i| !dash(i)).unwrap_or(end);
        let to = (from..end).rev().find(|i| !dash(i)).map_or(from, |i| i + 1);
        if from < to {
            out.push((from, to));
        }
        at = end.max(at + 1);
    }
    out
}
