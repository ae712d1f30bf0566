//! A learner's code: to read out, to copy, or to hold up to a camera.

use leptos::html::Dialog;
use leptos::prelude::*;
use tokenyard_lesson::code::Code;
use tokenyard_lesson::qr;

use super::copy::Copy;
use crate::shell::shell;
use crate::widgets::live::{drawn, flag, text};

/// The code in large type with its QR drawing; nothing while there is none.
#[component]
pub fn OwnCode(
    /// The code, once there is one.
    code: Signal<Option<Code>>,
    /// What it is the code of.
    name: Signal<String>,
) -> impl IntoView {
    let shell = shell();
    let (dialog, open) = (NodeRef::<Dialog>::new(), RwSignal::new(false));
    let written = text(move || code.get().map_or_else(String::new, |code| code.write()));
    let show = move |_| {
        open.set(true);
        if let Some(dialog) = dialog.get_untracked() {
            let _ = dialog.show_modal();
        }
    };
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let picture = move || match (open.get(), written.get()) {
        (false, _) => String::new(),
        (true, written) => qr::svg(&written, &name.get()).unwrap_or_default(),
    };
    view! {
        <div class="own-code" role="group" aria-label=name hidden=flag(move || code.get().is_none())>
            <p class="own-name">{name}</p>
            <p class="own-text" translate="no">{written}</p>
            <p class="note">{shell.t("class.nobody")}</p>
            <div class="own-actions">
                <button type="button" aria-haspopup="dialog" on:click=show>{shell.t("class.show-qr")}</button>
                <Copy name="class.copy" what=written />
            </div>
            <dialog class="own-qr" aria-label=name node_ref=dialog on:close=move |_| open.set(false) on:click=move |_| close()>
                {drawn("own-picture", picture)}
                <p class="own-text" translate="no">{written}</p>
                <button type="button" class="is-primary">{shell.t("class.hide-qr")}</button>
            </dialog>
        </div>
    }
    .into_any()
}
