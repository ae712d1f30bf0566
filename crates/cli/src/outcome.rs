//! What a command gives back.

/// Text for stdout, and notes for stderr.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The results, complete with the last line's end.
    pub(crate) stdout: String,
    /// What the reader should know about them, one line each.
    pub(crate) notes: Vec<String>,
}

impl Outcome {
    /// Results without notes.
    pub(crate) fn text(stdout: String) -> Self {
        Self { stdout, notes: Vec::new() }
    }
}
