//! The transcript in Markdown: what a reader would write down, and the table.

use std::fmt::Write as _;

use tokenyard_lab::{Arg, Column};

use crate::answers::Answers;
use crate::markdown::{plain, row};

/// What a comment with the state begins and ends with. A text cannot hold it: its `<` is escaped.
pub(crate) const COMMENT: (&str, &str) = ("<!-- ", " -->");

/// Title, question, facts, the table, charts in sentences, every step, caption, link.
pub(crate) fn markdown(answers: &Answers) -> String {
    let (source, words) = (answers.source, answers.source.words);
    let (shot, carried) = (source.shot(), answers.carried());
    let mut out = format!("# {}\n\n", plain(&words.at(&["title"])));
    let _ = write!(out, "{}\n\n", plain(&words.at(&["question"])));
    for fact in shot.told() {
        let _ = writeln!(out, "- {}", plain(&fact));
    }
    let _ = write!(out, "\n## {}\n\n", plain(&words.at(&["table.title"])));
    table(answers, &mut out);
    for figure in &answers.figures {
        let title = plain(&words.at(&["figure", figure.id, "caption"]));
        let _ = write!(out, "\n## {title}\n\n{}\n", plain(&words.say(&figure.summary)));
    }
    let _ = write!(out, "\n## {}\n\n", plain(&words.at(&["player.transcript"])));
    steps(answers, &mut out);
    let _ = write!(out, "\n---\n\n{}\n\n", plain(&shot.caption(None)));
    let _ = write!(out, "[{}]({})\n\n", plain(&words.at(&["frame.open"])), source.address(&carried));
    let _ = writeln!(out, "{}{}{}", COMMENT.0, carried.line(), COMMENT.1);
    out
}

/// One sentence for each step; what to look at stands before it in bold where there is a pause.
fn steps(answers: &Answers, out: &mut String) {
    let (words, moments) = (answers.source.words, answers.run.moments());
    for step in 0..answers.run.steps() {
        let _ = write!(out, "{}. ", step + 1);
        for moment in moments.iter().filter(|moment| moment.step == step) {
            let _ = write!(out, "**{}** ", plain(&words.say(&moment.cue)));
        }
        let _ = writeln!(out, "{}", plain(&words.say(&answers.run.say(step))));
    }
}

/// The table with the digits that the page shows.
fn table(answers: &Answers, out: &mut String) {
    let (source, words) = (answers.source, answers.source.words);
    let columns = source.lab.columns;
    let heads = columns.iter().map(|column| plain(&heading(answers, column)));
    row([plain(&words.at(&["table.variant"]))].into_iter().chain(heads), out);
    row(["---"].into_iter().chain(columns.iter().map(|_| "---:")).map(str::to_owned), out);
    for line in &answers.table.rows {
        let cell = |(column, value): (&Column, &f64)| {
            plain(&words.arg(&match column.digits {
                Some(digits) => Arg::Fixed(*value, digits),
                None => Arg::Percent(*value),
            }))
        };
        let cells = columns.iter().zip(&line.cells).map(cell);
        row([plain(&words.say(&line.name))].into_iter().chain(cells), out);
    }
}

/// A percentage has its sign in every cell and needs no unit.
fn heading(answers: &Answers, column: &Column) -> String {
    let source = answers.source;
    if column.digits.is_some() { source.heading(column) } else { source.column(column) }
}
