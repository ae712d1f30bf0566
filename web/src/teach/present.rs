//! A lesson before a class: large, step by step, with answers that stay hidden until somebody presses a
//! key, a second window with notes, and the codes of the class.

use std::time::Duration;

use leptos::prelude::*;
use tokenyard_lab::msg;
use tokenyard_lesson::code::Room;
use tokenyard_lesson::{Question, Step, prose, qr};
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::address::View;
use super::ask;
use super::class::collect::Collect;
use super::class::histogram::Answers;
use super::class::verify::Verify;
use super::course::Course;
use super::keys::{self, Do};
use super::lab::{self, StepLab};
use super::notes::Notes;
use crate::platform::dom;
use crate::state::Lab;
use crate::widgets::live::{drawn, flag, follow, list, live, text};

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

/// Everything of a class that is not kept. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
struct Stage {
    course: Course,
    notes: Notes,
    switch: Callback<View>,
    black: RwSignal<bool>,
    help: RwSignal<bool>,
    codes: RwSignal<bool>,
    now: RwSignal<f64>,
    /// The lab of the present step.
    lab: StoredValue<Option<Lab>>,
}

/// The lesson.
#[component]
pub fn Present(
    /// The lesson under way.
    course: Course,
    /// Shows it to somebody else.
    switch: Callback<View>,
) -> impl IntoView {
    let now = RwSignal::new(js_sys::Date::now());
    let stage = Stage {
        course,
        notes: Notes::new(course, now.into()),
        switch,
        black: RwSignal::new(false),
        help: RwSignal::new(false),
        codes: RwSignal::new(false),
        now,
        lab: StoredValue::new(None),
    };
    course.kept.update(|kept| {
        // The clock runs from the first look on, and goes on when the page is loaded anew.
        kept.began.get_or_insert(js_sys::Date::now() as u64);
    });
    tick(now);
    listen(stage);
    follow(move |_| {
        course.step.track();
        super::focus("present-title");
    });
    follow(move |first| {
        course.shown.track();
        if !first {
            show_last();
        }
    });
    let shell = course.shell;
    let black = flag(move || !stage.black.get());
    view! {
        <article class="present">
            <Bar stage />
            {live(move || {
                let at = course.step.get();
                view! { <Slide stage at /> }
            })}
            <section class="card present-help" aria-label=shell.t("teach.keys") hidden=flag(move || !stage.help.get())>
                {drawn("", move || list("ul", KEYS.iter().map(|key| shell.t(key).get())))}
            </section>
            <div class="present-black" hidden=black><p role="status" class="visually-hidden">{shell.t("teach.is-black")}</p></div>
        </article>
    }
    .into_any()
}

const KEYS: [&str; 10] = [
    "teach.key-next",
    "teach.key-back",
    "teach.key-ends",
    "teach.key-play",
    "teach.key-black",
    "teach.key-notes",
    "teach.key-codes",
    "teach.key-full",
    "teach.key-help",
    "teach.key-leave",
];

/// The clock of the wall, once a second; on the page only, never in a model.
fn tick(now: RwSignal<f64>) {
    let every = set_interval_with_handle(
        move || {
            let _ = now.try_set(js_sys::Date::now());
        },
        Duration::from_secs(1),
    );
    on_cleanup(move || {
        if let Ok(every) = every {
            every.clear();
        }
    });
}

fn listen(stage: Stage) {
    let ear = window_event_listener_untyped("keydown", move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if let Some(what) = keys::of(event) {
            event.prevent_default();
            stage.act(what);
        }
    });
    on_cleanup(move || {
        ear.remove();
        stage.notes.close();
    });
}

