//! A step before a class: words, question and guesses on one side, the lab on the other, and what each
//! press uncovers.

use leptos::prelude::*;
use tokenyard_lab::msg;
use tokenyard_lesson::code::Room;
use tokenyard_lesson::{Question, Step, prose, qr};

use super::ask;
use super::class::collect::Collect;
use super::class::histogram::Answers;
use super::class::verify::Verify;
use super::course::{Course, Way};
use super::fleet::StepFleet;
use super::lab::{self, StepLab};
use super::present::Stage;
use crate::state::Lab;
use crate::widgets::live::{drawn, flag, follow, list, text};

/// What one press of the key uncovers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// What is right, with the guesses of the class.
    Answer,
    /// A paragraph or a list of what is said then, from 0.
    Reveal(usize),
    /// A solution of the task, set in the lab.
    Done,
}

/// The beats of a step, in order. Followed.
#[must_use]
pub fn beats(course: Course, step: &Step) -> Vec<Beat> {
    let language = course.language();
    let paragraphs = step.reveal.as_ref().map_or(0, |text| prose::blocks(text.at(language)).len());
    let answer = step.predict.as_ref().map(|_| Beat::Answer);
    let done = step.task.as_ref().map(|_| Beat::Done);
    answer.into_iter().chain((0..paragraphs).map(Beat::Reveal)).chain(done).collect()
}

/// How many beats the step at this place has. Followed.
#[must_use]
pub fn beat_count(course: Course, step: usize) -> usize {
    course.lesson().steps.get(step).map_or(0, |step| beats(course, step).len())
}

/// One step: words on one side, the lab on the other.
#[component]
pub fn Slide(
    /// The class.
    stage: Stage,
    /// The step, from 0.
    at: usize,
) -> impl IntoView {
    let course = stage.course;
    let lesson = course.lesson();
    let Some(step) = lesson.steps.get(at).cloned() else {
        return ().into_any();
    };
    let lab = step.state.as_ref().map(|place| lab::open(course, &step.id, place));
    stage.lab.set_value(lab);
    if let Some(lab) = lab {
        uncover(course, at, &step, lab);
    }
    let (title, words) = (step.title.clone(), step.text.clone());
    let alone = lab.is_none() && step.fleet.is_none();
    let fleet = step.fleet.clone();
    let act = Callback::new(move |what| stage.act(what));
    view! {
        <div class="present-main" class:is-alone=alone>
            <div class="present-words" tabindex="0" role="group" aria-labelledby="present-title">
                <h1 id="present-title" tabindex="-1">{text(move || course.text(at, &title))}</h1>
                {drawn("teach-text", move || course.blocks(at, &words).concat())}
                {task(course, at, &step)}
                <Guesses stage step=step.clone() at />
                {reveals(course, at, &step)}
            </div>
            {fleet.map(|fleet| view! { <div class="present-lab"><StepFleet course fleet act /></div> })}
            {lab.map(|lab| view! { <div class="present-lab" tabindex="0" role="group" aria-label=course.shell.t("teach.the-lab")><StepLab course lab /></div> })}
        </div>
    }
    .into_any()
}

/// What answers the question is covered until its beat; the task's solution is set at its own.
fn uncover(course: Course, at: usize, step: &Step, lab: Lab) {
    let step = step.clone();
    // Nor is it seen before a step that asks about it.
    let early = course.lesson().asked_later(at).is_some();
    let was = StoredValue::new(false);
    follow(move |_| {
        let all = beats(course, &step);
        let shown = course.shown.get();
        // What is right is always the first beat.
        let is_out = if step.predict.is_some() { shown > 0 } else { !early };
        if lab.revealed.get_untracked() != is_out {
            lab.revealed.set(is_out);
        }
        let done = all.iter().take(shown).any(|beat| *beat == Beat::Done);
        if let (Some(task), Some(place)) = (&step.task, &step.state)
            && done != was.get_value()
        {
            was.set_value(done);
            if done { lab.replace(task.solution.clone()) } else { lab::reset(lab, place) }
        }
    });
}

/// The task in words.
fn task(course: Course, at: usize, step: &Step) -> AnyView {
    let (Some(task), Some(place)) = (step.task.clone(), step.state.clone()) else {
        return ().into_any();
    };
    let (shell, words, changes) = (course.shell, task.text.clone(), u32::from(task.changes));
    let goals = move || list("ul", super::task::goals(course, &place, &task).into_iter());
    view! {
        <section class="present-task">
            <h2>{shell.t("teach.task")}</h2>
            <p>{text(move || course.text(at, &words))}</p>
            {drawn("", goals)}
            <p>{shell.say(msg("teach.may-change").with("n", changes))}</p>
        </section>
    }
    .into_any()
}

