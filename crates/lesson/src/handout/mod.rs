//! A lesson on paper: what learners get, or what the instructor has in hand.
//!
//! There is one outline, a list of plain [`Part`]s with all numbers filled in, and two ways to write
//! it: as Markdown and as HTML. What learners get never holds an answer.

mod html;
mod markdown;
mod part;

use tokenyard_lab::{Arg, LabSpec, Msg, Words, msg};

use crate::facts::Facts;
use crate::model::{Lesson, Predict, Predicted, Step, Task, Text};
use crate::place::Place;
use crate::prose::{Block, blocks};
use crate::question::{Asked, Question};
use crate::say;

pub use html::write as html;
pub use part::{About, Part, Room, Span};

/// Words by lab: the common ones, the catalogue `lesson`, and those of a lab, if one is named.
pub type WordsOf<'a> = &'a dyn Fn(Option<&str>) -> Words;

/// The sheet as Markdown, in the language at a position of the lesson's list. `notes` as of [`outline`].
/// Cost: the runs that its numbers take.
#[must_use]
pub fn markdown(lesson: &Lesson, language: usize, words_of: WordsOf<'_>, notes: bool) -> String {
    as_markdown(&outline(lesson, &mut Facts::of(lesson), language, words_of, notes))
}

/// Parts as Markdown.
#[must_use]
pub fn as_markdown(parts: &[Part]) -> String {
    format!("{}\n", markdown::write(parts).trim_end())
}

/// The sheet in the language at a position of the lesson's list. Without `notes` it is what learners get:
/// room to write, places for figures. With them it is the instructor's: times, answers, hints, solutions,
/// notes, misconceptions. Cost: the runs that its numbers take and `facts` has not made yet.
#[must_use]
pub fn outline(
    lesson: &Lesson,
    facts: &mut Facts<'_>,
    language: usize,
    words_of: WordsOf<'_>,
    notes: bool,
) -> Vec<Part> {
    let mut sheet = Sheet { facts, language, words_of, words: words_of(None), notes, lesson };
    let mut parts = sheet.head();
    let mut clock = 0;
    for (i, step) in lesson.steps.iter().enumerate() {
        sheet.words = words_of(step.state.as_ref().map(|place| place.lab.id));
        let inside = sheet.step(i, step, clock);
        parts.push(Part::Group(About::Step(step.id.clone()), inside));
        clock += step.minutes;
    }
    parts
}

struct Sheet<'a, 'f> {
    facts: &'a mut Facts<'f>,
    language: usize,
    words_of: WordsOf<'a>,
    words: Words,
    notes: bool,
    lesson: &'a Lesson,
}

impl Sheet<'_, '_> {
    fn say(&self, msg: &Msg) -> String {
        self.words.say(msg)
    }

    fn filled(&mut self, text: &Text) -> String {
        self.facts.fill(text.at(self.language), &self.words)
    }

    fn prose(&mut self, text: &Text) -> Vec<Part> {
        let part = |block| match block {
            Block::Paragraph(text) => Part::Paragraph(text),
            Block::Items(items) => Part::Items(items.into_iter().map(Span::words).collect()),
        };
        blocks(&self.filled(text)).into_iter().map(part).collect()
    }

    /// A word that says what follows, and a text after it.
    fn line(&self, label: Msg, text: impl Into<String>) -> Part {
        Part::Line { label: self.say(&label), spans: Span::words(text) }
    }

    fn blank(&self, label: Msg, room: Room) -> Part {
        Part::Blank { label: self.say(&label), room }
    }

    fn head(&mut self) -> Vec<Part> {
        let mut parts = vec![Part::Title(self.filled(&self.lesson.title))];
        parts.extend(self.prose(&self.lesson.about));
        let minutes = self.say(&msg("handout.minutes").with("n", self.lesson.minutes));
        parts.push(self.line(msg("handout.duration"), minutes));
        if self.notes {
            let goal = self.filled(&self.lesson.goal);
            parts.push(self.line(msg("handout.goal"), goal));
        }
        let mut rows = Vec::new();
        let mut clock = 0;
        for (i, step) in self.lesson.steps.iter().enumerate() {
            let lab = step.state.as_ref().map(|place| place.lab.id);
            let title = self.facts.fill(step.title.at(self.language), &(self.words_of)(lab));
            let lab = match (&step.state, &step.fleet) {
                (Some(place), _) => self.lab(place.lab),
                (None, Some(_)) => self.say(&msg("handout.fleet")),
                (None, None) => String::new(),
            };
            let times = self.say(&between(clock, step));
            rows.push(vec![(i + 1).to_string(), title, times, lab]);
            clock += step.minutes;
        }
        let [step, time, lab] = [msg("handout.step"), msg("handout.time"), msg("handout.lab")];
        let head = [step, time, lab].map(|head| self.say(&head));
        parts.push(Part::Table { head: [vec![String::new()], head.to_vec()].concat(), rows });
        parts
    }

    fn lab(&self, lab: &LabSpec) -> String {
        (self.words_of)(Some(lab.id)).get("title").to_owned()
    }

