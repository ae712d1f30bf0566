//! What is wrong with a scenario or a trace, in words a person can act on.

use std::fmt;

/// Most problems that one reading reports.
pub const MOST_PROBLEMS: usize = 100;

/// One field that holds what it may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path of the field: `fleet.max_seqs`, `changes[2].kind`, or a place in the text.
    pub path: String,
    /// What stands there.
    pub given: String,
    /// What may stand there.
    pub allowed: String,
}

impl Problem {
    pub(crate) fn new(path: &str, given: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self { path: path.to_owned(), given: given.into(), allowed: allowed.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}; allowed: {}", self.path, self.given, self.allowed)
    }
}

impl std::error::Error for Problem {}

/// Keeps a hostile value from flooding a message.
pub(crate) fn shorten(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    if text.chars().count() > 40 { format!("{clean}…") } else { clean }
}
