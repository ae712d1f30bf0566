//! The guesses of a class: collected from pasted text, counted, and nothing else.

use std::collections::BTreeSet;

use tokenyard_lab::{Arg, Msg, msg};

use super::scan::{MAX_TEXT, scan};
use super::{Code, Kind, Slip, subject};
use crate::question::Question;

/// Most codes of a room.
pub const MAX_CODES: usize = 2_000;

/// Random bits of a guess. They tell two learners with the same guess from one who pasted twice: of
/// 200 learners with one and the same guess two have the same bits with probability
/// 200 · 199 / 2 / 2²⁴ = 0.12%; with different guesses less.
const CHANCE: u32 = 24;

/// A guess as a code. `chance` is any number; its low 24 bits are used, and they must be drawn anew for
/// every learner. `None` if there is no guess of that number.
#[must_use]
pub fn guess(question: &Question, index: u32, chance: u32) -> Option<Code> {
    let inside = index < question.guesses() && index < 256;
    let content = index << CHANCE | chance & ((1 << CHANCE) - 1);
    inside.then(|| Code { kind: Kind::Guess, subject: subject(&question.name), content })
}

/// Why a code does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is not sound.
    Slip(Slip),
    /// It answers another question: its name, if it is one of those that are known.
    Foreign(Option<String>),
    /// It is of a finished task, not of a guess.
    Finished,
    /// Its guess is none of this question.
    Outside,
    /// It was there before: the same learner again.
    Repeated,
    /// The room is full.
    Full,
    /// The text is longer than is looked at.
    Long,
}

/// A code that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// As it was pasted.
    pub text: String,
    /// Why.
    pub why: Why,
}

impl Why {
    /// The reason in words: a key `code.…` of the catalogue.
    #[must_use]
    pub fn msg(&self) -> Msg {
        match self {
            Self::Slip(slip) => slip.msg(),
            Self::Foreign(Some(name)) => msg("code.foreign").with("name", name.clone()),
            Self::Foreign(None) => msg("code.foreign-unknown"),
            Self::Finished => msg("code.is-finished"),
            Self::Outside => msg("code.outside"),
            Self::Repeated => msg("code.repeated"),
            Self::Full => msg("code.full").with("most", MAX_CODES),
            Self::Long => msg("code.long").with("most", MAX_TEXT),
        }
    }
}

impl Slip {
    /// What is wrong in words: a key `code.…` of the catalogue.
    #[must_use]
    pub fn msg(self) -> Msg {
        match self {
            Self::Length(n) => msg("code.length").with("n", n).with("of", super::SYMBOLS),
            Self::Sign(at) => msg("code.sign").with("at", at),
            Self::Symbol(at, c) => msg("code.symbol").with("at", at).with("meant", Arg::Text(c.into())),
            Self::Swapped(at) => msg("code.swapped").with("at", at).with("next", at + 1),
            Self::Several => msg("code.several"),
            Self::Unknown => msg("code.unknown"),
        }
    }
}

/// A class's answers to one question. It keeps guesses with their random bits and no text.
#[derive(Clone, Debug)]
pub struct Room {
    question: Question,
    known: Vec<String>,
    taken: BTreeSet<u32>,
    repeated: u32,
}

impl Room {
    /// An empty room for a question. `known` names other questions and tasks, so that their codes can be
    /// said to be theirs.
    #[must_use]
    pub fn of(question: Question, known: &[String]) -> Self {
        Self { question, known: known.to_vec(), taken: BTreeSet::new(), repeated: 0 }
    }

    /// Takes every code of a text. What looks like one and does not count comes back with its reason.
    pub fn add(&mut self, text: &str) -> Vec<Rejected> {
        let mut rejected = Vec::new();
        if text.len() > MAX_TEXT {
            rejected.push(Rejected { text: String::new(), why: Why::Long });
        }
        for found in scan(text) {
            if let Err(why) = found.code.map_err(Why::Slip).and_then(|code| self.take(code)) {
                rejected.push(Rejected { text: found.text, why });
            }
        }
        rejected
    }

    fn take(&mut self, code: Code) -> Result<(), Why> {
        if code.kind == Kind::Finished {
            return Err(Why::Finished);
        }
        if code.subject != subject(&self.question.name) {
            let known = self.known.iter().find(|name| subject(name) == code.subject);
            return Err(Why::Foreign(known.cloned()));
        }
        if code.content >> CHANCE >= self.question.guesses() {
            return Err(Why::Outside);
        }
        if self.taken.contains(&code.content) {
            self.repeated += 1;
            return Err(Why::Repeated);
        }
        if self.taken.len() >= MAX_CODES {
            return Err(Why::Full);
        }
        self.taken.insert(code.content);
        Ok(())
    }

    /// What is asked.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// How many learners made each guess, by its number.
    #[must_use]
    pub fn counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.question.guesses() as usize];
        for content in &self.taken {
            if let Some(count) = counts.get_mut((content >> CHANCE) as usize) {
                *count += 1;
            }
        }
        counts
    }

    /// The codes of everybody who was counted, in no order that says who came first: what to keep, and to
    /// [`Room::add`] again.
    #[must_use]
    pub fn codes(&self) -> Vec<String> {
        let subject = subject(&self.question.name);
        self.taken
            .iter()
            .map(|content| Code { kind: Kind::Guess, subject, content: *content }.write())
            .collect()
    }

    /// Learners that were counted.
    #[must_use]
    pub fn learners(&self) -> usize {
        self.taken.len()
    }

    /// Forgets everything that came; the question stays.
    pub fn clear(&mut self) {
        self.taken.clear();
        self.repeated = 0;
    }

    /// Codes that came more than once, each time after the first.
    #[must_use]
    pub fn repeated(&self) -> u32 {
        self.repeated
    }
}
