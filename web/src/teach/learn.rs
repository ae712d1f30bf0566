//! A lesson for one learner: step by step, with a guess before every answer.

use leptos::prelude::*;
use tokenyard_lab::msg;
use tokenyard_lesson::{Predicted, Step};

use super::address::View;
use super::ask::{self, OwnForm};
use super::class::own::OwnCode;
use super::course::Course;
use super::fleet::StepFleet;
use super::lab::{self, StepLab, StepQuestion};
use super::task::TaskCard;
use crate::page::Kind;
use crate::state::Lab;
use crate::widgets::live::{drawn, flag, follow, live, text};

/// The lesson.
#[component]
pub fn Learn(
    /// The lesson under way.
    course: Course,
    /// Shows it to somebody else.
    switch: Callback<View>,
) -> impl IntoView {
    let shell = course.shell;
    let lesson = course.lesson();
    let (title, count) = (lesson.title.clone(), lesson.steps.len());
    let steps = (0..count).map(|i| entry(course, i));
    let list = text(move || shell.page.with(|page| page.href(&Kind::Teach)));
    view! {
        <article class="teach">
            <header class="teach-head">
                <p><a href=list>{shell.t("teach.all")}</a></p>
                <h1 tabindex="-1">{text(move || course.text(0, &title))}</h1>
                <p class="teach-actions">
                    <button type="button" on:click=move |_| switch.run(View::Present)>{shell.t("teach.present")}</button>
                </p>
            </header>
            <nav class="teach-steps" aria-label=shell.t("teach.steps")>
                <ol>{steps.collect_view()}</ol>
            </nav>
            {live(move || {
                let at = course.step.get();
                view! { <One course at /> }
            })}
            <p class="knob-error" role="alert" hidden=flag(move || course.numbers.failed().is_none())>
                {text(move || course.numbers.failed().map_or_else(String::new, |why| shell.now(&msg("luck.failed").with("why", why))))}
            </p>
        </article>
    }
    .into_any()
}

/// A step in the list of steps.
fn entry(course: Course, i: usize) -> AnyView {
    let lesson = course.lesson();
    let title = lesson.steps[i].title.clone();
    let here = flag(move || course.step.get() == i);
    view! {
        <li>
            <button
                type="button"
                class="link-button"
                aria-current=move || here.get().then_some("step")
                on:click=move |_| go(course, i)
            >
                {text(move || course.text(i, &title))}
            </button>
        </li>
    }
    .into_any()
}

/// Goes to a step and reads on at its heading.
fn go(course: Course, step: usize) {
    course.go(step, 0);
    super::focus("step-title");
}

/// One step.
#[component]
fn One(course: Course, at: usize) -> impl IntoView {
    let shell = course.shell;
    let lesson = course.lesson();
    let Some(step) = lesson.steps.get(at).cloned() else {
        return ().into_any();
    };
    let lab = step.state.as_ref().map(|place| lab::open(course, &step.id, place));
    let ask = step.predict.as_ref().map(|predict| predict.ask.clone());
    if let Some(lab) = lab {
        follow_guess(course, at, lab, ask.clone());
    }
    let (title, words, minutes) = (step.title.clone(), step.text.clone(), step.minutes);
    let fleet = step.fleet.clone();
    let is_last = at + 1 == lesson.steps.len();
    let heading = move || {
        let said = msg("teach.step").with("n", at + 1).with("title", course.text(at, &title));
        shell.now(&said)
    };
    view! {
        <section class="teach-step" aria-labelledby="step-title">
            <h2 id="step-title" tabindex="-1">{text(heading)}</h2>
            <p class="note">{shell.say(msg("teach.minutes").with("n", minutes))}</p>
            {drawn("teach-text", move || course.blocks(at, &words).concat())}
            {(ask.is_some() && ask != Some(Predicted::Lab)).then(|| own_question(course, at, lab))}
            {lab.filter(|_| ask == Some(Predicted::Lab)).map(|lab| view! { <StepQuestion course lab /> })}
            {ask.is_some().then(|| code(course))}
            {reveal(course, at, &step)}
            {lab.filter(|_| step.task.is_some()).map(|lab| view! { <TaskCard course lab /> })}
            {lab.map(|lab| view! { <StepLab course lab /> })}
            {fleet.map(|fleet| view! { <StepFleet course fleet /> })}
            <p class="teach-actions">
                <button type="button" disabled=at == 0 on:click=move |_| go(course, at.saturating_sub(1))>{shell.t("teach.back")}</button>
                <button type="button" class="is-primary" disabled=is_last on:click=move |_| go(course, at + 1)>
                    {shell.t("teach.next")}
                </button>
            </p>
        </section>
    }
    .into_any()
}

/// Keeps what is uncovered equal to what was answered.
fn follow_guess(course: Course, at: usize, lab: Lab, ask: Option<Predicted>) {
    match ask {
        None => match course.lesson().asked_later(at) {
            None => lab.revealed.set(true),
            // A later step asks about what is seen here.
            Some(later) => follow(move |_| lab.revealed.set(course.has_guess(later))),
        },
        Some(Predicted::Lab) => {
            follow(move |_| {
                let (open, guess) = (lab.revealed.get(), lab.guess.get());
                if let Some(guess) = guess.filter(|_| open) {
                    course.take_guess(guess);
                }
                if (course.shown.get_untracked() > 0) != open {
                    course.go(at, usize::from(open));
                }
            });
        }
        Some(_) => follow(move |_| lab.revealed.set(course.shown.get() > 0)),
    }
}

/// A question of the lesson's own, and what came of it.
fn own_question(course: Course, at: usize, lab: Option<Lab>) -> AnyView {
    let shell = course.shell;
    let answer = Callback::new(move |guess: Option<f64>| {
        if let Some(guess) = guess {
            course.take_guess(guess);
        }
        if let Some(lab) = lab {
            lab.playing.set(false);
        }
        course.go(at, 1);
    });
    view! {
        <section class="card predict" aria-labelledby="ask-title">
            <h3 id="ask-title" class="card-title">{shell.t("predict.title")}</h3>
            <p class="predict-ask">{text(move || ask::question(course))}</p>
            {live(move || match course.shown.get() {
                0 => view! { <OwnForm course answer /> }.into_any(),
                _ => ().into_any(),
            })}
            <p class="predict-said" role="status">{text(move || match course.shown.get() {
                0 => String::new(),
                _ => ask::verdict(course),
            })}</p>
            <button
                type="button"
                class="link-button"
                hidden=flag(move || course.shown.get() == 0)
                on:click=move |_| course.go(at, 0)
            >
                {shell.t("predict.again")}
            </button>
        </section>
    }
    .into_any()
}

/// The code of the learner's guess, as soon as there is one.
fn code(course: Course) -> AnyView {
    let code = Signal::derive(move || course.code());
    view! { <OwnCode code name=course.shell.t("teach.code-of-guess") /> }.into_any()
}

/// What is said when the answer is out.
fn reveal(course: Course, at: usize, step: &Step) -> AnyView {
    let Some(words) = step.reveal.clone() else {
        return ().into_any();
    };
    let shell = course.shell;
    let asks = step.predict.is_some();
    let shown = flag(move || course.shown.get() > 0);
    let said = move || if shown.get() { course.blocks(at, &words).concat() } else { String::new() };
    view! {
        <section class="teach-reveal" aria-label=shell.t("teach.reveal")>
            <button type="button" hidden=flag(move || asks || shown.get()) on:click=move |_| course.go(at, 1)>
                {shell.t("teach.reveal")}
            </button>
            <div role="status">{drawn("teach-text", said)}</div>
        </section>
    }
    .into_any()
}
