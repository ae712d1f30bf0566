//! "Why this?": a decision, what it was made from, and what fresh data would have chosen.

use leptos::prelude::*;
use tokenyard_lab::{Decision, GridRow, Markup, Words};

use super::live::{drawn, flag, live};
use crate::shell::shell;
use crate::state::Playback;

/// The decisions of the present step, one of them open.
#[component]
pub fn Why(
    /// What is played.
    play: Playback,
) -> impl IntoView {
    let shell = shell();
    let chosen = RwSignal::new(0_usize);
    let decisions = Memo::new(move |_| {
        let (step, covered) = (play.step.get(), play.covered());
        let mut all = play.run.with(|run| run.0.decisions(step));
        all.retain(|d| !(covered && d.answers));
        all
    });
    let at = move || chosen.get().min(decisions.with(Vec::len).saturating_sub(1));
    let now = move |draw: fn(&Decision, &Words) -> String| {
        decisions.with(|all| all.get(at()).map(|d| shell.words.with(|words| draw(d, words))))
    };
    let options = move || {
        let (words, at) = (shell.words.get(), at());
        let option = |(i, d): (usize, &Decision)| {
            view! { <option value=i.to_string() selected=i == at>{words.say(&d.title)}</option> }
        };
        decisions.with(|all| all.iter().enumerate().map(option).collect_view())
    };
    let said = move || {
        now(lines).unwrap_or_else(|| {
            let mut m = Markup::default();
            m.text_el("p", &[], &shell.words.with(|w| w.at(&["why.none"])));
            m.finish()
        })
    };
    let no_grid = flag(move || decisions.with(|all| all.get(at()).is_none_or(|d| d.grid.rows.is_empty())));
    view! {
        <section class="card why" aria-labelledby="why-title">
            <h2 id="why-title" class="card-title">{shell.t("why.card")}</h2>
            <select
                class="why-pick"
                aria-label=shell.t("why.which")
                hidden=flag(move || decisions.with(Vec::is_empty))
                on:change:target=move |event| chosen.set(event.target().value().parse().unwrap_or(0))
            >
                {live(options)}
            </select>
            {drawn("", said)}
            // Too wide for the rail in some labs, so it scrolls, and the Tab key must reach it.
            <div class="table-box" tabindex="0" role="group" aria-labelledby="why-title" hidden=no_grid>
                {drawn("", move || now(grid).unwrap_or_default())}
            </div>
            <p class="note" hidden=flag(move || !play.covered())>{shell.t("why.covered")}</p>
        </section>
    }
    .into_any()
}

fn lines(decision: &Decision, words: &Words) -> String {
    let mut m = Markup::default();
    m.el("ul", &[("class", &format!("why-lines style-{}", decision.style))], |m| {
        decision.lines.iter().for_each(|line| m.text_el("li", &[], &words.say(line)));
    });
    m.finish()
}

fn grid(decision: &Decision, words: &Words) -> String {
    let mut m = Markup::default();
    m.el("table", &[("class", "why-grid")], |m| {
        m.el("thead", &[], |m| {
            m.el("tr", &[], |m| {
                decision.grid.head.iter().for_each(|h| m.text_el("th", &[("scope", "col")], &words.say(h)));
                m.text_el("td", &[], "");
            });
        });
        m.el("tbody", &[], |m| decision.grid.rows.iter().for_each(|row| grid_row(m, row, words)));
    });
    m.finish()
}

fn grid_row(m: &mut Markup, row: &GridRow, words: &Words) {
    let marks: Vec<String> = [(row.chosen, "why.chosen"), (row.fresh, "why.fresh-mark")]
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, key)| words.at(&[key]))
        .collect();
    m.el("tr", &[("class", if row.chosen { "is-chosen" } else { "" })], |m| {
        for (i, cell) in row.cells.iter().enumerate() {
            let text = words.arg(cell);
            if i == 0 { m.text_el("th", &[("scope", "row")], &text) } else { m.text_el("td", &[], &text) }
        }
        m.text_el("td", &[("class", "why-mark")], &marks.join(" · "));
    });
}
