//! A button that copies a text, and the text itself where the browser refuses.

use leptos::prelude::*;

use crate::shell::shell;
use crate::widgets::copy::Copied;
use crate::widgets::live::{flag, text};

/// Copies a text and says so.
#[component]
pub fn Copy(
    /// Words of the button.
    name: &'static str,
    /// What is copied.
    what: Signal<String>,
) -> impl IntoView {
    let shell = shell();
    let copied = Copied::of(what);
    let words = move || match copied.done.get() {
        None => String::new(),
        Some(true) => shell.t("class.copied").get(),
        Some(false) => shell.t("class.by-hand").get(),
    };
    let refused = flag(move || copied.done.get() != Some(false));
    let shown = text(move || if refused.get() { String::new() } else { what.get() });
    view! {
        <button type="button" on:click=move |_| copied.copy()>{shell.t(name)}</button>
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
