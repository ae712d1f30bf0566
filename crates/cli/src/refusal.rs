//! Input that cannot be used, in words a person reads.

use std::fmt;

use tokenyard_param::{ParamError, ParamSpec};

/// Most reasons that are printed; a hostile link can have hundreds.
const MOST: usize = 8;

/// Why nothing was run. Printed as one line for each reason.
#[derive(Debug)]
pub(crate) struct Refusal(Vec<String>);

impl Refusal {
    /// One reason.
    pub(crate) fn new(reason: String) -> Self {
        Self(vec![reason])
    }

    /// Several reasons, the first few of them in full; `None` if there are none.
    pub(crate) fn all(mut reasons: Vec<String>) -> Option<Self> {
        let more = reasons.len().saturating_sub(MOST);
        reasons.truncate(MOST);
        if more > 0 {
            reasons.push(format!("and {more} more"));
        }
        (!reasons.is_empty()).then_some(Self(reasons))
    }

    /// Several reasons, all of them: of a file that somebody wrote and will mend.
    pub(crate) fn every(reasons: Vec<String>) -> Self {
        Self(reasons)
    }

    /// A value that a parameter cannot take.
    pub(crate) fn value(error: &ParamError, spec: &ParamSpec) -> Self {
        Self::new(format!("{error} (--{})", spec.flag()))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(|reason| format!("error: {reason}")).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// Makes foreign text fit for a terminal line: no control characters, at most 40 characters.
pub(crate) fn shown(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).take(41).collect();
    match clean.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}
