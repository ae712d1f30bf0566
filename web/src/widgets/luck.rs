//! "Is it luck?": one seed against 200, as bands, from a worker, with progress and cancel.

use leptos::prelude::*;
use tokenyard_lab::luck::{SEEDS, Spread, spread};
use tokenyard_lab::{Arg, Row, msg};

use super::live::{live, text};
use super::table::{Swatch, cell};
use super::task::{Task, TaskBar};
use crate::job;
use crate::shell::shell;
use crate::state::Lab;

/// The panel's own state.
#[derive(Clone, Copy)]
struct Panel {
    lab: Lab,
    task: Task,
    /// Column compared.
    column: RwSignal<usize>,
}

/// The panel.
#[component]
pub fn Luck(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell = shell();
    let task = Task::new(SEEDS);
    let panel = Panel { lab, task, column: RwSignal::new(lab.spec.luck.1) };
    // Bands belong to the settings they were made with, whatever the seed: when those change,
    // they go.
    let basis = Memo::new(move |_| lab.setup.with(|s| s.clone().with_seed(0)));
    Effect::new(move |first: Option<()>| {
        // Read, not only tracked: a memo that nobody reads follows nothing.
        basis.with(|_| ());
        if first.is_some() {
            task.clear();
        }
    });
    let seed = move || {
        let seed = lab.setup.with(|s| s.values.int("seed").to_string());
        shell.now(&msg("luck.seed").with("n", Arg::Text(seed)))
    };
    let first = lab.spec.luck.0;
    let start = Callback::new(move |()| {
        let setup = lab.setup.get_untracked().with_seed(first);
        task.start(job::text(job::Kind::Luck, lab.spec, &setup), first);
    });
    view! {
        <section class="card luck" aria-labelledby="luck-title">
            <h2 id="luck-title" class="card-title">
                {shell.t("luck.title")}
            </h2>
            <p class="luck-seed">
                <span>{text(seed)}</span>
                <button type="button" on:click=move |_| new_seed(lab)>
                    {shell.t("luck.new")}
                </button>
            </p>
            <TaskBar task name="luck.run" progress="luck.running" start />
            {live(move || task.done().then(|| view! { <Bands panel /> }))}
        </section>
    }
    .into_any()
}

/// A seed nobody chose. `getrandom` is used here and nowhere else.
fn new_seed(lab: Lab) {
    let mut bytes = [0_u8; 4];
    if getrandom::fill(&mut bytes).is_ok()
        && let Some(at) = lab.spec.params.iter().position(|p| p.key == "seed")
    {
        lab.set_param(at, tokenyard_param::Value::Int(i64::from(u32::from_le_bytes(bytes))));
    }
}

/// One band for each row of the table.
#[component]
fn Bands(panel: Panel) -> impl IntoView {
    let shell = shell();
    let lab = panel.lab;
    let spreads = Memo::new(move |_| {
        let (column, columns) = (panel.column.get(), lab.spec.columns.len());
        lab.table.with(|table| {
            panel.task.rows.with(|samples| {
                let of = |(i, row): (usize, &Row)| {
                    Some((row.clone(), spread(samples, i * columns + column, row.cells[column])?))
                };
                table.rows.iter().enumerate().filter_map(of).collect::<Vec<_>>()
            })
        })
    });
    let bands = move || {
        let all = spreads.get();
        let top = top(&all);
        all.into_iter().map(|(row, s)| view! { <Band panel row s top /> }).collect_view()
    };
    let options = lab.spec.columns.iter().enumerate().map(|(i, c)| {
        view! { <option value=i.to_string() selected=move || panel.column.get() == i>{shell.at(&["col", c.key])}</option> }
    });
    let verdict = move || {
        let rows = spreads
            .get()
            .into_iter()
            .filter(|(_, s)| s.untypical())
            .map(|(row, _)| Arg::Msg(row.name))
            .collect::<Vec<_>>();
        let key = if rows.is_empty() { "luck.typical" } else { "luck.untypical" };
        shell.now(&msg(key).with("rows", Arg::List(rows)))
    };
    let range = msg("luck.from")
        .with("from", Arg::Text(lab.spec.luck.0.to_string()))
        .with("to", Arg::Text((lab.spec.luck.0 + SEEDS - 1).to_string()));
    view! {
        <label class="luck-metric">
            {shell.t("luck.metric")}
            <select on:change:target=move |event| panel.column.set(event.target().value().parse().unwrap_or(0))>
                {options.collect_view()}
            </select>
        </label>
        <ul class="bands">
            {live(bands)}
        </ul>
        <p class="luck-verdict" role="status">{text(verdict)}</p>
        <p class="note">{shell.say(range)} ". " {note()}</p>
    }
    .into_any()
}

/// What a lab says about its published seed, where it says something.
fn note() -> Signal<String> {
    let shell = shell();
    text(move || shell.words.with(|w| if w.has("luck.note") { w.at(&["luck.note"]) } else { String::new() }))
}

fn top(spreads: &[(Row, Spread)]) -> f64 {
    spreads.iter().map(|(_, s)| s.most).fold(f64::MIN_POSITIVE, f64::max)
}

#[component]
fn Band(panel: Panel, row: Row, s: Spread, top: f64) -> impl IntoView {
    let shell = shell();
    let column = panel.column.get_untracked();
    let present = row.cells[column];
    let x = move |v: f64| (v / top.max(present) * 280.0).to_string();
    let width = ((s.high - s.low) / top.max(present) * 280.0).max(2.0).to_string();
    let style = row.style;
    let sentence = move || {
        shell.words.with(|w| {
            let spec = &panel.lab.spec.columns[column];
            let text = |v: f64| Arg::Text(cell(w, spec, v));
            w.say(
                &msg("luck.band")
                    .with("name", row.name.clone())
                    .with("median", text(s.median))
                    .with("low", text(s.low))
                    .with("high", text(s.high))
                    .with("present", text(present))
                    .with("rank", Arg::Fixed(s.rank * 100.0, 0)),
            )
        })
    };
    view! {
        <li class=format!("band style-{style}")>
            <Swatch style />
            <svg class="band-picture" viewBox="0 0 288 18" aria-hidden="true">
                <rect class="band-all" x=x(s.least) y="8" width=((s.most - s.least) / top.max(present) * 280.0).to_string() height="2"></rect>
                <rect class="band-most" x=x(s.low) y="3" width=width height="12"></rect>
                <rect class="band-median" x=x(s.median) y="3" width="2" height="12"></rect>
                <rect class="band-present" x=x(present) y="0" width="3" height="18"></rect>
            </svg>
            <p class="band-text">{text(sentence)}</p>
        </li>
    }
    .into_any()
}
