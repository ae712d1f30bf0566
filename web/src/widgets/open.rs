//! A file opens what it holds: a figure or an export its state, a scenario or a trace the fleet page.
//! It can be dropped on any place of a page, or chosen at its foot, and never leaves the tab.
//!
//! What a file is, the tools say; they are asked for with the first one.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File};

use super::file::ChooseFile;
use super::live::{flag, text};
use crate::page::Kind;
use crate::platform::nav;
use crate::platform::tools::Tools;
use crate::shell::{Shell, shell};
use crate::tools::request::{Request, Written};

/// What is said about the last file.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    /// A sentence in the reader's language.
    Line(String),
    /// The same for a file that another page opens: which.
    Elsewhere(Kind, String),
    /// The tools could not be had.
    Failed,
}

/// The field at the foot, the ear for dropped files, and what is said about them.
#[component]
pub fn OpenFile() -> impl IntoView {
    let shell = shell();
    let said = RwSignal::new(None::<Said>);
    let take = move |file: File| {
        spawn_local(async move { said.set(opened(shell, file).await) });
    };
    drop_anywhere(take);
    let line = move || match said.get() {
        None => String::new(),
        Some(Said::Line(line) | Said::Elsewhere(_, line)) => line,
        Some(Said::Failed) => shell.t("open.failed").get(),
    };
    let elsewhere = move || match said.get() {
        Some(Said::Elsewhere(kind, _)) => Some(kind),
        _ => None,
    };
    let here = flag(move || elsewhere().is_none());
    let href = move || {
        let kind = elsewhere().unwrap_or(Kind::Fleet);
        shell.page.with(|page| page.href(&kind))
    };
    let name = move || match elsewhere() {
        Some(Kind::Teach) => shell.t("open.lessons").get(),
        _ => shell.t("open.fleet").get(),
    };
    view! {
        <ChooseFile name=shell.t("open.choose") class="open-file" take=Callback::new(take) />
        <div class="opened" hidden=flag(move || said.get().is_none())>
            <p role="status">{text(line)}</p>
            <a hidden=here href=text(href)>{text(name)}</a>
            <button type="button" on:click=move |_| said.set(None)>{shell.t("open.close")}</button>
        </div>
    }
    .into_any()
}

/// A file may be dropped on any place of the page. Without this a browser would leave the page for it.
fn drop_anywhere(take: impl Fn(File) + 'static) {
    if cfg!(feature = "ssr") {
        return;
    }
    let over = window_event_listener_untyped("dragover", |event| {
        if files(&event).is_some() {
            event.prevent_default();
        }
    });
    let dropped = window_event_listener_untyped("drop", move |event| {
        if let Some(files) = files(&event) {
            event.prevent_default();
            if let Some(file) = files.get(0) {
                take(file);
            }
        }
    });
    on_cleanup(move || {
        over.remove();
        dropped.remove();
    });
}

/// The files that are dragged, if it is files: text that is dragged into a field stays what it is.
fn files(event: &web_sys::Event) -> Option<web_sys::FileList> {
    let moved = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    moved.types().iter().any(|kind| kind == "Files").then(|| moved.files())?
}

/// Opens a file; what is to be said about it, if it did not open.
async fn opened(shell: Shell, file: File) -> Option<Said> {
    let Some(tools) = Tools::load().await else {
        return Some(Said::Failed);
    };
    let request = Request {
        page: shell.page.get_untracked(),
        lang: shell.lang.get_untracked(),
        state: Written::default(),
        sweep: Vec::new(),
    };
    let Some(answer) = tools.ask("read", &[file.clone().into(), request.to_js()]).await else {
        return Some(Said::Failed);
    };
    let get = |key: &str| js_sys::Reflect::get(&answer, &key.into()).ok()?.as_string();
    if let Some(url) = get("go") {
        nav::leave_for(&url);
        return None;
    }
    let [fleet, teach] = ["fleet", "teach"].map(get);
    let kind = if fleet.is_some() { Kind::Fleet } else { Kind::Teach };
    match fleet.or(teach) {
        Some(_) if shell.page.with_untracked(|page| page.kind == kind) => {
            shell.file.set(Some(file));
            None
        }
        Some(line) => Some(Said::Elsewhere(kind, line)),
        None => Some(get("say").map_or(Said::Failed, Said::Line)),
    }
}
