//! A lesson on paper, as Markdown: what learners get, or with the instructor's notes.

use std::fmt::Write as _;

use tokenyard_lab::{Arg, LabSpec, Words, msg};

use crate::facts::Facts;
use crate::model::{Lesson, Predict, Predicted, Step, Task, Text};
use crate::place::Place;
use crate::prose::{Block, blocks};
use crate::question::{Asked, Question};
use crate::write::{goal_text, solution};

/// Words by lab: the common ones, the catalogue `lesson`, and those of a lab, if one is named.
pub type WordsOf<'a> = &'a dyn Fn(Option<&str>) -> Words;

/// The handout in the language at a position of the lesson's list. `notes` adds what the instructor
/// knows: answers, hints, solutions, notes, misconceptions. Cost: the runs that its numbers take.
#[must_use]
pub fn markdown(lesson: &Lesson, language: usize, words_of: WordsOf<'_>, notes: bool) -> String {
    let words = words_of(None);
    let mut page =
        Page { out: String::new(), facts: Facts::of(lesson), language, words_of, words, notes, lesson };
    page.head();
    for (i, step) in lesson.steps.iter().enumerate() {
        page.words = words_of(step.state.as_ref().map(|place| place.lab.id));
        page.step(i, step);
    }
    page.out
}

struct Page<'a> {
    out: String,
    facts: Facts<'a>,
    language: usize,
    words_of: WordsOf<'a>,
    words: Words,
    notes: bool,
    lesson: &'a Lesson,
}

impl Page<'_> {
    fn say(&self, key: &'static str, args: &[(&'static str, Arg)]) -> String {
        self.words.fill_key(key, args)
    }

    fn filled(&mut self, text: &Text) -> String {
        self.facts.fill(text.at(self.language), &self.words)
    }

    /// Blocks of a text, each with a blank line after it.
    fn prose(&mut self, text: &Text) {
        for block in blocks(&self.filled(text)) {
            match block {
                Block::Paragraph(text) => self.out.push_str(&text),
                Block::Items(items) => {
                    let lines: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
                    self.out.push_str(&lines.join("\n"));
                }
            }
            self.out.push_str("\n\n");
        }
    }

    /// A word in bold, and a text after it.
    fn labelled(&mut self, key: &'static str, text: &str) {
        let label = self.say(key, &[]);
        let _ = writeln!(self.out, "{}\n", format!("**{label}** {text}").trim_end());
    }

    fn head(&mut self) {
        let title = self.filled(&self.lesson.title.clone());
        let _ = writeln!(self.out, "# {title}\n");
        self.prose(&self.lesson.about.clone());
        let minutes = self.say("handout.minutes", &[("n", Arg::from(self.lesson.minutes))]);
        self.labelled("handout.duration", &minutes);
        if self.notes {
            let goal = self.filled(&self.lesson.goal.clone());
            self.labelled("handout.goal", &goal);
        }
        let head = ["handout.step", "handout.time", "handout.lab"].map(|key| self.say(key, &[]));
        let _ = writeln!(self.out, "| | {} | {} | {} |\n|--:|---|--:|---|", head[0], head[1], head[2]);
        let mut clock = 0;
        for (i, step) in self.lesson.steps.iter().enumerate() {
            let lab = step.state.as_ref().map_or(String::new(), |place| self.lab(place.lab));
            let title = self.filled(&step.title);
            let _ = writeln!(self.out, "| {} | {title} | {clock}–{} | {lab} |", i + 1, clock + step.minutes);
            clock += step.minutes;
        }
        self.out.push('\n');
    }

    fn lab(&self, lab: &LabSpec) -> String {
        (self.words_of)(Some(lab.id)).get("title").to_owned()
    }

    fn step(&mut self, i: usize, step: &Step) {
        let title = self.filled(&step.title);
        let minutes = self.say("handout.minutes", &[("n", Arg::from(step.minutes))]);
        let _ = writeln!(self.out, "## {}. {title} ({minutes})\n", i + 1);
        if let Some(place) = &step.state {
            let lab = self.lab(place.lab);
            self.labelled("handout.lab-colon", &format!("{lab} (`{}`)", place.write()));
        }
        self.prose(&step.text);
        if let (Some(place), Some(predict)) = (&step.state, &step.predict) {
            self.predict(i, place, predict);
        }
        if let (Some(place), Some(task)) = (&step.state, &step.task) {
            self.task(place, task);
        }
        if !self.notes {
            return;
        }
        if let Some(reveal) = &step.reveal {
            self.labelled("handout.reveal", "");
            self.prose(reveal);
        }
        if let Some(notes) = &step.notes {
            self.labelled("handout.notes", "");
            self.prose(notes);
        }
        for one in &step.misconceptions {
            let (says, answer) = (self.filled(&one.says), self.filled(&one.answer));
            let quoted = self.say("handout.quoted", &[("text", Arg::Text(says))]);
            self.labelled("handout.misconception", &quoted);
            self.labelled("handout.answer-colon", &answer);
        }
    }

    fn predict(&mut self, step: usize, place: &Place, predict: &Predict) {
        let asked = match &predict.text {
            Some(text) => self.filled(text),
            None => self.words.say(&(place.lab.prediction.question)(&place.state.setup)),
        };
        self.labelled("handout.question", &asked);
        for option in self.options(step, place) {
            let _ = writeln!(self.out, "- {option}");
        }
        self.out.push('\n');
        self.labelled("handout.guess", "______");
        if self.notes {
            let answer = crate::Formula::Answer(step);
            let answer = self.facts.value(&answer).map(|arg| self.words.arg(&arg)).unwrap_or_default();
            self.labelled("handout.answer", &answer);
            if matches!(
                predict.ask,
                Predicted::Figure { pinned: false, .. } | Predicted::Extreme { pinned: false, .. }
            ) {
                let over = self.say("handout.median", &[]);
                let _ = writeln!(self.out, "{over}\n");
            }
        }
    }

    fn options(&self, step: usize, place: &Place) -> Vec<String> {
        match Question::of_step(self.lesson, step).map(|q| q.asked) {
            Some(Asked::Choice(n)) => {
                (0..n).map(|i| self.words.at(&["predict.option", &i.to_string()])).collect()
            }
            Some(Asked::Rows(_)) => {
                let table = place.lab.table(&place.state.setup);
                table.rows.iter().map(|row| self.words.say(&row.name)).collect()
            }
            Some(Asked::Number { min, max, digits, .. }) => {
                let range = msg("handout.range").with("min", Arg::Fixed(min, digits));
                vec![self.words.say(&range.with("max", Arg::Fixed(max, digits)))]
            }
            None => Vec::new(),
        }
    }

    fn task(&mut self, place: &Place, task: &Task) {
        let text = self.filled(&task.text);
        self.labelled("handout.task", &text);
        for goal in &task.goals {
            let _ = writeln!(self.out, "- `{}`", goal_text(place.lab, goal));
        }
        let changes = self.say("handout.changes", &[("n", Arg::from(u32::from(task.changes)))]);
        let seeds = if task.pinned { "handout.pinned" } else { "handout.seeds" };
        let seeds = self.say(seeds, &[("least", Arg::from(tokenyard_lab::task::ENOUGH))]);
        let _ = writeln!(self.out, "- {changes}\n- {seeds}\n");
        self.labelled("handout.code", "____-____-____");
        if self.notes {
            for hint in &task.hints {
                let hint = self.filled(hint);
                self.labelled("handout.hint", &hint);
            }
            let done = self.filled(&task.done);
            self.labelled("handout.solution", &format!("`{}` {done}", solution(task, place)));
        }
    }
}
