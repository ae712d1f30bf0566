//! The summary table as CSV.

use tokenyard_lab::{Table, Words};

use crate::answers::Answers;
use crate::csv::Csv;

/// What the heading line begins with, by which a file is known again.
pub(crate) const HEAD: [&str; 2] = ["variant", "name"];

/// The summary table of a lab's state.
pub(crate) fn csv(answers: &Answers) -> String {
    let source = answers.source;
    table_csv(source.lab.columns.iter().map(|column| source.heading(column)), &answers.table, source.words)
}

/// A summary table as CSV: one row for each variant, with its identifier, its name and its figures below
/// `headings`. Shares are shares, not percentages.
#[must_use]
pub fn table_csv(headings: impl Iterator<Item = String>, table: &Table, words: &Words) -> String {
    let mut csv = Csv::default();
    HEAD.iter().for_each(|name| csv.text(name));
    headings.for_each(|heading| csv.text(&heading));
    csv.end();
    for row in &table.rows {
        csv.text(row.id);
        csv.text(&words.say(&row.name));
        row.cells.iter().for_each(|cell| csv.number(*cell));
        csv.end();
    }
    csv.finish()
}
