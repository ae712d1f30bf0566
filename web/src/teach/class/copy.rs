//! A button that copies a text, and the text itself where the browser refuses.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::platform::nav;
use crate::shell::shell;
use crate::widgets::live::{flag, follow, text};

/// Copies a text and says so.
#[component]
pub fn Copy(
    /// Words of the button.
    name: &'static str,
    /// What is copied.
    what: Signal<String>,
) -> impl IntoView {
    let shell = shell();
    let said = RwSignal::new(None::<bool>);
    let copy = move |_| {
        let now = what.get_untracked();
        spawn_local(async move {
            let copied = nav::copy(&now).await;
            said.try_set(Some(copied));
        });
    };
    // What was copied is not what is there any more.
    follow(move |_| {
        what.track();
        said.set(None);
    });
    let words = move || match said.get() {
        None => String::new(),
        Some(true) => shell.t("class.copied").get(),
        Some(false) => shell.t("class.by-hand").get(),
    };
    let refused = flag(move || said.get() != Some(false));
    let shown = text(move || if refused.get() { String::new() } else { what.get() });
    view! {
        <button type="button" on:click=copy>{shell.t(name)}</button>
        <span role="status" class="note">{text(words)}</span>
        <textarea
            class="copy-hand"
            readonly
            rows="3"
            spellcheck="false"
            aria-label=shell.t("class.by-hand")
            hidden=refused
            prop:value=shown
        ></textarea>
    }
    .into_any()
}
