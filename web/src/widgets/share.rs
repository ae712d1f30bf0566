//! "Share / embed": the button and the dialog. What is in it is a program of its own, which is asked
//! for when the dialog is opened.

use leptos::html::{Dialog, Div};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::live::{flag, text};
use crate::platform::tools::Tools;
use crate::shell::shell;
use crate::state::Lab;
use crate::tools::request::{Request, Written};

/// The button, and the dialog that it opens.
#[component]
pub fn Share(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell = shell();
    let (dialog, body) = (NodeRef::<Dialog>::new(), NodeRef::<Div>::new());
    let tools = StoredValue::new_local(None::<Tools>);
    // What the dialog says for itself; nothing while it is filled.
    let said = RwSignal::new(None::<&'static str>);
    let show = move |_| {
        lab.playing.set(false);
        let (Some(dialog), Some(body)) = (dialog.get_untracked(), body.get_untracked()) else {
            return;
        };
        let request = Request {
            page: shell.page.get_untracked(),
            lang: shell.lang.get_untracked(),
            state: Written { short: lab.link(false), full: lab.link(true) },
            sweep: lab.sweep.rows.get_untracked(),
        };
        said.set(Some("share.loading"));
        let _ = dialog.show_modal();
        spawn_local(async move {
            let loaded = Tools::load().await;
            let filled = loaded.as_ref().and_then(|t| t.call("open", &[body.into(), request.to_js()]));
            said.set((filled != Some(true.into())).then_some("share.failed"));
            tools.set_value(loaded);
        });
    };
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let closed = move |_| {
        tools.with_value(|tools| tools.as_ref().and_then(|tools| tools.call("close", &[])));
    };
    let line = move || said.get().map_or_else(String::new, |key| shell.t(key).get());
    view! {
        <div class="share">
            <button type="button" class="is-primary" aria-haspopup="dialog" on:click=show>{shell.t("share.open")}</button>
            <dialog class="share-dialog" aria-labelledby="share-title" node_ref=dialog on:close=closed>
                <div class="share-head">
                    <h2 id="share-title" class="card-title">{shell.t("share.title")}</h2>
                    <button type="button" on:click=close>{shell.t("share.close")}</button>
                </div>
                <p role="status" hidden=flag(move || said.get().is_none())>{text(line)}</p>
                <div class="share-body" node_ref=body></div>
            </dialog>
        </div>
    }
    .into_any()
}