impl Stage {
    fn act(self, what: Do) {
        let course = self.course;
        let (step, shown) = (course.step.get_untracked(), course.shown.get_untracked());
        let of = |step: usize| untrack(|| course.lesson().steps.get(step).map(|s| beats(course, s).len()));
        let all = of(step).unwrap_or(0);
        let last = course.lesson().steps.len().saturating_sub(1);
        match what {
            // Whatever a clicker does ends the black screen first.
            Do::Next | Do::Back if self.black.get_untracked() => self.black.set(false),
            Do::Next if shown < all => course.go(step, shown + 1),
            Do::Next if step < last => course.go(step + 1, 0),
            Do::Next => {}
            Do::Back if shown > 0 => course.go(step, shown.min(all).saturating_sub(1)),
            Do::Back if step > 0 => course.go(step - 1, of(step - 1).unwrap_or(0)),
            Do::Back => {}
            Do::First => course.go(0, 0),
            Do::Last => course.go(last, 0),
            Do::Play => {
                if let Some(lab) = self.lab.get_value() {
                    lab.toggle();
                }
            }
            Do::Black => self.black.update(|black| *black = !*black),
            Do::Notes => self.notes.open(Callback::new(move |what| self.act(what))),
            Do::Codes => self.codes.update(|open| *open = !*open),
            Do::Full => full_screen(),
            Do::Help => self.help.update(|open| *open = !*open),
            Do::Leave => self.leave(),
        }
    }

    /// Out of one thing at a time: the black screen, the help, the codes, and then the class.
    fn leave(self) {
        for open in [self.black, self.help, self.codes] {
            if open.get_untracked() {
                open.set(false);
                return;
            }
        }
        self.switch.run(View::Learn);
    }
}

fn full_screen() {
    let Some(document) = dom::document() else {
        return;
    };
    if document.fullscreen_element().is_some() {
        document.exit_fullscreen();
    } else if let Some(root) = document.document_element() {
        // A browser may refuse; then the page stays as it is.
        let _ = root.request_fullscreen();
    }
}

/// Scrolls what was uncovered last into sight.
fn show_last() {
    request_animation_frame(|| {
        let places = dom::document().and_then(|document| {
            document.query_selector_all(".present-answer:not(:empty), .present-reveal > *").ok()
        });
        let last = places.and_then(|places| places.item(places.length().checked_sub(1)?));
        if let Some(last) = last.and_then(|node| node.dyn_into::<web_sys::Element>().ok()) {
            last.scroll_into_view();
        }
    });
}

/// Minutes and seconds since the beginning, and what was planned for the present step. Followed.
#[must_use]
pub fn clock(course: Course, now: f64) -> (String, String) {
    let began = course.kept.with(|kept| kept.began).map_or(now, |began| began as f64);
    let seconds = ((now - began) / 1_000.0).max(0.0) as u64;
    let (at, lesson) = (course.step.get(), course.lesson());
    let before: u32 = lesson.steps.iter().take(at).map(|step| step.minutes).sum();
    let until = before + lesson.steps.get(at).map_or(0, |step| step.minutes);
    let planned = msg("teach.planned").with("from", before).with("to", until).with("of", lesson.minutes);
    (format!("{}:{:02}", seconds / 60, seconds % 60), course.shell.now(&planned))
}

/// Where the class is, the clock, and a button for each key.
#[component]
fn Bar(stage: Stage) -> impl IntoView {
    let (course, shell) = (stage.course, stage.course.shell);
    let lesson = course.lesson();
    let (title, count) = (lesson.title.clone(), lesson.steps.len());
    let place = move || shell.now(&msg("teach.place").with("n", course.step.get() + 1).with("of", count));
    let time = move |part: fn((String, String)) -> String| text(move || part(clock(course, stage.now.get())));
    let button = move |what: Do, key: &'static str, class: &'static str| {
        view! { <button type="button" class=class on:click=move |_| stage.act(what)>{shell.t(key)}</button> }
    };
    let restart = move |_| course.kept.update(|kept| kept.began = Some(js_sys::Date::now() as u64));
    view! {
        <header class="present-bar">
            <p class="present-where">{text(move || course.text(0, &title))} " · " {text(place)}</p>
            <p class="present-clock">
                <strong>{time(|(time, _)| time)}</strong> " " {time(|(_, plan)| plan)} " "
                <button type="button" class="link-button" on:click=restart>{shell.t("teach.clock-restart")}</button>
            </p>
            <div class="present-keys" role="group" aria-label=shell.t("teach.keys")>
                {button(Do::Back, "teach.back", "")}
                {button(Do::Next, "teach.next", "is-primary")}
                {button(Do::Notes, "teach.notes", "")}
                {button(Do::Codes, "teach.codes", "")}
                {button(Do::Black, "teach.black", "")}
                {button(Do::Full, "teach.full", "")}
                {button(Do::Help, "teach.keys", "")}
                {button(Do::Leave, "teach.leave", "")}
            </div>
            <p class="knob-error" role="alert" hidden=flag(move || !stage.notes.refused.get())>{shell.t("teach.notes-refused")}</p>
        </header>
    }
    .into_any()
}

