//! The summary table as CSV.

use crate::answers::Answers;
use crate::csv::Csv;

/// What the heading line begins with, by which a file is known again.
pub(crate) const HEAD: [&str; 2] = ["variant", "name"];

/// One row for each variant: its identifier, its name, its figures. Shares are shares, not
/// percentages.
pub(crate) fn csv(answers: &Answers) -> String {
    let (source, mut csv) = (answers.source, Csv::default());
    HEAD.iter().for_each(|name| csv.text(name));
    source.lab.columns.iter().for_each(|column| csv.text(&source.heading(column)));
    csv.end();
    for row in &answers.table.rows {
        csv.text(row.id);
        csv.text(&source.words.say(&row.name));
        row.cells.iter().for_each(|cell| csv.number(*cell));
        csv.end();
    }
    csv.finish()
}
