//! Chores of the project, in Rust so that they run the same on every machine.
//!
//! `main` parses the arguments and calls one function of one module here. The tests in `tests/`
//! keep the rules of the tree: `fences` (who may depend on whom), `tidy` (length, words, pins) and
//! `pins` (tool versions named in more than one place agree).

pub mod args;
pub mod bench;
pub mod cache;
pub mod clock;
pub mod debian;
pub mod dist;
pub mod doctor;
pub mod embeds;
pub mod files;
pub mod fingerprint;
pub mod fleet;
pub mod fuzz;
pub mod hosts;
pub mod install;
pub mod lockfile;
pub mod process;
pub mod serve;
pub mod shared;
pub mod suite;
pub mod tools;
pub mod workspace;

/// What a chore reports when it cannot go on: one sentence for a person, with the fix in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble(pub String);

impl Trouble {
    /// From anything that prints itself.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Trouble {}

/// Result of every chore.
pub type Outcome<T> = Result<T, Trouble>;

/// Adds what was being done to an error from the system.
pub trait Context<T> {
    /// `doing` completes the sentence "could not …".
    fn context(self, doing: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T, E: std::fmt::Display> Context<T> for Result<T, E> {
    fn context(self, doing: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| Trouble(format!("could not {}: {error}", doing())))
    }
}
