//! Files: a trace or a scenario is dropped or chosen and never leaves the tab; a scenario is saved.

use js_sys::Uint8Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tokenyard_fleet::scenario::{Draft, MOST_BYTES, Problem};
use tokenyard_lab::{Arg, msg};
use tokenyard_study::Study;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use super::Fleet;
use super::state::TraceFile;
use crate::platform::save;
use crate::shell::shell;
use crate::widgets::file::ChooseFile;
use crate::widgets::live::{flag, follow, text};

/// Largest trace that is taken: several times the largest public one.
const MOST_TRACE: f64 = 256e6;

/// Opening and saving.
#[component]
pub fn Files(
    /// State of the page.
    fleet: Fleet,
) -> impl IntoView {
    let shell = shell();
    follow(move |_| {
        if let Some(file) = shell.file.get() {
            shell.file.set(None);
            take(fleet, file);
        }
    });
    let name = RwSignal::new(String::new());
    let open = move || {
        fleet.trace.track();
        let file = fleet.file.with_value(|f| f.as_ref().map(|f| f.name.clone()));
        name.set(file.clone().unwrap_or_default());
        file.is_some()
    };
    let none = flag(move || !open());
    let about = move || shell.now(&msg("file.open").with("name", Arg::Text(name.get())));
    let chosen = Callback::new(move |file: File| take(fleet, file));
    view! {
        <section class="card fl-files" aria-labelledby="files-title">
            <h2 id="files-title" class="card-title">{shell.t("file.title")}</h2>
            <p class="knob-help">{shell.t("file.help")}</p>
            <ChooseFile name=shell.t("file.choose") class="fl-file" field="" accept=".json,.jsonl,.csv" take=chosen />
            <p class="fl-file-open" hidden=none>
                <span role="status">{text(about)}</span>
                <button type="button" on:click=move |_| close(fleet)>{shell.t("file.close")}</button>
            </p>
            <div class="knob-actions">
                <button type="button" on:click=move |_| { save(fleet); }>{shell.t("file.save")}</button>
            </div>
        </section>
    }
    .into_any()
}

/// Opens a file: a scenario if it is called `.json`, else a trace.
fn take(fleet: Fleet, file: File) {
    let scenario = file.name().ends_with(".json");
    let most = if scenario { MOST_BYTES as f64 } else { MOST_TRACE };
    if file.size() > most {
        let given = format!("{} bytes", file.size());
        let problem = Problem { path: file.name(), given, allowed: format!("at most {most} bytes") };
        fleet.problems.set(vec![problem]);
        return;
    }
    spawn_local(async move {
        let bytes = JsFuture::from(file.array_buffer()).await;
        let name = file.name();
        match bytes {
            Ok(buffer) if scenario => open_scenario(fleet, &Uint8Array::new(&buffer).to_vec()),
            Ok(buffer) => open_trace(fleet, name, Uint8Array::new(&buffer)),
            Err(why) => {
                let given = why.as_string().unwrap_or_else(|| "unreadable".to_owned());
                fleet.problems.set(vec![Problem {
                    path: name,
                    given,
                    allowed: "a file that can be read".to_owned(),
                }]);
            }
        }
    });
}

fn open_scenario(fleet: Fleet, bytes: &[u8]) {
    match Draft::read(bytes) {
        Ok(draft) => fleet.change(|study| *study = Study::of_draft(draft)),
        Err(problems) => fleet.problems.set(problems),
    }
}

fn open_trace(fleet: Fleet, name: String, bytes: Uint8Array) {
    let number = fleet.trace.get_untracked().max(1) + 1;
    fleet.file.set_value(Some(TraceFile { name, number, bytes }));
    fleet.change(|study| {
        // Known to be right: `trace` is one of the options.
        let _ = study.base.set("workload.arrivals", "trace");
    });
    fleet.trace.set(number);
}

fn close(fleet: Fleet) {
    fleet.file.set_value(None);
    fleet.change(|study| {
        let _ = study.base.set("workload.arrivals", "poisson");
    });
    fleet.trace.set(0);
}

/// Saves the scenario with its first rule, as the command line reads it.
pub fn save(fleet: Fleet) -> Option<()> {
    let written = fleet.study.with_untracked(|study| study.draft(0).write());
    save::save("tokenyard-scenario.json", &save::blob(&written.into(), "application/json")?)
}
