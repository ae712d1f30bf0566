//! The summary: one row a figure, one column a rule, so that rules stand side by side on any screen;
//! with the bands over many seeds once they are asked for.

use leptos::prelude::*;
use tokenyard_lab::luck::{Spread, spread};
use tokenyard_lab::{Arg, Column, Markup, Row, Table, Words, msg};
use tokenyard_study::COLUMNS;

use super::Fleet;
use crate::shell::shell;
use crate::widgets::live::{drawn, flag, text};
use crate::widgets::luck::Panel;
use crate::widgets::table::{best, cell, swatch};

/// Spreads over seeds, by rule and then by figure; none for a rule that has no seeds yet.
pub type Bands = Vec<Vec<Spread>>;

/// The table.
#[component]
pub fn Summary(
    /// State of the page.
    fleet: Fleet,
    /// Many seeds of the same study.
    luck: Panel,
) -> impl IntoView {
    let shell = shell();
    let bands = Memo::new(move |_| -> Option<Bands> {
        let seeds = luck.task.done();
        seeds.then(|| fleet.table.with(|table| luck.task.rows.with(|rows| bands(table, rows))))
    });
    let table = move || {
        let mut m = Markup::default();
        let mut draw = |table: &Table| {
            shell.words.with(|words| bands.with(|bands| summary(&mut m, table, bands.as_ref(), words)));
        };
        fleet.table.with(&mut draw);
        m.finish()
    };
    let preset = move || {
        let preset = fleet
            .study
            .with(|s| s.draft(0).section(tokenyard_fleet::scenario::Section::Fleet).choice("preset"));
        let name = Arg::Text(tokenyard_fleet::presets::at(usize::from(preset)).name.to_owned());
        shell.now(&msg("table.preset").with("preset", name))
    };
    let verdict = move || {
        let bands = bands.get().unwrap_or_default();
        let outside = fleet.table.with(|table| {
            let all = table.rows.iter().zip(&bands).flat_map(|(row, spreads)| row.cells.iter().zip(spreads));
            all.filter(|(value, spread)| side(**value, spread).is_some()).count()
        });
        let (from, to) = luck.range.get();
        let told = msg("table.bands").with("from", Arg::Text(from)).with("to", Arg::Text(to));
        let of = bands.iter().map(Vec::len).sum::<usize>();
        shell.now(&told.with("n", outside).with("of", of))
    };
    view! {
        <section class="card table-card" aria-labelledby="table-title">
            <h2 id="table-title" class="card-title">{shell.t("table.title")}</h2>
            <div class="table-box" tabindex="0" role="group" aria-labelledby="table-title">{drawn("", table)}</div>
            <p class="fl-bands-note" role="status" hidden=flag(move || bands.with(Option::is_none))>{text(verdict)}</p>
            <p class="note">{text(preset)}</p>
        </section>
    }
    .into_any()
}

fn bands(table: &Table, seeds: &[Vec<f64>]) -> Bands {
    let of = |(at, row): (usize, &Row)| {
        let figures = row.cells.iter().enumerate();
        figures.map_while(|(i, value)| spread(seeds, at * COLUMNS.len() + i, *value)).collect()
    };
    table.rows.iter().enumerate().map(of).collect()
}

/// Whether a figure of this seed lies above or below the band of 90 of 100 seeds.
fn side(value: f64, spread: &Spread) -> Option<&'static str> {
    match value {
        v if v > spread.high => Some("table.above"),
        v if v < spread.low => Some("table.below"),
        _ => None,
    }
}

/// Writes the table.
pub fn summary(m: &mut Markup, table: &Table, bands: Option<&Bands>, words: &Words) {
    m.el("table", &[("class", "summary fl-summary")], |m| {
        m.el("thead", &[], |m| {
            m.el("tr", &[], |m| {
                m.text_el("th", &[("scope", "col")], &words.at(&["table.figure"]));
                table.rows.iter().for_each(|row| head(m, row, words));
            });
        });
        m.el("tbody", &[], |m| {
            for (at, column) in COLUMNS.iter().enumerate() {
                figure(m, (table, bands), (at, column), words);
            }
        });
    });
}

fn head(m: &mut Markup, row: &Row, words: &Words) {
    let class = format!("style-{}", row.style);
    m.el("th", &[("scope", "col"), ("class", &class), ("data-row", row.id)], |m| {
        swatch(m, row.style);
        m.text(&words.say(&row.name));
    });
}

fn figure(
    m: &mut Markup,
    (table, bands): (&Table, Option<&Bands>),
    (at, column): (usize, &Column),
    words: &Words,
) {
    let best = best(&COLUMNS, &table.rows, at);
    m.el("tr", &[("data-column", column.key)], |m| {
        m.text_el("th", &[("scope", "row")], &words.at(&["col", column.key]));
        for (lane, row) in table.rows.iter().enumerate() {
            let value = row.cells[at];
            let class = if best == Some(value) { "is-best" } else { "" };
            m.el("td", &[("class", class)], |m| {
                m.text_el("span", &[("class", "fl-now")], &cell(words, column, value));
                if let Some(spread) = bands.and_then(|bands| bands.get(lane)?.get(at)) {
                    band(m, column, (value, spread), words);
                }
            });
        }
    });
}

fn band(m: &mut Markup, column: &Column, (value, spread): (f64, &Spread), words: &Words) {
    if let Some(key) = side(value, spread) {
        m.text(" ");
        m.text_el("strong", &[("class", "fl-out")], &words.at(&[key]));
    }
    let text = |v: f64| Arg::Text(cell(words, column, v));
    let told = msg("table.band")
        .with("median", text(spread.median))
        .with("low", text(spread.low))
        .with("high", text(spread.high));
    m.text(" ");
    m.text_el("span", &[("class", "fl-band")], &words.say(&told));
}
