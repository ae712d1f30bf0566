//! Codes of finished tasks. They prove diligence, not identity: whoever reads this file can make one.

use tokenyard_lab::luck::SEEDS;
use tokenyard_lab::task::ENOUGH;
use tokenyard_lab::{Msg, msg};

use super::{Code, Kind, Slip, digest, scan, subject};
use crate::model::Lesson;

/// How a task was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Settings changed since the start, at most 15 are told.
    pub changes: u8,
    /// Of 200 seeds, in how many the goals hold: from 190 on. `None` where the task is pinned to a seed.
    pub passes: Option<u32>,
}

impl Finished {
    /// Eight bits.
    fn bits(self) -> u32 {
        let passes = self.passes.map_or(15, |n| n.clamp(ENOUGH, SEEDS) - ENOUGH);
        u32::from(self.changes.min(15)) << 4 | passes
    }

    fn of(bits: u32) -> Self {
        let passes = (bits & 15 != 15).then(|| ENOUGH + (bits & 15));
        Self { changes: (bits >> 4 & 15) as u8, passes }
    }
}

/// The name of a step's task, as codes know it.
fn name(lesson: &Lesson, step: &str) -> String {
    format!("{}/{step}", lesson.id)
}

/// 24 bits over task, word and outcome. Blanks, capitals and wide signs of the word do not matter.
fn seal(name: &str, word: &str, outcome: u32) -> u32 {
    let word: String = word.chars().map(scan::plain).filter(|c| !c.is_whitespace()).collect();
    digest(&format!("{name}\n{}\n{outcome}", word.to_lowercase())) >> 8
}

/// The code of a learner who finished the task of a step. `word` is a word or number that the learner
/// chose and tells the instructor.
#[must_use]
pub fn finished(lesson: &Lesson, step: &str, word: &str, outcome: Finished) -> Code {
    let (name, bits) = (name(lesson, step), outcome.bits());
    Code { kind: Kind::Finished, subject: subject(&name), content: seal(&name, word, bits) << 8 | bits }
}

/// Why a code does not show that a task was finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not sound.
    Slip(Slip),
    /// It carries a guess.
    Guess,
    /// It is of another task: its name, if it is one of this lesson.
    Foreign(Option<String>),
    /// It was made with another word: a neighbour's, perhaps.
    Word,
}

impl Refused {
    /// The reason in words: a key `code.…` of the catalogue.
    #[must_use]
    pub fn msg(&self) -> Msg {
        match self {
            Self::Slip(slip) => slip.msg(),
            Self::Guess => msg("code.is-guess"),
            Self::Foreign(Some(name)) => msg("code.foreign").with("name", name.clone()),
            Self::Foreign(None) => msg("code.foreign-unknown"),
            Self::Word => msg("code.word"),
        }
    }
}

/// Checks a code against the task and the learner's word.
///
/// # Errors
/// The first of these that is true: a slip with its place, a guess, another task, another word.
pub fn verify(lesson: &Lesson, step: &str, word: &str, text: &str) -> Result<Finished, Refused> {
    let code = Code::read(text).map_err(Refused::Slip)?;
    if code.kind != Kind::Finished {
        return Err(Refused::Guess);
    }
    let own = name(lesson, step);
    if code.subject != subject(&own) {
        let mut others = lesson.steps.iter().filter(|s| s.task.is_some()).map(|s| name(lesson, &s.id));
        return Err(Refused::Foreign(others.find(|name| subject(name) == code.subject)));
    }
    let bits = code.content & 255;
    if code.content >> 8 != seal(&own, word, bits) {
        return Err(Refused::Word);
    }
    Ok(Finished::of(bits))
}
