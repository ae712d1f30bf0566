//! From a file to a lesson, or to everything that is wrong with it.

mod fields;
mod parts;
mod whole;

use tokenyard_lab::msg;

use crate::fault::{Fault, Faults, Line};
use crate::model::{Lesson, Misconception, Step, Text};
use crate::place::Place;
use crate::toml::{self, Section};

use fields::Fields;

/// Most steps of a lesson.
pub const MAX_STEPS: usize = 40;
/// Longest lesson in minutes.
const MAX_MINUTES: i64 = 480;

/// How wide a text may be, in columns of [`crate::prose::width`]: what fits on a slide, on a button or
/// on a page of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(pub usize);

impl Limit {
    /// A heading.
    pub const TITLE: Self = Self(72);
    /// What a slide says, or reveals.
    pub const SLIDE: Self = Self(640);
    /// A sentence or two: a question, a task, a hint.
    pub const SHORT: Self = Self(320);
    /// What an instructor reads beforehand.
    pub const NOTES: Self = Self(2_000);
}

/// Reads a lesson and checks all of it but what takes 200 seeds; that is [`crate::trial::faults`].
///
/// # Errors
/// Everything that is wrong, in the order of the lines.
pub fn read(text: &str) -> Result<Lesson, Vec<Fault>> {
    let mut faults = Faults::default();
    let sections = toml::parse(text, &mut faults);
    let lesson = lesson(sections, &mut faults);
    whole::sums(&lesson, &mut faults);
    // Where a step or a state could not be read, what refers to it would be a fault as well.
    if faults.are_local() {
        whole::check(&lesson, &mut faults);
    }
    if faults.none() { Ok(lesson) } else { Err(faults.finish()) }
}

/// The lesson as far as it can be understood. What is missing is empty, and a fault.
fn lesson(sections: Vec<Section>, faults: &mut Faults) -> Lesson {
    let languages = fields::languages(&sections, faults);
    let mut sections = sections.into_iter();
    let mut head = Fields::of(sections.next(), "", &languages, faults);
    head.format();
    let mut lesson = Lesson {
        id: head.id(),
        line: head.line_of("minutes"),
        minutes: head.number("minutes", 1..=MAX_MINUTES),
        languages: languages.clone(),
        title: head.text("title", Limit::TITLE),
        about: head.text("about", Limit::SHORT),
        goal: head.text("goal", Limit::SHORT),
        steps: Vec::new(),
    };
    head.finish(&["format", "id", "minutes", "languages", "title", "about", "goal"]);
    for section in sections {
        add(&mut lesson, section, &languages, faults);
    }
    if lesson.steps.is_empty() {
        faults.add(Line(1), "", "", msg("fault.empty"));
    }
    lesson
}

/// One section: a step, or a part of the step before it.
fn add(lesson: &mut Lesson, section: Section, languages: &[String], faults: &mut Faults) {
    let (line, header) = (section.line, section.header.clone());
    if header == "[[step]]" {
        match lesson.steps.len() {
            MAX_STEPS => faults.add(line, "", &header, msg("fault.steps").with("most", MAX_STEPS)),
            n if n < MAX_STEPS => lesson.steps.push(step(section, n, languages, faults)),
            _ => {}
        }
        return;
    }
    let Some(step) = lesson.steps.last_mut() else {
        return faults.add(
            line,
            "",
            &header,
            msg("fault.section-early").with("allowed", "[[step]]".to_owned()),
        );
    };
    let twice = match header.as_str() {
        "[step.predict]" => step.predict.is_some(),
        "[step.task]" => step.task.is_some(),
        _ => false,
    };
    if twice {
        return faults.add(line, &step.id, &header, msg("fault.section-twice"));
    }
    match header.as_str() {
        "[step.predict]" => step.predict = parts::predict(step, section, languages, faults),
        "[step.task]" => step.task = parts::task(step, section, languages, faults),
        "[[step.misconception]]" => {
            let mut fields = Fields::of(Some(section), &step.id, languages, faults);
            let (says, answer) = (fields.text("says", Limit::SHORT), fields.text("answer", Limit::SLIDE));
            fields.finish(&["says", "answer"]);
            step.misconceptions.push(Misconception { says, answer });
        }
        _ => {
            let allowed = "[[step]], [step.predict], [step.task], [[step.misconception]]";
            faults.add(line, "", &header, msg("fault.section").with("allowed", allowed.to_owned()));
        }
    }
}

fn step(section: Section, n: usize, languages: &[String], faults: &mut Faults) -> Step {
    let name = fields::name(&section).unwrap_or_else(|| format!("step {}", n + 1));
    let mut fields = Fields::of(Some(section), &name, languages, faults);
    let line = fields.line_of("id");
    let (id, minutes, state) = (fields.id(), fields.number("minutes", 1..=MAX_MINUTES), fields.state());
    let step = Step {
        id,
        line,
        minutes,
        fleet: fields.fleet(state.is_some()),
        state,
        title: fields.text("title", Limit::TITLE),
        text: fields.text("text", Limit::SLIDE),
        predict: None,
        task: None,
        reveal: fields.text_if("reveal", Limit::SLIDE),
        notes: fields.text_if("notes", Limit::NOTES),
        misconceptions: Vec::new(),
    };
    fields.finish(&["id", "minutes", "state", "fleet", "title", "text", "reveal", "notes"]);
    step
}

/// A step's state for its parts, which cannot be without one.
fn place<'a>(step: &'a Step, line: Line, part: &str, faults: &mut Faults) -> Option<&'a Place> {
    if step.state.is_none() && !faults.about(&format!("{}.state", step.id)) {
        faults.add(line, &step.id, part, msg("fault.no-state"));
    }
    step.state.as_ref()
}

/// Every text of a lesson with the name of its field, and the lab of its step.
pub(crate) fn texts(lesson: &Lesson) -> Vec<(String, Option<&'static str>, &Text)> {
    let mut all: Vec<(String, Option<&'static str>, &Text)> = vec![
        ("title".to_owned(), None, &lesson.title),
        ("about".to_owned(), None, &lesson.about),
        ("goal".to_owned(), None, &lesson.goal),
    ];
    for step in &lesson.steps {
        let lab = step.state.as_ref().map(|place| place.lab.id);
        let mut add = |field: &str, text| all.push((format!("{}.{field}", step.id), lab, text));
        add("title", &step.title);
        add("text", &step.text);
        step.reveal.iter().for_each(|text| add("reveal", text));
        step.notes.iter().for_each(|text| add("notes", text));
        step.predict.iter().filter_map(|p| p.text.as_ref()).for_each(|text| add("text", text));
        if let Some(task) = &step.task {
            add("text", &task.text);
            task.hints.iter().for_each(|text| add("hints", text));
            add("done", &task.done);
        }
        for one in &step.misconceptions {
            add("says", &one.says);
            add("answer", &one.answer);
        }
    }
    all
}
