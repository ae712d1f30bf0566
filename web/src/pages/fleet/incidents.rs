//! "Break it like production did": public reports as states of this page.

use leptos::prelude::*;
use tokenyard_lab::{Arg, msg};
use tokenyard_study::reports::{INCIDENTS, Incident};

use super::Fleet;
use crate::platform::dom;
use crate::shell::shell;
use crate::widgets::live::{live, text};

/// The list; built when it is opened.
#[component]
pub fn Incidents(
    /// State of the page.
    fleet: Fleet,
) -> impl IntoView {
    let shell = shell();
    let open = RwSignal::new(false);
    let count = INCIDENTS.iter().map(|half| half.len()).sum::<usize>();
    let all = move || {
        open.get().then(|| {
            let items = INCIDENTS.iter().flat_map(|half| half.iter());
            view! { <ol class="fl-incidents">{items.map(|incident| view! { <One fleet incident /> }).collect_view()}</ol> }
        })
    };
    view! {
        <section class="card fl-incidents-card" aria-labelledby="incidents-title">
            <h2 id="incidents-title" class="card-title">{shell.t("incidents.title")}</h2>
            <p class="knob-help">{text(move || shell.now(&msg("incidents.help").with("n", count)))}</p>
            <details on:toggle=move |_| open.set(true)>
                <summary>{shell.t("incidents.list")}</summary>
                {live(all)}
            </details>
        </section>
    }
    .into_any()
}

#[component]
fn One(fleet: Fleet, incident: &'static Incident) -> impl IntoView {
    let shell = shell();
    let part = move |part: &str| shell.at(&["report", incident.id, part]);
    let named = move |key: &'static str| {
        text(move || {
            let name = Arg::Key(format!("report.{}.name", incident.id));
            shell.now(&msg(key).with("name", name))
        })
    };
    let go = move |fragment: &'static str| {
        fleet.load(fragment);
        if let Some(stage) = dom::document().and_then(|d| d.get_element_by_id("stage")) {
            stage.scroll_into_view();
        }
    };
    view! {
        <li>
            <h3>{part("name")}</h3>
            <p>{part("symptom")}</p>
            <p>{part("mechanism")} " " {part("cure")}</p>
            <p class="note">{incident.source}</p>
            <div class="knob-actions">
                <button type="button" aria-label=named("incidents.broken-name") on:click=move |_| go(incident.broken)>
                    {shell.t("incidents.broken")}
                </button>
                <button type="button" aria-label=named("incidents.cured-name") on:click=move |_| go(incident.cured)>
                    {shell.t("incidents.cured")}
                </button>
            </div>
        </li>
    }
    .into_any()
}
