//! What a step asks, in words, and the form in which a learner answers a question that is not the lab's
//! own.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Column, msg};
use tokenyard_lesson::{Asked, Predicted, Step};

use super::course::Course;
use crate::widgets::live::{flag, text};

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
    match course.question() {
        Some(question) if !matches!(question.asked, Asked::Number { .. }) => {
            (0..question.guesses()).map(|index| guess_words(course, index)).collect()
        }
        _ => Vec::new(),
    }
}

/// A guess of the present step in words. Followed.
#[must_use]
pub fn guess_words(course: Course, index: u32) -> String {
    let (at, lesson) = (course.step.get(), course.lesson());
    let place = lesson.steps.get(at).and_then(|step| step.state.as_ref());
    let (Some(question), Some(place)) = (course.question(), place) else {
        return String::new();
    };
    let words = course.words_of(Some(place.lab));
    match &question.asked {
        Asked::Number { digits, .. } => {
            let number = words.arg(&Arg::Fixed(question.value(index).unwrap_or_default(), *digits));
            if is_share(&lesson.steps[at]) { format!("{number}%") } else { number }
        }
        Asked::Choice(_) => words.at(&["predict.option", &index.to_string()]),
        Asked::Rows(_) => {
            let table = place.lab.table(&place.state.setup);
            table.rows.get(index as usize).map_or(String::new(), |row| words.say(&row.name))
        }
    }
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
    let said = msg("teach.said").with("guess", course.guess_words(guess.index)).with("outcome", right);
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
            let digits = if is_share(step) { 1 } else { digits };
            let number = words.arg(&Arg::Fixed(outcome, digits));
            if is_share(step) { format!("{number}%") } else { number }
        }
        Some(_) => guess_words(course, outcome.max(0.0) as u32),
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
    let asked = untrack(|| course.question()).map(|question| question.asked);
    let form = match asked {
        Some(Asked::Number { min, max, step, .. }) => number(course, (min, max, step), answer),
        _ => rows(course, answer),
    };
    view! {
        {form}
        <div class="predict-actions">
            <button type="button" class="link-button" on:click=move |_| answer.run(None)>{shell.t("teach.skip")}</button>
        </div>
    }
    .into_any()
}

fn number(course: Course, range: (f64, f64, f64), answer: Callback<Option<f64>>) -> AnyView {
    let (min, max, step) = range;
    let steps = ((max - min) / step / 2.0).round();
    let guess = RwSignal::new(min + steps * step);
    let inside = flag(move || (min..=max).contains(&guess.get()));
    let nudge = move |by: f64| guess.update(|g| *g = (*g + by * step).clamp(min, max));
    let shell = course.shell;
    let said = move |key: &'static str| text(move || shell.t(key).get());
    view! {
        <div class="knob-row" dir="ltr">
            <button type="button" class="step-button" aria-label=said("teach.less") on:click=move |_| nudge(-1.0)>"−"</button>
            <span class="slider">
                <input
                    type="range"
                    min=min.to_string()
                    max=max.to_string()
                    step=step.to_string()
                    prop:value=text(move || guess.get().to_string())
                    aria-label=said("teach.guess-name")
                    on:input:target=move |event| guess.set(event.target().value().parse().unwrap_or(min))
                />
            </span>
            <button type="button" class="step-button" aria-label=said("teach.more") on:click=move |_| nudge(1.0)>"+"</button>
            <span class="guess-value">{text(move || guess.get().to_string())}</span>
        </div>
        <p class="note">{text(move || range_words(course))}</p>
        <button
            type="button"
            class="is-primary"
            disabled=flag(move || !inside.get())
            on:click=move |_| answer.run(Some(guess.get_untracked()))
        >
            {said("teach.guess")}
        </button>
    }
    .into_any()
}

fn range_words(course: Course) -> String {
    range(course).unwrap_or_default()
}

fn rows(course: Course, answer: Callback<Option<f64>>) -> AnyView {
    let count = untrack(|| course.question()).map_or(0, |question| question.guesses());
    let button = move |index: u32| {
        view! {
            <button type="button" on:click=move |_| answer.run(Some(f64::from(index)))>
                {text(move || guess_words(course, index))}
            </button>
        }
    };
    view! { <div class="predict-options">{(0..count).map(button).collect_view()}</div> }.into_any()
}
