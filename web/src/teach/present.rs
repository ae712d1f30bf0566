//! A lesson before a class: large, step by step, with answers that stay hidden until somebody presses a
//! key, a second window with notes, and the codes of the class.

use std::time::Duration;

use leptos::prelude::*;
use tokenyard_lab::msg;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::address::View;
use super::course::Course;
use super::keys::{self, Do};
use super::notes::Notes;
use super::slide::{Slide, beat_count};
use crate::app::Languages;
use crate::platform::dom;
use crate::state::Lab;
use crate::widgets::icon::{Icon, Shape};
use crate::widgets::live::{drawn, flag, follow, list, live, text};

/// Everything of a class that is not kept. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
pub struct Stage {
    /// The lesson.
    pub course: Course,
    notes: Notes,
    switch: Callback<View>,
    black: RwSignal<bool>,
    help: RwSignal<bool>,
    /// Whether codes are collected.
    pub codes: RwSignal<bool>,
    now: RwSignal<f64>,
    /// The lab of the present step.
    pub lab: StoredValue<Option<Lab>>,
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
            show_last(".present-answer:not(:empty), .present-reveal > *");
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

const KEYS: [&str; 11] = [
    "teach.key-next",
    "teach.key-back",
    "teach.key-ends",
    "teach.key-play",
    "teach.key-black",
    "teach.key-notes",
    "teach.key-codes",
    "teach.key-full",
    "teach.key-language",
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
    /// Does what a key or a button asks for.
    pub fn act(self, what: Do) {
        let course = self.course;
        let (step, shown) = (course.step.get_untracked(), course.shown.get_untracked());
        let of = |step: usize| untrack(|| beat_count(course, step));
        let all = of(step);
        let last = course.lesson().steps.len().saturating_sub(1);
        match what {
            // Whatever is pressed ends the black screen first: nothing happens behind it.
            _ if self.black.get_untracked() => self.black.set(false),
            Do::Next if shown < all => course.go(step, shown + 1),
            Do::Next if step < last => course.go(step + 1, 0),
            Do::Next => {}
            Do::Back if shown > 0 => course.go(step, shown.min(all).saturating_sub(1)),
            Do::Back if step > 0 => course.go(step - 1, of(step - 1)),
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
            Do::Codes => {
                self.codes.update(|open| *open = !*open);
                show_last(".present-codes:not([hidden])");
            }
            Do::Full => full_screen(),
            Do::Language => course.shell.next_language(),
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

/// Scrolls the last of some places into sight: what was uncovered or opened just now.
fn show_last(places: &'static str) {
    request_animation_frame(move || {
        let places = dom::document().and_then(|document| document.query_selector_all(places).ok());
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
    // Told once a second, and drawn in two places.
    let time = Memo::new(move |_| clock(course, stage.now.get()));
    let button = move |what: Do, key: &'static str, class: &'static str| {
        view! { <button type="button" class=class on:click=move |_| stage.act(what)>{shell.t(key)}</button> }
    };
    let next = move || {
        let all = beat_count(course, course.step.get());
        shell.now(&if course.shown.get() < all { msg("teach.uncover") } else { msg("teach.next") })
    };
    let restart = move |_| course.kept.update(|kept| kept.began = Some(js_sys::Date::now() as u64));
    view! {
        <header class="present-bar">
            <p class="present-where">{text(place)} " · " {text(move || course.text(0, &title))}</p>
            <p class="present-clock">
                <strong>{text(move || time.get().0)}</strong> " " {text(move || time.get().1)} " "
                <button
                    type="button"
                    class="clock-restart"
                    aria-label=shell.t("teach.clock-restart")
                    title=shell.t("teach.clock-restart")
                    on:click=restart
                >
                    <Icon shape=Shape::Repeat />
                </button>
            </p>
            <div class="present-keys" role="group" aria-label=shell.t("teach.keys")>
                {button(Do::Back, "teach.back", "")}
                <button type="button" class="is-primary" on:click=move |_| stage.act(Do::Next)>{text(next)}</button>
                {button(Do::Notes, "teach.notes", "")}
                {button(Do::Codes, "teach.codes", "")}
                {button(Do::Black, "teach.black", "")}
                {button(Do::Full, "teach.full", "")}
                {button(Do::Help, "teach.keys", "")}
                <Languages />
                {button(Do::Leave, "teach.leave", "")}
            </div>
            <p class="knob-error" role="alert" hidden=flag(move || !stage.notes.refused.get())>{shell.t("teach.notes-refused")}</p>
        </header>
    }
    .into_any()
}
