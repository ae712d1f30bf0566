//! "Is it luck?": one seed against many, as bands, from a worker, with progress and cancel.

use leptos::prelude::*;
use tokenyard_lab::luck::{SEEDS, Spread, spread};
use tokenyard_lab::{Arg, Column, Markup, Row, Table, Words, msg};

use super::live::{drawn, flag, follow, live, text};
use super::table::{cell, swatch};
use super::task::{Task, TaskBar};
use crate::job;
use crate::shell::shell;
use crate::state::Lab;

/// What the panel compares, and with what. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
pub struct Panel {
    /// Columns of the table.
    pub columns: &'static [Column],
    /// The present seed's table.
    pub table: Signal<Table>,
    /// Tables of many seeds, from a worker.
    pub task: Task,
    /// Column compared.
    pub column: RwSignal<usize>,
    /// The present seed.
    pub seed: Signal<String>,
    /// Whether the bands would answer what the reader is asked first.
    pub covered: Signal<bool>,
    /// First and last seed of the many.
    pub range: Signal<(String, String)>,
    /// Draws another seed.
    pub renew: Callback<u32>,
    /// Starts the task.
    pub start: Callback<()>,
}

/// The panel of a lab page.
#[must_use]
pub fn of_lab(lab: Lab) -> Panel {
    let task = Task::new(SEEDS);
    // Bands belong to the settings they were made with, whatever the seed: when those change,
    // they go.
    let basis = Memo::new(move |_| lab.setup.with(|s| s.clone().with_seed(0)));
    follow(move |first| {
        // Read, not only tracked: a memo that nobody reads follows nothing.
        basis.with(|_| ());
        if !first {
            task.clear();
        }
    });
    let first = lab.spec.luck.0;
    let start = move |()| {
        let setup = lab.setup.get_untracked().with_seed(first);
        task.start(job::text(job::Kind::Luck, lab.spec, &setup), first);
    };
    let renew = move |seed: u32| {
        if let Some(at) = lab.spec.params.iter().position(|p| p.key == "seed") {
            lab.set_param(at, tokenyard_param::Value::Int(i64::from(seed)));
        }
    };
    Panel {
        columns: lab.spec.columns,
        table: lab.table.into(),
        task,
        column: RwSignal::new(lab.spec.luck.1),
        seed: text(move || lab.setup.with(|s| s.values.int("seed").to_string())),
        covered: flag(move || lab.covered()),
        range: Signal::stored((first.to_string(), (first + SEEDS - 1).to_string())),
        renew: Callback::new(renew),
        start: Callback::new(start),
    }
}

/// The panel.
#[component]
pub fn Luck(
    /// What it compares.
    panel: Panel,
) -> impl IntoView {
    let shell = shell();
    let seed = move || shell.now(&msg("luck.seed").with("n", Arg::Text(panel.seed.get())));
    view! {
        <section class="card luck" aria-labelledby="luck-title">
            <h2 id="luck-title" class="card-title">
                {shell.t("luck.title")}
            </h2>
            <p class="luck-seed">
                <span>{text(seed)}</span>
                <button type="button" on:click=move |_| new_seed(panel.renew)>
                    {shell.t("luck.new")}
                </button>
            </p>
            <div hidden=panel.covered><TaskBar task=panel.task name="luck.run" progress="luck.running" start=panel.start /></div>
            <p class="note" hidden=flag(move || !panel.covered.get())>{shell.t("luck.covered")}</p>
            {live(move || (panel.task.done() && !panel.covered.get()).then(|| view! { <Bands panel /> }))}
        </section>
    }
    .into_any()
}

/// A seed nobody chose. `getrandom` is used here and nowhere else.
fn new_seed(renew: Callback<u32>) {
    let mut bytes = [0_u8; 4];
    if getrandom::fill(&mut bytes).is_ok() {
        renew.run(u32::from_le_bytes(bytes));
    }
}

/// One band for each row of the table.
#[component]
fn Bands(panel: Panel) -> impl IntoView {
    let shell = shell();
    let columns = panel.columns;
    let spreads = Memo::new(move |_| {
        let (column, columns) = (panel.column.get(), columns.len());
        panel.table.with(|table| {
            panel.task.rows.with(|samples| {
                let of = |(i, row): (usize, &Row)| {
                    Some((row.clone(), spread(samples, i * columns + column, row.cells[column])?))
                };
                table.rows.iter().enumerate().filter_map(of).collect::<Vec<_>>()
            })
        })
    });
    let bands = move || {
        let column = panel.column.get();
        let mut m = Markup::default();
        spreads.with(|all| {
            let top = top(all);
            shell.words.with(|words| {
                m.el("ul", &[("class", "bands")], |m| {
                    for (row, s) in all {
                        band(m, row, s, (column, &columns[column], top), words);
                    }
                });
            });
        });
        m.finish()
    };
    let options = columns.iter().enumerate().map(|(i, c)| {
        view! { <option value=i.to_string() selected=flag(move || panel.column.get() == i)>{shell.at(&["col", c.key])}</option> }
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
    let range = move || {
        let (from, to) = panel.range.get();
        shell.now(&msg("luck.from").with("from", Arg::Text(from)).with("to", Arg::Text(to)))
    };
    view! {
        <label class="luck-metric">
            {shell.t("luck.metric")}
            <select on:change:target=move |event| panel.column.set(event.target().value().parse().unwrap_or(0))>
                {options.collect_view()}
            </select>
        </label>
        {drawn("", bands)}
        <p class="luck-verdict" role="status">{text(verdict)}</p>
        <p class="note">{text(range)} ". " {note()}</p>
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

fn band(m: &mut Markup, row: &Row, s: &Spread, (at, column, top): (usize, &Column, f64), words: &Words) {
    let present = row.cells[at];
    let x = |v: f64| (v / top.max(present) * 280.0).to_string();
    let text = |v: f64| Arg::Text(cell(words, column, v));
    let sentence = msg("luck.band")
        .with("name", row.name.clone())
        .with("median", text(s.median))
        .with("low", text(s.low))
        .with("high", text(s.high))
        .with("present", text(present))
        .with("rank", Arg::Fixed(s.rank * 100.0, 0));
    let wide = ((s.high - s.low) / top.max(present) * 280.0).max(2.0).to_string();
    m.el("li", &[("class", &format!("band style-{}", row.style))], |m| {
        swatch(m, row.style);
        let attributes = [("class", "band-picture"), ("viewBox", "0 0 288 18"), ("aria-hidden", "true")];
        m.el("svg", &attributes, |m| {
            for (class, from, width, (y, height)) in [
                ("band-all", s.least, x(s.most - s.least), ("8", "2")),
                ("band-most", s.low, wide, ("3", "12")),
                ("band-median", s.median, "2".to_owned(), ("3", "12")),
                ("band-present", present, "3".to_owned(), ("0", "18")),
            ] {
                let place = [("x", &*x(from)), ("y", y), ("width", &*width), ("height", height)];
                m.shape("rect", &[&[("class", class)], &place[..]].concat());
            }
        });
        m.text_el("p", &[("class", "band-text")], &words.say(&sentence));
    });
}