    fn step(&mut self, i: usize, step: &Step, clock: u32) -> Vec<Part> {
        let text = format!("{}. {}", i + 1, self.filled(&step.title));
        let aside = if self.notes {
            self.say(&msg("handout.from-to").with("times", between(clock, step)))
        } else {
            self.say(&msg("handout.minutes").with("n", step.minutes))
        };
        let mut parts = vec![Part::Heading { text, aside }];
        if let Some(place) = &step.state {
            let mut spans = Span::words(self.lab(place.lab));
            if self.shows(place) {
                spans.extend([
                    Span::Text(" (".to_owned()),
                    Span::Code(place.write()),
                    Span::Text(")".to_owned()),
                ]);
            }
            parts.push(Part::Line { label: self.say(&msg("handout.lab-colon")), spans });
        }
        if let Some(fleet) = &step.fleet {
            let spans = vec![Span::Code(fleet.write())];
            parts.push(Part::Line { label: self.say(&msg("handout.fleet-colon")), spans });
        }
        parts.extend(self.prose(&step.text));
        if step.state.as_ref().is_some_and(|place| !self.notes && self.shows(place)) {
            parts.push(Part::Figure(i));
        }
        if let (Some(place), Some(predict)) = (&step.state, &step.predict) {
            parts.push(Part::Group(About::Question, self.question(i, place, predict)));
        }
        if let (Some(place), Some(task)) = (&step.state, &step.task) {
            parts.push(Part::Group(About::Task, self.task(place, task)));
        }
        if self.notes {
            parts.extend(self.behind(step));
        } else if step.reveal.is_some() && step.predict.is_none() && step.task.is_none() {
            parts.push(self.blank(msg("handout.own"), Room::Lines));
        }
        parts
    }

    /// Whether the reader may see which settings a step has.
    fn shows(&self, place: &Place) -> bool {
        self.notes || !self.lesson.gives_away(place)
    }

    /// What learners do not see before it is said.
    fn behind(&mut self, step: &Step) -> Vec<Part> {
        let mut parts = Vec::new();
        let texts = [
            (About::Reveal, msg("handout.reveal"), &step.reveal),
            (About::Notes, msg("handout.notes"), &step.notes),
        ];
        for (about, label, text) in texts {
            if let Some(text) = text {
                let label = Part::Line { label: self.say(&label), spans: Vec::new() };
                let inside = [vec![label], self.prose(text)].concat();
                parts.push(Part::Group(about, inside));
            }
        }
        for one in &step.misconceptions {
            let (says, answer) = (self.filled(&one.says), self.filled(&one.answer));
            let quoted = self.say(&msg("handout.quoted").with("text", says));
            let inside = vec![
                self.line(msg("handout.misconception"), quoted),
                self.line(msg("handout.answer-colon"), answer),
            ];
            parts.push(Part::Group(About::Misconception, inside));
        }
        parts
    }

    fn question(&mut self, step: usize, place: &Place, predict: &Predict) -> Vec<Part> {
        let asked = match &predict.text {
            Some(text) => self.filled(text),
            None => self.say(&(place.lab.prediction.question)(&place.state.setup)),
        };
        let mut parts = vec![self.line(msg("handout.question"), asked)];
        parts.extend(self.options(step, place));
        if !self.notes {
            parts.push(self.blank(msg("handout.guess"), Room::Short));
            parts.push(self.blank(msg("handout.why"), Room::Lines));
            return parts;
        }
        let answer = self.facts.value(&crate::Formula::Answer(step));
        let answer = answer.map(|arg| self.words.arg(&arg)).unwrap_or_default();
        parts.push(self.line(msg("handout.answer"), answer));
        if matches!(
            predict.ask,
            Predicted::Figure { pinned: false, .. } | Predicted::Extreme { pinned: false, .. }
        ) {
            parts.push(Part::Paragraph(self.say(&msg("handout.median"))));
        }
        parts
    }

    fn options(&self, step: usize, place: &Place) -> Option<Part> {
        Some(match Question::of_step(self.lesson, step)?.asked {
            Asked::Choice(n) => {
                let name = |i: u32| self.words.at(&["predict.option", &i.to_string()]);
                Part::Choices((0..n).map(name).collect())
            }
            Asked::Rows(_) => {
                let table = place.lab.table(&place.state.setup);
                Part::Choices(table.rows.iter().map(|row| self.say(&row.name)).collect())
            }
            Asked::Number { min, max, digits, .. } => {
                let range = msg("handout.range").with("min", Arg::Fixed(min, digits));
                let range = range.with("max", Arg::Fixed(max, digits));
                Part::Items(vec![Span::words(self.say(&range))])
            }
        })
    }

    fn task(&mut self, place: &Place, task: &Task) -> Vec<Part> {
        let text = self.filled(&task.text);
        let mut items: Vec<Vec<Span>> =
            say::goals(task, place, &self.words).iter().map(|goal| Span::words(self.say(goal))).collect();
        items.push(Span::words(self.say(&msg("handout.changes").with("n", u32::from(task.changes)))));
        let seeds = if task.pinned { msg("handout.pinned") } else { msg("handout.seeds") };
        items.push(Span::words(self.say(&seeds.with("least", tokenyard_lab::task::ENOUGH))));
        let mut parts = vec![self.line(msg("handout.task"), text), Part::Items(items)];
        if !self.notes {
            parts.push(self.blank(msg("handout.found"), Room::Lines));
            parts.push(self.blank(msg("handout.word"), Room::Short));
            parts.push(self.blank(msg("handout.code"), Room::Code));
            return parts;
        }
        for hint in &task.hints {
            let hint = self.filled(hint);
            parts.push(self.line(msg("handout.hint"), hint));
        }
        let done = self.filled(&task.done);
        let changes: Vec<String> =
            say::solution(task, place, &self.words).iter().map(|change| self.say(change)).collect();
        parts.push(self.line(msg("handout.solution"), changes.join("; ")));
        parts.push(Part::Paragraph(done));
        parts
    }
}

/// From which minute of the lesson to which a step lasts.
fn between(clock: u32, step: &Step) -> Msg {
    msg("handout.between").with("from", clock).with("to", clock + step.minutes)
}
