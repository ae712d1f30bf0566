//! What is wrong in a lesson file, and where.

use tokenyard_lab::{Msg, msg};

/// Most faults that are reported; more do not help anybody.
const MOST: usize = 100;

/// A line of a file, from 1. Where something was written is no part of what it is, so all lines are
/// equal: two lessons are equal if they say the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line(pub u32);

impl PartialEq for Line {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Line {}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Line of the file, from 1.
    pub line: Line,
    /// The field: `title.ja`, or with its step before it, `guess.minutes`. Empty for a line that is
    /// none.
    pub field: String,
    /// What is there, shortened; empty if nothing is.
    pub given: String,
    /// What is wrong and what is allowed: a key `fault.…` of the catalogue.
    pub why: Msg,
}

impl Fault {
    /// Line, field, value and reason as one message.
    #[must_use]
    pub fn msg(&self) -> Msg {
        let key = match (self.field.is_empty(), self.given.is_empty()) {
            (true, true) => "fault.at",
            (true, false) => "fault.at-given",
            (false, true) => "fault.at-field",
            (false, false) => "fault.at-field-given",
        };
        msg(key)
            .with("line", self.line.0)
            .with("field", self.field.clone())
            .with("given", self.given.clone())
            .with("why", self.why.clone())
    }
}

/// Faults as they are found, in any order and not without end.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    found: Vec<Fault>,
}

impl Faults {
    /// Adds one.
    pub(crate) fn add(&mut self, line: Line, field: &str, given: &str, why: Msg) {
        if self.found.len() < MOST {
            let field = shorten(field);
            self.found.push(Fault { line, field, given: shorten(given), why });
        }
    }

    /// All of them in the order of their lines.
    pub(crate) fn finish(mut self) -> Vec<Fault> {
        self.found.sort_by_key(|fault| fault.line.0);
        self.found
    }

    /// Whether something was found about a field.
    pub(crate) fn about(&self, field: &str) -> bool {
        self.found.iter().any(|fault| fault.field == field)
    }

    /// Whether all that was found lies in fields which nothing else refers to.
    pub(crate) fn are_local(&self) -> bool {
        let referred = |field: &str| ["", "id", "state", "languages", "solution"].contains(&field);
        let last = |field: &str| field.rsplit('.').next().unwrap_or_default().to_owned();
        self.found.iter().all(|fault| !fault.field.is_empty() && !referred(&last(&fault.field)))
    }

    /// Whether nothing was found.
    pub(crate) fn none(&self) -> bool {
        self.found.is_empty()
    }
}

/// The beginning of what somebody wrote: keeps a hostile value from flooding a message.
#[must_use]
pub fn shorten(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = text.chars().take(60).map(clean).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}
