//! The summary table with all variants, and the table twin of a chart.

use leptos::prelude::*;
use tokenyard_det::format;
use tokenyard_lab::{Arg, Column, Figure, Markup, Row, Words, msg};

use super::live::{drawn, flag};
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
    // Where the question is about another setting, no row of this one answers it.
    let shown =
        flag(move || !(lab.covered() && lab.table.with(|table| table.rows.iter().any(|row| row.answers))));
    let table = move || {
        let columns = lab.spec.columns;
        shell.words.with(|words| lab.table.with(|table| summary(columns, &table.rows, lab.covered(), words)))
    };
    view! {
        <section class="card table-card" aria-labelledby="table-title">
            <h2 id="table-title" class="card-title">{shell.t("table.title")}</h2>
            <div class="table-box" tabindex="0" role="group" aria-labelledby="table-title">{drawn("", table)}</div>
            <p class="note" hidden=shown>{shell.t("predict.covered-note")}</p>
        </section>
    }
    .into_any()
}

/// The table as markup. `covered` leaves out what would answer a prediction.
#[must_use]
pub fn summary(columns: &[Column], rows: &[Row], covered: bool, words: &Words) -> String {
    let best = |at| if covered { None } else { best(columns, rows, at) };
    let best: Vec<Option<f64>> = (0..columns.len()).map(best).collect();
    let head = columns.iter().map(|c| words.at(&["col", c.key]));
    let mut m = Markup::default();
    m.el("table", &[("class", "summary")], |m| {
        heads(m, std::iter::once(words.at(&["table.variant"])).chain(head));
        m.el("tbody", &[], |m| {
            for row in rows {
                summary_row(m, columns, row, (covered && row.answers, &best), words);
            }
        });
    });
    m.finish()
}

/// The headings of columns.
pub(crate) fn heads(m: &mut Markup, names: impl Iterator<Item = String>) {
    let names: Vec<String> = names.collect();
    m.el("thead", &[], |m| {
        m.el("tr", &[], |m| names.iter().for_each(|name| m.text_el("th", &[("scope", "col")], name)));
    });
}

fn summary_row(
    m: &mut Markup,
    columns: &[Column],
    row: &Row,
    (hide, best): (bool, &[Option<f64>]),
    words: &Words,
) {
    let class = if row.lane == Some(0) { "is-lane" } else { "" };
    m.el("tr", &[("data-row", row.id), ("class", class)], |m| {
        m.el("th", &[("scope", "row"), ("class", &format!("style-{}", row.style))], |m| {
            swatch(m, row.style);
            m.text(&words.say(&row.name));
            if let Some(lane) = row.lane {
                let lane = words.say(&msg("table.lane").with("n", u32::from(lane) + 1));
                m.text_el("span", &[("class", "lane-mark")], &lane);
            }
        });
        let covered = words.at(&["predict.covered"]);
        for ((column, value), best) in columns.iter().zip(&row.cells).zip(best) {
            let class = if *best == Some(*value) { "is-best" } else { "" };
            let mut attributes = vec![("class", class), ("data-column", column.key)];
            if hide {
                attributes.push(("aria-label", &covered));
            }
            let text = if hide { "·".to_owned() } else { cell(words, column, *value) };
            m.text_el("td", &attributes, &text);
        }
    });
}

/// The best figure of a column, where better has a meaning and not all are equal.
#[must_use]
pub fn best(columns: &[Column], rows: &[Row], column: usize) -> Option<f64> {
    let smaller = columns[column].smaller_is_better?;
    let values = || rows.iter().map(|r| r.cells[column]);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    (low < high).then_some(if smaller { low } else { high })
}

/// A line in the colour and dash of a series, with its marker. Styles count from 1 to 6.
pub fn swatch(m: &mut Markup, style: u8) {
    let class = format!("swatch style-{style}");
    let (class, d) = (
        class.as_str(),
        match style {
            1 => "M8.5 5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
            2 => "M12 1l4 7H8z",
            3 => "M8.5 1.5h7v7h-7z",
            4 => "M9 2l6 6M15 2L9 8",
            5 => "M9 5a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
            _ => "M12 1l4 4-4 4-4-4z",
        },
    );
    let open = if matches!(style, 4 | 5) { "is-open" } else { "" };
    m.el("svg", &[("class", class), ("viewBox", "0 0 24 10"), ("aria-hidden", "true")], |m| {
        m.shape("line", &[("x1", "0"), ("y1", "5"), ("x2", "24"), ("y2", "5")]);
        m.shape("path", &[("class", open), ("d", d)]);
    });
}

/// The chart as a table, at most forty rows.
#[component]
pub fn Twin(
    /// The chart.
    #[prop(into)]
    figure: Signal<Figure>,
) -> impl IntoView {
    let shell = shell();
    let open = RwSignal::new(false);
    let table = move || {
        if open.get() { figure.with(|f| shell.words.with(|words| twin(f, words))) } else { String::new() }
    };
    view! {
        <details class="twin-box" on:toggle=move |_| open.set(true)>
            <summary>{shell.t("table.twin")}</summary>
            {drawn("table-box", table)}
        </details>
    }
    .into_any()
}

fn twin(figure: &Figure, words: &Words) -> String {
    let digits = usize::from(figure.y.digits + 1);
    let number = |v: f64| {
        format::separate(&format::fixed(v, digits), words.get("number.group"), words.get("number.decimal"))
    };
    let names = figure.series.iter().map(|s| words.say(&s.name));
    let mut m = Markup::default();
    m.el("table", &[("class", "twin")], |m| {
        heads(m, std::iter::once(words.say(&figure.x.label)).chain(names));
        m.el("tbody", &[], |m| {
            for (x, values) in figure.twin(40) {
                m.el("tr", &[], |m| {
                    m.text_el("th", &[("scope", "row")], &figure.x.mark(x, figure.x.digits, words));
                    for value in values {
                        m.text_el("td", &[], &value.map_or_else(|| "–".to_owned(), number));
                    }
                });
            }
        });
    });
    m.finish()
}