/// The question, the codes that answer it, and at its beat the guesses with what is right.
#[component]
fn Guesses(stage: Stage, step: Step, at: usize) -> impl IntoView {
    let (course, shell) = (stage.course, stage.course.shell);
    let lesson = course.lesson();
    let open = stage.codes;
    let verify = step.task.as_ref().map(|_| {
        let (lesson, id) = (lesson.clone(), step.id.clone());
        view! { <div class="present-codes" hidden=flag(move || !open.get())><Verify lesson step=id /></div> }
    });
    let Some(question) = Question::of_step(&lesson, at) else {
        return verify.into_any();
    };
    let room = RwSignal::new(room(course, &step, question));
    let id = step.id.clone();
    follow(move |first| {
        let codes = room.with(Room::codes);
        if !first {
            let id = id.clone();
            course.kept.update(|kept| drop(kept.codes.insert(id, codes)));
        }
    });
    let answered = flag(move || course.shown.get() > 0);
    let outcome = Signal::derive(move || if answered.get() { course.outcome() } else { None });
    let labels = Signal::derive(move || ask::guesses(course));
    let count = move || shell.now(&msg("teach.guessed").with("n", room.with(Room::learners)));
    let right = move || match outcome.get() {
        Some(outcome) => shell.now(&msg("teach.it-is").with("outcome", ask::outcome_words(course, outcome))),
        None => String::new(),
    };
    view! {
        <section class="present-question">
            <h2>{text(move || ask::question(course))}</h2>
            <p>{text(move || ask::range(course).unwrap_or_default())}</p>
            {drawn("", move || if answered.get() { String::new() } else { list("ul", ask::options(course).into_iter()) })}
            <p class="note" role="status">{text(count)}</p>
            <div class="present-codes" hidden=flag(move || !open.get())>
                {join(course, at)}
                <Collect room />
            </div>
            <p class="present-answer" role="status">{text(right)}</p>
            <div class="present-guesses" hidden=flag(move || !answered.get() || room.with(Room::learners) == 0)>
                <Answers room outcome labels />
            </div>
        </section>
        {verify}
    }
    .into_any()
}

/// The room of a step's question, with the codes that were collected before.
fn room(course: Course, step: &Step, question: Question) -> Room {
    let lesson = course.lesson();
    let known: Vec<String> = lesson.steps.iter().map(|other| format!("{}/{}", lesson.id, other.id)).collect();
    let mut room = Room::of(question, &known);
    let codes = course.kept.with_untracked(|kept| kept.codes.get(&step.id).cloned()).unwrap_or_default();
    let _ = room.add(&codes.join(" "));
    room
}

/// Where learners find the question: an address with its QR code, if there is one that others can open.
fn join(course: Course, at: usize) -> AnyView {
    let shell = course.shell;
    let note = |key: &'static str| view! { <p class="note">{shell.t(key)}</p> }.into_any();
    let address = match course.for_learners(at) {
        Way::Address(address) => address,
        Way::Here => return note("teach.join-here"),
        Way::File => return note("teach.join-file"),
    };
    let shown = address.clone();
    let drawing = move || qr::svg(&address, &shell.t("teach.join-name").get()).unwrap_or_default();
    view! {
        <div class="present-join">
            <p>{shell.t("teach.join")} " " <span class="present-address">{shown}</span></p>
            {drawn("present-qr", drawing)}
        </div>
    }
    .into_any()
}

/// What was hidden, paragraph by paragraph.
fn reveals(course: Course, at: usize, step: &Step) -> AnyView {
    let step = step.clone();
    let said = move || {
        let shown = course.shown.get();
        let blocks = step.reveal.as_ref().map(|words| course.blocks(at, words)).unwrap_or_default();
        let of = |beat: Beat| match (beat, &step.task) {
            (Beat::Reveal(i), _) => blocks.get(i).cloned(),
            (Beat::Done, Some(task)) => Some(course.blocks(at, &task.done).concat()),
            _ => None,
        };
        beats(course, &step).into_iter().take(shown).filter_map(of).collect()
    };
    view! { <div role="status">{drawn("teach-text present-reveal", said)}</div> }.into_any()
}
