//! What the pages of one session wrote to the console, in one form for all engines.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How serious the page or the engine said a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Debug and log output, notes of the engine.
    Info,
    /// Warnings.
    Warning,
    /// Errors: `console.error`, uncaught exceptions, unhandled rejections, policy violations,
    /// resources that failed to load.
    Error,
}

/// One console message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its seriousness.
    pub level: Level,
    /// The text as the engine words it.
    pub text: String,
}

impl Entry {
    /// Whether this is the engine reporting a violated content security policy.
    #[must_use]
    pub fn is_violation(&self) -> bool {
        // Firefox writes the header's name, the others write words.
        let named =
            self.text.contains("Content Security Policy") || self.text.contains("Content-Security-Policy");
        named && self.level == Level::Error
    }
}

/// Messages of one session; the debugging channel writes, the tab reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<Entry>>>);

impl Log {
    pub(crate) fn push(&self, level: Level, text: impl Into<String>) {
        self.lock().push(Entry { level, text: text.into() });
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.lock().clone()
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// Removes the message that contains `mark` and says whether it was there.
    pub(crate) fn take_mark(&self, mark: &str) -> bool {
        let mut entries = self.lock();
        let before = entries.len();
        entries.retain(|entry| !entry.text.contains(mark));
        entries.len() < before
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
