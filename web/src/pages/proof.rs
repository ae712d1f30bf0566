//! "Same bits here?": recomputes the digest suites in this browser and compares it with the
//! digests made natively, which the page's file carries.

use leptos::prelude::*;
use tokenyard_lab::{Arg, digest, msg};

use crate::platform::{clock::Debounce, dom};
use crate::shell::shell;
use crate::widgets::live::{drawn, follow, list, text};

/// Native digests in the page's file, one 16-digit hexadecimal number each.
fn promised() -> Vec<String> {
    let text = dom::document().and_then(|d| d.get_element_by_id("digests")).and_then(|e| e.text_content());
    text.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// Scenarios of both suites: the labs' first, then the fleet simulator's.
#[must_use]
pub fn count() -> u32 {
    digest::count() + tokenyard_fleet::digest::COUNT
}

/// The digest of a scenario.
#[must_use]
pub fn run(scenario: u32) -> u64 {
    match scenario.checked_sub(digest::count()) {
        None => digest::run(scenario),
        Some(of_fleet) => tokenyard_fleet::digest::run(of_fleet),
    }
}

/// The page.
#[component]
pub fn Proof() -> impl IntoView {
    let shell = shell();
    let done = RwSignal::new(0_u32);
    let differing = RwSignal::new(Vec::<u32>::new());
    let tick = Debounce::new(0);
    // Its link is not followed in place, so this document is the proof page's own file.
    let native = StoredValue::new(if cfg!(feature = "ssr") { Vec::new() } else { promised() });
    let total = count();
    follow(move |_| {
        let at = done.get();
        let known = native.with_value(|n| n.get(at as usize).cloned());
        if let Some(known) = known.filter(|_| at < total) {
            tick.call(move || {
                if format!("{:016x}", run(at)) != known {
                    differing.update(|d| d.push(at));
                }
                done.set(at + 1);
            });
        }
    });
    let state = move || {
        let (done, bad) = (done.get(), differing.with(Vec::len));
        let key = match (done == total, bad) {
            (false, _) => "proof.running",
            (true, 0) => "proof.same",
            (true, _) => "proof.differs",
        };
        shell.now(&msg(key).with("done", done).with("of", total).with("bad", bad))
    };
    let differing_lines = move || {
        list(
            "ul",
            differing.get().into_iter().map(|i| {
                let lab = digest::scenario(i).map_or("fleet", |(lab, _)| lab.id);
                shell.now(&msg("proof.scenario").with("n", i).with("lab", Arg::Text(lab.to_owned())))
            }),
        )
    };
    view! {
        <article class="proof">
            <h1 tabindex="-1">{shell.t("title")}</h1>
            <p class="lead">{shell.t("lead")}</p>
            <section class="card">
                <p class="say" id="proof-state" role="status">{text(state)}</p>
                <progress max=total.to_string() prop:value=text(move || done.get().to_string()) aria-label=shell.t("title")></progress>
                <div id="proof-differing">{drawn("", differing_lines)}</div>
            </section>
        </article>
    }
    .into_any()
}
