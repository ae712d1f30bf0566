//! Why a file cannot be opened.

use tokenyard_figure::Unread;
use tokenyard_lab::{Arg, Msg, msg};

/// Most characters of a file's name that a message repeats.
const MOST_NAME: usize = 60;

/// What a file looked like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nothing is in it.
    Empty,
    /// Neither text in UTF-8 nor a picture of ours.
    NoText,
    /// A picture; why there is no state in it.
    Figure(Unread),
    /// A JSON document or a transcript of ours that is damaged, or of a newer form.
    Export(Unread),
    /// A CSV of ours under a name that does not say which settings it is of.
    Numbers,
    /// JSON, but neither ours nor a scenario.
    Json,
    /// A text without a link of ours.
    NoLink,
    /// A text with links to several states.
    Several,
    /// More bytes than anything that can be opened; how many.
    Large(usize),
}

/// A file that cannot be opened: which, and why. [`Unopened::say`] has the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unopened {
    /// The file's name as a message shows it: short, without control characters; empty if none is
    /// known.
    pub name: String,
    /// What it looked like.
    pub reason: Reason,
}

impl Unopened {
    pub(super) fn new(name: Option<&str>, reason: Reason) -> Self {
        // Characters that turn the direction of text could make one name look like another.
        let turns = |c: &char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let clean = name.unwrap_or_default().chars().filter(|c| !c.is_control() && !turns(c));
        let mut name: String = clean.take(MOST_NAME + 1).collect();
        if let Some((end, _)) = name.char_indices().nth(MOST_NAME) {
            name.truncate(end);
            name.push('…');
        }
        Self { name, reason }
    }

    /// The whole refusal as a message of the common catalogue: which file, what it looked like, and
    /// what can be opened.
    #[must_use]
    pub fn say(&self) -> Msg {
        let name = match self.name.as_str() {
            "" => Arg::Msg(msg("unopened.this")),
            name => Arg::Text(name.to_owned()),
        };
        msg("unopened.said")
            .with("name", name)
            .with("what", self.reason.say())
            .with("allowed", msg("unopened.allowed"))
    }
}

impl Reason {
    /// What the file looked like, as a sentence of the common catalogue.
    #[must_use]
    pub fn say(&self) -> Msg {
        match self {
            Self::Empty => msg("unopened.empty"),
            Self::NoText => msg("unopened.no-text"),
            Self::Figure(unread) => unread.say(),
            Self::Export(Unread::Newer(_)) => msg("unopened.newer"),
            Self::Export(_) => msg("unopened.broken"),
            Self::Numbers => msg("unopened.numbers"),
            Self::Json => msg("unopened.json"),
            Self::NoLink => msg("unopened.no-link"),
            Self::Several => msg("unopened.several"),
            Self::Large(_) => msg("unopened.large"),
        }
    }
}
