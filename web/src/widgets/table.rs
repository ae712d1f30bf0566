//! The summary table with all variants, and the table twin of a chart.

use leptos::prelude::*;
use tokenyard_det::format;
use tokenyard_lab::{Arg, Column, Figure, Row, Words, msg};

use super::live::live;
use crate::shell::shell;
use crate::state::Lab;

/// One figure as text, from the exact double.
#[must_use]
pub fn cell(words: &Words, column: &Column, value: f64) -> String {
    words.arg(&match column.digits {
        Some(digits) => Arg::Fixed(value, digits),
        None => Arg::Percent(value),
    })
}

/// All variants, the lanes' rows marked, the best of each column in bold.
#[component]
pub fn Summary(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell = shell();
    let head = lab.spec.columns.iter().map(|c| view! { <th scope="col">{shell.at(&["col", c.key])}</th> });
    // Where the question is about another setting, no row of this one answers it.
    let hides = move || lab.covered() && lab.table.with(|table| table.rows.iter().any(|row| row.answers));
    let rows = move || {
        let (table, covered) = (lab.table.get(), lab.covered());
        let words = shell.words.get();
        let best: Vec<Option<f64>> = (0..lab.spec.columns.len())
            .map(|c| if covered { None } else { best(lab, &table.rows, c) })
            .collect();
        table.rows.iter().map(|row| summary_row(lab, row, covered, &best, &words)).collect_view()
    };
    view! {
        <section class="card table-card" aria-labelledby="table-title">
            <h2 id="table-title" class="card-title">{shell.t("table.title")}</h2>
            <div class="table-box" tabindex="0" role="group" aria-labelledby="table-title">
                <table class="summary">
                    <thead>
                        <tr>
                            <th scope="col">{shell.t("table.variant")}</th>
                            {head.collect_view()}
                        </tr>
                    </thead>
                    <tbody>{live(rows)}</tbody>
                </table>
            </div>
            <p class="note" hidden=move || !hides()>{shell.t("predict.covered-note")}</p>
        </section>
    }
    .into_any()
}

fn summary_row(
    lab: Lab,
    row: &Row,
    covered: bool,
    best: &[Option<f64>],
    words: &Words,
) -> impl IntoView + use<> {
    let hide = covered && row.answers;
    let lane = row.lane.map(|l| words.say(&msg("table.lane").with("n", u32::from(l) + 1)));
    let cells = lab.spec.columns.iter().zip(&row.cells).enumerate().map(|(i, (column, value))| {
        let text = if hide { "·".to_owned() } else { cell(words, column, *value) };
        let class = if best[i] == Some(*value) { "is-best" } else { "" };
        let label = hide.then(|| words.at(&["predict.covered"]));
        view! { <td class=class aria-label=label data-column=column.key>{text}</td> }
    });
    view! {
        <tr data-row=row.id class:is-lane=row.lane == Some(0)>
            <th scope="row" class=format!("style-{}", row.style)>
                <Swatch style=row.style />
                {words.say(&row.name)}
                {lane.map(|l| view! { <span class="lane-mark">{l}</span> })}
            </th>
            {cells.collect_view()}
        </tr>
    }
    .into_any()
}

/// The best figure of a column, where better has a meaning and not all are equal.
fn best(lab: Lab, rows: &[Row], column: usize) -> Option<f64> {
    let smaller = lab.spec.columns[column].smaller_is_better?;
    let values = || rows.iter().map(|r| r.cells[column]);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    (low < high).then_some(if smaller { low } else { high })
}

/// A line in the colour and dash of a series, with its marker.
#[component]
pub fn Swatch(
    /// Style of the series, 1 to 6.
    style: u8,
) -> impl IntoView {
    view! {
        <svg class=format!("swatch style-{style}") viewBox="0 0 24 10" aria-hidden="true">
            <line x1="0" y1="5" x2="24" y2="5"></line>
            {match style {
                1 => view! { <circle cx="12" cy="5" r="3.5"></circle> }.into_any(),
                2 => view! { <path d="M12 1l4 7H8z"></path> }.into_any(),
                3 => view! { <path d="M8.5 1.5h7v7h-7z"></path> }.into_any(),
                4 => view! { <path class="is-open" d="M9 2l6 6M15 2L9 8"></path> }.into_any(),
                5 => view! { <circle class="is-open" cx="12" cy="5" r="3"></circle> }.into_any(),
                _ => view! { <path d="M12 1l4 4-4 4-4-4z"></path> }.into_any(),
            }}
        </svg>
    }
    .into_any()
}

/// The chart as a table, at most forty rows.
#[component]
pub fn Twin(
    /// The chart.
    #[prop(into)]
    figure: Signal<Figure>,
) -> impl IntoView {
    let shell = shell();
    let body = move || {
        let (words, figure) = (shell.words.get(), figure.get());
        let number = |v: f64, digits: u8| {
            format::separate(
                &format::fixed(v, usize::from(digits)),
                words.get("number.group"),
                words.get("number.decimal"),
            )
        };
        let head = figure.series.iter().map(|s| view! { <th scope="col">{words.say(&s.name)}</th> });
        let digits = figure.y.digits + 1;
        let rows = figure.twin(40).into_iter().map(|(x, values)| {
            let cells = values
                .into_iter()
                .map(|v| view! { <td>{v.map_or_else(|| "–".to_owned(), |v| number(v, digits))}</td> });
            view! { <tr><th scope="row">{figure.x.mark(x, figure.x.digits, &words)}</th>{cells.collect_view()}</tr> }
        });
        view! {
            <table class="twin">
                <thead><tr><th scope="col">{words.say(&figure.x.label)}</th>{head.collect_view()}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        }
    };
    let open = RwSignal::new(false);
    view! {
        <details class="twin-box" on:toggle=move |_| open.set(true)>
            <summary>{shell.t("table.twin")}</summary>
            <div class="table-box">{live(move || open.get().then(body))}</div>
        </details>
    }
    .into_any()
}
