//! What a step asks, in words, and the form in which a learner answers a question that is not the lab's
//! own.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Column, Words, msg};
use tokenyard_lesson::{Asked, Predicted, Question, Step};

use super::course::Course;
use crate::widgets::live::text;
use crate::widgets::predict::{ChoiceForm, NumberForm};

/// The question of the present step in words; empty without one. Followed.
#[must_use]
pub fn question(course: Course) -> String {
    let at = course.step.get();
    let lesson = course.lesson();
    let Some(step) = lesson.steps.get(at) else {
        return String::new();
    };
    match (&step.predict, &step.state) {
        (Some(predict), Some(place)) => match &predict.text {
            Some(text) => course.text(at, text),
            None => {
                let asked = (place.lab.prediction.question)(&place.state.setup);
                course.words_of(Some(place.lab)).say(&asked)
            }
        },
        _ => String::new(),
    }
}

/// What may be guessed, in words: the range of numbers, or nothing for options. Followed.
#[must_use]
pub fn range(course: Course) -> Option<String> {
    let question = course.question()?;
    let Asked::Number { min, max, digits, .. } = question.asked else {
        return None;
    };
    let said = msg("teach.range").with("min", Arg::Fixed(min, digits)).with("max", Arg::Fixed(max, digits));
    Some(course.shell.now(&said))
}

/// The options of a question of options, in words; none for a number. Followed.
#[must_use]
pub fn options(course: Course) -> Vec<String> {
    let is_number = |question: &Question| matches!(question.asked, Asked::Number { .. });
    if course.question().is_none_or(|question| is_number(&question)) { Vec::new() } else { guesses(course) }
}

/// Every guess of the present step in words, in their order; none without a question. Cost: one table if the
/// guesses are its rows. Followed.
#[must_use]
pub fn guesses(course: Course) -> Vec<String> {
    let (at, lesson) = (course.step.get(), course.lesson());
    let step = lesson.steps.get(at);
    let (Some(question), Some((step, place))) =
        (course.question(), step.and_then(|step| Some((step, step.state.as_ref()?))))
    else {
        return Vec::new();
    };
    let words = course.words_of(Some(place.lab));
    match &question.asked {
        Asked::Rows(_) => {
            let table = place.lab.table(&place.state.setup);
            table.rows.iter().map(|row| words.say(&row.name)).collect()
        }
        Asked::Choice(options) => {
            (0..*options).map(|i| words.at(&["predict.option", &i.to_string()])).collect()
        }
        Asked::Number { digits, .. } => (0..question.guesses())
            .filter_map(|index| question.value(index))
            .map(|value| number(&words, step, value, *digits))
            .collect(),
    }
}

/// A guess of the present step in words; empty for one that there is not. Followed.
fn guess_words(course: Course, index: usize) -> String {
    guesses(course).into_iter().nth(index).unwrap_or_default()
}

/// A number that was guessed or is right; a share is guessed in percent.
fn number(words: &Words, step: &Step, value: f64, digits: u8) -> String {
    let number = words.arg(&Arg::Fixed(value, digits));
    if is_share(step) { format!("{number}%") } else { number }
}

/// Whether a step asks for a share, which is guessed in percent.
fn is_share(step: &Step) -> bool {
    let (Some(place), Some(predict)) = (&step.state, &step.predict) else {
        return false;
    };
    let column = |at: usize| -> Option<&Column> { place.lab.columns.get(at) };
    matches!(predict.ask, Predicted::Figure { column: at, .. } if column(at).is_some_and(|c| c.digits.is_none()))
}

/// What was guessed and what is right, in one sentence; empty while either is not there. Followed.
#[must_use]
pub fn verdict(course: Course) -> String {
    let (Some(guess), Some(outcome)) = (course.guess(), course.outcome()) else {
        return String::new();
    };
    let right = outcome_words(course, outcome);
    let said =
        msg("teach.said").with("guess", guess_words(course, guess.index as usize)).with("outcome", right);
    course.shell.now(&said)
}

/// What is right in words. Followed.
#[must_use]
pub fn outcome_words(course: Course, outcome: f64) -> String {
    let (at, lesson) = (course.step.get(), course.lesson());
    let Some(step) = lesson.steps.get(at) else {
        return String::new();
    };
    match course.question().map(|question| question.asked) {
        // As exact as it is shown elsewhere, between two guesses if that is where it lies.
        Some(Asked::Number { digits, .. }) => {
            let words = course.words_of(step.state.as_ref().map(|place| place.lab));
            number(&words, step, outcome, if is_share(step) { 1 } else { digits })
        }
        Some(_) => guess_words(course, outcome.max(0.0) as usize),
        None => String::new(),
    }
}

/// The form for a question of the lesson's own: a number, or one of the rows.
#[component]
pub fn OwnForm(
    /// The lesson.
    course: Course,
    /// Called with the guess, or with none where the learner only wants to see.
    answer: Callback<Option<f64>>,
) -> impl IntoView {
    let shell = course.shell;
    match untrack(|| course.question()).map(|question| question.asked) {
        Some(Asked::Number { min, max, step, .. }) => {
            let start = min + ((max - min) / step / 2.0).round() * step;
            view! {
                <p class="note">{text(move || range(course).unwrap_or_default())}</p>
                <NumberForm range=(min, max, step) start name=shell.t("teach.guess-name") answer />
            }
            .into_any()
        }
        _ => {
            let count = untrack(|| guesses(course)).len();
            let options = (0..count).map(|i| text(move || guess_words(course, i))).collect();
            view! { <ChoiceForm options answer /> }.into_any()
        }
    }
}
