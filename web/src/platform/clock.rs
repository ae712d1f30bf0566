//! Playback pace and debouncing. Simulated time never depends on any of this.

use std::time::Duration;

use leptos::prelude::*;

/// Runs `work` once, `ms` after the last call: each call replaces the one before it.
#[derive(Clone, Copy, Debug)]
pub struct Debounce {
    handle: StoredValue<Option<TimeoutHandle>>,
    ms: u64,
}

impl Debounce {
    /// A debouncer that ends with the component that made it.
    #[must_use]
    pub fn new(ms: u64) -> Self {
        let handle: StoredValue<Option<TimeoutHandle>> = StoredValue::new(None);
        on_cleanup(move || {
            if let Some(h) = handle.try_get_value().flatten() {
                h.clear();
            }
        });
        Self { handle, ms }
    }

    /// Plans `work`, forgetting what was planned before.
    pub fn call(self, work: impl FnOnce() + 'static) {
        self.call_in(self.ms, work);
    }

    /// As [`Debounce::call`] with a delay of its own.
    pub fn call_in(self, ms: u64, work: impl FnOnce() + 'static) {
        self.cancel();
        let handle = set_timeout_with_handle(work, Duration::from_millis(ms)).ok();
        self.handle.set_value(handle);
    }

    /// Forgets what was planned.
    pub fn cancel(self) {
        if let Some(handle) = self.handle.get_value() {
            handle.clear();
        }
        self.handle.set_value(None);
    }
}