/// One step: words on one side, the lab on the other.
#[component]
fn Slide(stage: Stage, at: usize) -> impl IntoView {
    let course = stage.course;
    let lesson = course.lesson();
    let Some(step) = lesson.steps.get(at).cloned() else {
        return ().into_any();
    };
    let lab = step.state.as_ref().map(|place| lab::open(course, &step.id, place));
    let ask = step.predict.as_ref().map(|predict| predict.ask.clone());
    stage.lab.set_value(lab);
    if let Some(lab) = lab {
        uncover(course, &step, lab);
    }
    let (title, words) = (step.title.clone(), step.text.clone());
    let alone = lab.is_none();
    view! {
        <div class="present-main" class:is-alone=alone>
            <div class="present-words" tabindex="0" role="group" aria-labelledby="present-title">
                <h1 id="present-title" tabindex="-1">{text(move || course.text(at, &title))}</h1>
                {drawn("teach-text", move || course.blocks(at, &words).concat())}
                {task(course, at, &step)}
                <Guesses stage step=step.clone() at />
                {reveals(course, at, &step)}
            </div>
            {lab.map(|lab| view! { <div class="present-lab" tabindex="0" role="group" aria-label=course.shell.t("teach.the-lab")><StepLab course lab ask /></div> })}
        </div>
    }
    .into_any()
}

/// What answers the question is covered until its beat; the task's solution is set at its own.
fn uncover(course: Course, step: &Step, lab: Lab) {
    let step = step.clone();
    let was = StoredValue::new(false);
    follow(move |_| {
        let all = beats(course, &step);
        let shown = course.shown.get();
        let is_out = step.predict.is_none() || all.iter().take(shown).any(|beat| *beat == Beat::Answer);
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
    let goals = move || {
        let words = course.words_of(Some(place.lab));
        list("ul", task.goals.iter().map(|goal| super::task::goal(&place, &goal.bound, &words)))
    };
    let (shell, words, changes) = (course.shell, task_text(step), u32::from(step_changes(step)));
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

fn task_text(step: &Step) -> tokenyard_lesson::Text {
    step.task.as_ref().map(|task| task.text.clone()).unwrap_or_default()
}

fn step_changes(step: &Step) -> u8 {
    step.task.as_ref().map_or(0, |task| task.changes)
}

/// The question, the codes that answer it, and at its beat the guesses with what is right.
#[component]
fn Guesses(stage: Stage, step: Step, at: usize) -> impl IntoView {
    let (course, shell) = (stage.course, stage.course.shell);
    let lesson = course.lesson();
    let open = stage.codes;
    let verify = step.task.as_ref().map(|_| {
        let (lesson, id) = (lesson.clone(), step.id.clone());
        view! { <div hidden=flag(move || !open.get())><Verify lesson step=id /></div> }
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
    let labels = Signal::derive(move || {
        let guesses = room.with(|room| room.question().guesses());
        (0..guesses).map(|guess| course.guess_words(guess)).collect::<Vec<_>>()
    });
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
            <div hidden=flag(move || !open.get())>
                {join(course, at)}
                <Collect room />
            </div>
            <p class="present-answer" role="status">{text(right)}</p>
            <div hidden=flag(move || !answered.get() || room.with(Room::learners) == 0)>
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
    let address = course.for_learners(at);
    let Some(address) = address else {
        return view! { <p class="note">{shell.t("teach.join-file")}</p> }.into_any();
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
        let mut out = String::new();
        for beat in beats(course, &step).into_iter().take(shown) {
            match beat {
                Beat::Answer => {}
                Beat::Reveal(i) => out.push_str(blocks.get(i).map_or("", String::as_str)),
                Beat::Done => {
                    let done = step.task.as_ref().map(|task| course.text(at, &task.done));
                    let mut m = tokenyard_lab::Markup::default();
                    m.text_el("p", &[], &done.unwrap_or_default());
                    out.push_str(&m.finish());
                }
            }
        }
        out
    };
    view! { <div role="status">{drawn("teach-text present-reveal", said)}</div> }.into_any()
}
