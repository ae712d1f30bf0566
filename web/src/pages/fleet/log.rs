//! The log of decisions around the cursor: press a request to go to it.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::Fleet;
use crate::shell::shell;
use crate::widgets::live::{drawn, text};

/// Requests in sight.
const ROWS: u32 = 9;

/// The log.
#[component]
pub fn Log(
    /// State of the page.
    fleet: Fleet,
) -> impl IntoView {
    let shell = shell();
    let table = move || {
        let step = fleet.play.step.get();
        shell.words.with(|words| fleet.result.with(|r| r.0.log(step, ROWS, words)))
    };
    let press = move |event: web_sys::MouseEvent| {
        if let Some(request) = pressed(&event) {
            fleet.play.playing.set(false);
            fleet.play.seek(i64::from(request));
        }
    };
    let go = move |typed: String| {
        if let Ok(request) = typed.trim().parse::<u32>() {
            fleet.play.playing.set(false);
            fleet.play.seek(i64::from(request));
        }
    };
    view! {
        <section class="card fl-log-card" aria-labelledby="log-title">
            <div class="fl-log-head">
                <h2 id="log-title" class="card-title">{shell.t("log.title")}</h2>
                <label>
                    {shell.t("log.go")}
                    <input
                        type="text"
                        inputmode="numeric"
                        class="number"
                        autocomplete="off"
                        prop:value=text(move || fleet.play.step.get().to_string())
                        on:change:target=move |event| go(event.target().value())
                    />
                </label>
            </div>
            <div class="table-box" tabindex="0" role="group" aria-labelledby="log-title" on:click=press>{drawn("", table)}</div>
            <p class="note">{shell.t("log.note")}</p>
        </section>
    }
    .into_any()
}

/// The request whose row was pressed.
fn pressed(event: &web_sys::MouseEvent) -> Option<u32> {
    let element = event.target()?.dyn_into::<web_sys::Element>().ok()?;
    element.closest("[data-request]").ok()??.get_attribute("data-request")?.parse().ok()
}
