//! Results of runs in the three forms.

use serde_json::{Value as Json, json};
use tokenyard_det::format;

use super::bands::{BANDS, PARTS};
use super::figures::{Fields, flat};
use crate::format::Format;
use crate::grid::{Cell, Grid};
use crate::json;

/// Columns of a table: what a comparison is read for. The other forms have everything.
const COLUMNS: [&str; 11] = [
    "rule",
    "requests",
    "served",
    "token_hit_rate",
    "ttft_ms.mean",
    "ttft_ms.p99",
    "tpot_ms.mean",
    "e2e_ms.mean",
    "e2e_ms.p99",
    "goodput_rps",
    "end",
];

/// Prints results.
pub(super) fn results(results: &[Fields], format: Format) -> String {
    match format {
        Format::Json => json::document(&json!({"results": results})),
        Format::Csv => exact(results).csv(),
        Format::Table => table(results).aligned(),
    }
}

/// One row for each result, everything in it, exactly.
fn exact(results: &[Fields]) -> Grid {
    let rows: Vec<Vec<(String, &Json)>> = results.iter().map(flat).collect();
    let mut head: Vec<String> = Vec::new();
    for (key, _) in rows.iter().flatten() {
        if !head.contains(key) {
            head.push(key.clone());
        }
    }
    let cell = |row: &Vec<(String, &Json)>, key: &String| {
        row.iter().find(|(k, _)| k == key).map_or_else(Cell::default, |(_, value)| cell(value))
    };
    let rows = rows.iter().map(|row| head.iter().map(|key| cell(row, key)).collect()).collect();
    Grid { head, rows }
}

/// A value as text: lists with spaces between their items, nothing as `none`.
pub(super) fn plain(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// A value as a cell, exactly.
pub(super) fn cell(value: &Json) -> Cell {
    Cell { text: plain(value), number: value.is_number() }
}

/// One row for each result; four where it has bands, the first seed's above them.
fn table(results: &[Fields]) -> Grid {
    let banded = results.iter().any(|result| result.contains_key(BANDS));
    let mut head: Vec<String> = COLUMNS.map(str::to_owned).into();
    if banded {
        head.insert(1, "of".to_owned());
    }
    let mut rows = Vec::new();
    for result in results {
        let figures = flat(result);
        let find = |path: &str| figures.iter().find(|(key, _)| key == path).map(|(_, value)| *value);
        let mut first: Vec<Cell> = COLUMNS.map(|column| rounded(column, find(column))).into();
        if banded {
            let seed = find("seed").map_or_else(String::new, plain);
            first.insert(1, Cell::text(format!("seed {seed}")));
        }
        rows.push(first);
        for part in PARTS.into_iter().filter(|_| result.contains_key(BANDS)) {
            let band = |column: &str| rounded(column, find(&format!("{BANDS}.{column}.{part}")));
            let mut row: Vec<Cell> = COLUMNS.map(band).into();
            row.insert(1, Cell::text(part));
            rows.push(row);
        }
    }
    Grid { head, rows }
}

/// A figure with the digits that a person reads: shares in percent, the rest with two decimals.
fn rounded(column: &str, value: Option<&Json>) -> Cell {
    let Some(value) = value else { return Cell::default() };
    match value.as_f64().filter(|_| value.is_f64()) {
        Some(share) if column.ends_with("rate") => {
            Cell { text: format!("{}%", format::fixed(share * 100.0, 2)), number: true }
        }
        // A quantile of counts is a count as often as not.
        Some(count) if ["requests", "served"].contains(&column) && count.fract() == 0.0 => {
            Cell { text: format::fixed(count, 0), number: true }
        }
        Some(figure) => Cell { text: format::fixed(figure, 2), number: true },
        None => cell(value),
    }
}
