//! "Why this?": a decision, what it was made from, and what fresh data would have chosen.

use leptos::prelude::*;
use tokenyard_lab::{Decision, GridRow, Words};

use super::live::live;
use crate::shell::shell;
use crate::state::Lab;

/// The decisions of the present step, one of them open.
#[component]
pub fn Why(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell = shell();
    let chosen = RwSignal::new(0_usize);
    let decisions = Memo::new(move |_| {
        let (step, covered) = (lab.step.get(), lab.covered());
        let mut all = lab.run.with(|run| run.0.decisions(step));
        all.retain(|d| !(covered && d.answers));
        all
    });
    let body = move || {
        let (words, all) = (shell.words.get(), decisions.get());
        let at = chosen.get().min(all.len().saturating_sub(1));
        let options = all.iter().enumerate().map(|(i, d)| {
            view! { <option value=i.to_string() selected=i == at>{words.say(&d.title)}</option> }
        });
        let pick = view! {
            <select
                class="why-pick"
                aria-label=words.at(&["why.which"])
                on:change:target=move |event| chosen.set(event.target().value().parse().unwrap_or(0))
            >
                {options.collect_view()}
            </select>
        };
        match all.get(at) {
            Some(d) => (pick, explain(d, &words)).into_any(),
            None => view! { <p>{words.at(&["why.none"])}</p> }.into_any(),
        }
    };
    view! {
        <section class="card why" aria-labelledby="why-title">
            <h2 id="why-title" class="card-title">{shell.t("why.card")}</h2>
            {live(body)}
            <p class="note" hidden=move || !lab.covered()>{shell.t("why.covered")}</p>
        </section>
    }
    .into_any()
}

fn explain(decision: &Decision, words: &Words) -> impl IntoView + use<> {
    let lines = decision.lines.iter().map(|line| view! { <li>{words.say(line)}</li> });
    let head = decision.grid.head.iter().map(|h| view! { <th scope="col">{words.say(h)}</th> });
    let rows = decision.grid.rows.iter().map(|row| grid_row(row, words));
    view! {
        <ul class=format!("why-lines style-{}", decision.style)>{lines.collect_view()}</ul>
        // Too wide for the rail in some labs, so it scrolls, and the Tab key must reach it.
        <div class="table-box" tabindex="0" role="group" aria-labelledby="why-title" hidden=decision.grid.rows.is_empty()>
            <table class="why-grid">
                <thead><tr>{head.collect_view()}<td></td></tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn grid_row(row: &GridRow, words: &Words) -> impl IntoView + use<> {
    let mut cells = row.cells.iter().map(|c| words.arg(c));
    let name = cells.next().unwrap_or_default();
    let marks: Vec<String> = [(row.chosen, "why.chosen"), (row.fresh, "why.fresh-mark")]
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, key)| words.at(&[key]))
        .collect();
    view! {
        <tr class:is-chosen=row.chosen>
            <th scope="row">{name}</th>
            {cells.map(|c| view! { <td>{c}</td> }).collect_view()}
            <td class="why-mark">{marks.join(" · ")}</td>
        </tr>
    }
    .into_any()
}
