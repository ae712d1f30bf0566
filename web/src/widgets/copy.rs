//! Copying a text, and what came of it.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::live::follow;
use crate::platform::nav;

/// Something that is copied. Handles only, so it is `Copy`.
#[derive(Clone, Copy, Debug)]
pub struct Copied {
    what: Signal<String>,
    /// Whether the browser took it; `None` before anybody asked, and as soon as it is another text.
    pub done: RwSignal<Option<bool>>,
}

impl Copied {
    /// Nothing is copied yet.
    #[must_use]
    pub fn of(what: Signal<String>) -> Self {
        let done = RwSignal::new(None);
        // What was copied is not what is there any more.
        follow(move |_| {
            what.track();
            done.set(None);
        });
        Self { what, done }
    }

    /// Copies it as it is now.
    pub fn copy(self) {
        let now = self.what.get_untracked();
        spawn_local(async move {
            let copied = nav::copy(&now).await;
            self.done.try_set(Some(copied));
        });
    }
}
