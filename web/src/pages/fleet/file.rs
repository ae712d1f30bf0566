//! Files: a trace or a scenario is dropped or chosen and never leaves the tab; a scenario is saved.

use js_sys::Uint8Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tokenyard_export::{HEAD, body, table_csv, trace};
use tokenyard_fleet::scenario::{Draft, MOST_BYTES, Problem};
use tokenyard_lab::{Arg, msg};
use tokenyard_study::{COLUMNS, Study};
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use super::Fleet;
use super::state::TraceFile;
use crate::platform::save;
use crate::shell::{Shell, shell};
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
                <button
                    type="button"
                    data-export="table.csv"
                    disabled=flag(move || fleet.table.with(|table| table.rows.is_empty()))
                    on:click=move |_| { save_table(fleet, shell); }
                >
                    {shell.t("file.save-table")}
                </button>
            </div>
        </section>
    }
    .into_any()
}

/// Opens a file: a scenario or a trace, by its bytes, whatever it is called.
fn take(fleet: Fleet, file: File) {
    let name = file.name();
    let refuse = move |path: String, given: String, allowed: String| {
        fleet.problems.set(vec![Problem { path, given, allowed }]);
    };
    let large = move |path: String, bytes: f64, most: f64| {
        refuse(path, format!("{bytes} bytes"), format!("at most {most} bytes"));
    };
    if file.size() > MOST_TRACE {
        return large(name, file.size(), MOST_TRACE);
    }
    spawn_local(async move {
        let bytes = match JsFuture::from(file.array_buffer()).await {
            Ok(buffer) => Uint8Array::new(&buffer),
            Err(why) => {
                let given = why.as_string().unwrap_or_else(|| "unreadable".to_owned());
                return refuse(name, given, "a file that can be read".to_owned());
            }
        };
        if !is_scenario(&bytes.subarray(0, HEAD as u32).to_vec()) {
            open_trace(fleet, name, bytes);
        } else if bytes.length() as usize > MOST_BYTES {
            large(name, f64::from(bytes.length()), MOST_BYTES as f64);
        } else {
            open_scenario(fleet, &bytes.to_vec());
        }
    });
}

/// Whether a file begins as a scenario does: an object that is no line of a trace.
fn is_scenario(head: &[u8]) -> bool {
    body(head).starts_with(b"{") && trace(head).is_none()
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

/// Saves the summary as CSV: a row for each rule.
fn save_table(fleet: Fleet, shell: Shell) -> Option<()> {
    let text = shell.words.with_untracked(|words| {
        let headings = COLUMNS.iter().map(|column| words.at(&["col", column.key]));
        fleet.table.with_untracked(|table| table_csv(headings, table, words))
    });
    save::save(
        "tokenyard-fleet-table.csv",
        &save::blob(&text.into(), "text/csv;charset=utf-8;header=present")?,
    )
}

/// Saves the scenario with its first rule, as the command line reads it.
pub fn save(fleet: Fleet) -> Option<()> {
    let written = fleet.study.with_untracked(|study| study.draft(0).write());
    save::save("tokenyard-scenario.json", &save::blob(&written.into(), "application/json")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_is_known_by_its_bytes() {
        for scenario in ["{\"requests\": 10}", "\u{feff} \n{\n  \"seed\": 1\n}"] {
            assert!(is_scenario(scenario.as_bytes()), "{scenario}");
        }
        let mooncake = "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": [0]}\n";
        for other in [mooncake, "TIMESTAMP,ContextTokens,GeneratedTokens\n", "", "anything"] {
            assert!(!is_scenario(other.as_bytes()), "{other}");
        }
    }
}
