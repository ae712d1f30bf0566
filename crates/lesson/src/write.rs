//! The canonical form of a lesson file: fields in a fixed order, one blank line between sections, a text
//! of one line in one pair of quotes and a longer one in lines of its own, states as short as they can
//! be. Comments are not kept.

use std::fmt::Write as _;

use tokenyard_lab::{LabSpec, link};

use crate::formula::write_number;
use crate::model::{Goal, Lesson, Predict, Predicted, Step, Task, Text};
use crate::place::Place;

/// Writes a lesson. Reading it again gives an equal lesson, and writing that the same text.
#[must_use]
pub fn write(lesson: &Lesson) -> String {
    let mut out = Writer { out: String::new(), languages: &lesson.languages };
    out.line("format", "1");
    out.word("id", &lesson.id);
    out.line("minutes", &lesson.minutes.to_string());
    out.words("languages", &lesson.languages);
    out.text("title", &lesson.title);
    out.text("about", &lesson.about);
    out.text("goal", &lesson.goal);
    lesson.steps.iter().for_each(|step| out.step(step));
    out.out
}

struct Writer<'a> {
    out: String,
    languages: &'a [String],
}

impl Writer<'_> {
    fn section(&mut self, header: &str) {
        let _ = write!(self.out, "\n{header}\n");
    }

    fn line(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.out, "{key} = {value}");
    }

    fn word(&mut self, key: &str, word: &str) {
        self.line(key, &quoted(word));
    }

    fn words(&mut self, key: &str, words: &[String]) {
        let all: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        self.line(key, &format!("[{}]", all.join(", ")));
    }

    fn text(&mut self, key: &str, text: &Text) {
        for (language, words) in self.languages.iter().zip(&text.by) {
            let value = if words.contains('\n') { block(words) } else { quoted(words) };
            let _ = writeln!(self.out, "{key}.{language} = {value}");
        }
    }

    fn step(&mut self, step: &Step) {
        self.section("[[step]]");
        self.word("id", &step.id);
        self.line("minutes", &step.minutes.to_string());
        if let Some(place) = &step.state {
            self.word("state", &place.write());
        }
        if let Some(fleet) = &step.fleet {
            self.word("fleet", &fleet.write());
        }
        self.text("title", &step.title);
        self.text("text", &step.text);
        step.reveal.iter().for_each(|text| self.text("reveal", text));
        step.notes.iter().for_each(|text| self.text("notes", text));
        if let (Some(predict), Some(place)) = (&step.predict, &step.state) {
            self.predict(predict, place.lab);
        }
        if let (Some(task), Some(place)) = (&step.task, &step.state) {
            self.task(task, place);
        }
        for one in &step.misconceptions {
            self.section("[[step.misconception]]");
            self.text("says", &one.says);
            self.text("answer", &one.answer);
        }
    }

    fn predict(&mut self, predict: &Predict, lab: &LabSpec) {
        self.section("[step.predict]");
        let mut fixed = false;
        match &predict.ask {
            Predicted::Lab => self.word("ask", "lab"),
            Predicted::Figure { row, column, min, max, step, pinned } => {
                self.word("ask", &name(lab, row.as_deref(), *column));
                self.word("range", &format!("{min} to {max} step {step}"));
                fixed = *pinned;
            }
            Predicted::Extreme { column, lowest, pinned } => {
                let which = if *lowest { "lowest" } else { "highest" };
                self.word("ask", &format!("{which} {}", name(lab, None, *column)));
                fixed = *pinned;
            }
        }
        if fixed {
            self.word("seeds", "pinned");
        }
        predict.text.iter().for_each(|text| self.text("text", text));
    }

    fn task(&mut self, task: &Task, place: &Place) {
        self.section("[step.task]");
        self.words("goals", &goals(task, place));
        self.line("changes", &task.changes.to_string());
        if !task.keep.is_empty() {
            let links: Vec<String> = task.keep.iter().map(|key| link_of(place.lab, key).to_owned()).collect();
            self.words("keep", &links);
        }
        if task.pinned {
            self.word("seeds", "pinned");
        }
        self.word("solution", &solution(task, place));
        self.text("text", &task.text);
        for (i, language) in self.languages.iter().enumerate() {
            let hints: Vec<String> =
                task.hints.iter().map(|hint| format!("  {},\n", quoted(hint.at(i)))).collect();
            let _ = writeln!(self.out, "hints.{language} = [\n{}]", hints.concat());
        }
        self.text("done", &task.done);
    }
}

/// A setting's name in links, by its key.
pub(crate) fn link_of<'a>(lab: &LabSpec, key: &'a str) -> &'a str {
    lab.params.iter().chain(lab.views).find(|spec| spec.key == key).map_or(key, |spec| spec.link)
}

/// `row.column` or `column`.
pub(crate) fn name(lab: &LabSpec, row: Option<&str>, column: usize) -> String {
    let key = lab.columns.get(column).map_or("", |c| c.key);
    row.map_or_else(|| key.to_owned(), |row| format!("{row}.{key}"))
}

/// The goals of a task as they are written in a file.
pub(crate) fn goals(task: &Task, place: &Place) -> Vec<String> {
    task.goals.iter().map(|goal| goal_text(place.lab, goal)).collect()
}

fn goal_text(lab: &LabSpec, goal: &Goal) -> String {
    let bound = &goal.bound;
    let sign = if bound.at_most { "<=" } else { ">=" };
    let value = write_number(lab, bound.column, bound.bound);
    format!("{} {sign} {value}", name(lab, bound.row.as_deref(), bound.column))
}

/// The settings of a solution that are not those of the start.
pub(crate) fn solution(task: &Task, place: &Place) -> String {
    let (start, end) = (&place.state.setup, &task.solution);
    let mut parts = Vec::new();
    for (from, to) in [(&start.values, &end.values), (&start.view, &end.view)] {
        for (i, spec) in to.specs().iter().enumerate() {
            if let Some(value) = to.at(i).filter(|value| from.at(i) != Some(value)) {
                parts.push(format!("{}={}", spec.link, link::encode(&spec.kind.write(value))));
            }
        }
    }
    parts.join("&")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text).replace('\n', "\\n"))
}

/// Between three quotes, where one quote needs no backslash but three in a row do.
fn block(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    format!("\"\"\"\n{text}\n\"\"\"")
}
