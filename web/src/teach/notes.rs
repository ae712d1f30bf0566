//! The second window: speaker notes, what comes next, and the clock. It is an empty window of this page's
//! own, so it works from a disk and without a network. Whoever closes it loses nothing, and a page that was
//! loaded anew finds it again by its name.

use leptos::prelude::*;
use tokenyard_lab::{Markup, msg};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, KeyboardEvent, Window};

use super::ask;
use super::course::Course;
use super::keys::{self, Do};
use super::present::clock;
use super::slide::{Beat, beats};
use crate::platform::dom;
use crate::widgets::live::follow;

/// By this name a page finds the window that it opened before it was loaded anew.
const NAME: &str = "tokenyard-notes";
const SHAPE: &str = "popup,width=760,height=820";

/// Its buttons: what each asks for, and its words.
const BUTTONS: [(&str, &str); 4] =
    [("back", "teach.back"), ("next", "teach.next"), ("play", "teach.play"), ("black", "teach.black")];

/// What listens to the window, for as long as it is open.
type Ear = Closure<dyn FnMut(web_sys::Event)>;

/// The window, while it is there.
#[derive(Clone, Copy)]
pub struct Notes {
    window: RwSignal<Option<Window>, LocalStorage>,
    ears: StoredValue<Vec<Ear>, LocalStorage>,
    /// Whether the browser refused to open it.
    pub refused: RwSignal<bool>,
}

impl Notes {
    /// No window yet. What it shows follows the course, and `now` the clock.
    #[must_use]
    pub fn new(course: Course, now: Signal<f64>) -> Self {
        let notes = Self {
            window: RwSignal::new_local(None),
            ears: StoredValue::new_local(Vec::new()),
            refused: RwSignal::new(false),
        };
        follow(move |_| {
            if let Some(document) = notes.document() {
                fill(&document, "notes-body", &body(course));
                name_buttons(course, &document);
                document.set_title(&course.shell.t("teach.notes-title").get());
                if let Some(root) = document.document_element() {
                    let _ = root.set_attribute("lang", &course.shell.lang.get());
                }
            }
        });
        follow(move |_| {
            if let Some(document) = notes.document() {
                fill(&document, "notes-clock", &clock_line(course, now.get()));
            }
        });
        notes
    }

    fn document(self) -> Option<Document> {
        self.window
            .with(|window| window.as_ref().filter(|window| !window.closed().unwrap_or(true))?.document())
    }

    /// Opens it, or brings it to the front. `act` is told what its keys and buttons ask for.
    pub fn open(self, act: Callback<Do>) {
        let own = web_sys::window();
        let opened =
            own.and_then(|own| own.open_with_url_and_target_and_features("", NAME, SHAPE).ok().flatten());
        let document = opened.as_ref().and_then(Window::document);
        let (Some(window), Some(document)) = (opened, document) else {
            self.refused.set(true);
            return;
        };
        self.refused.set(false);
        furnish(&document);
        let key = ear(&document, "keydown", move |event| {
            let event: &KeyboardEvent = event.unchecked_ref();
            if let Some(what) = keys::of(event) {
                event.prevent_default();
                act.run(what);
            }
        });
        let press = ear(&document, "click", move |event| {
            // The window's own elements are none of this window's classes.
            let target: Option<Element> = event.target().map(JsCast::unchecked_into);
            let button = target.and_then(|target| target.closest("[data-do]").ok().flatten());
            if let Some(what) = button.and_then(|b| Do::named(&b.get_attribute("data-do")?)) {
                act.run(what);
            }
        });
        self.ears.set_value(vec![key, press]);
        let _ = window.focus();
        self.window.set(Some(window));
    }

    /// Closes it.
    pub fn close(self) {
        self.window.try_update(|window| {
            if let Some(window) = window.take() {
                let _ = window.close();
            }
        });
    }
}

fn ear(document: &Document, event: &str, work: impl FnMut(web_sys::Event) + 'static) -> Ear {
    let closure = Ear::new(work);
    // Set, not added: a page that was loaded anew takes the place of the one before.
    let _ = js_sys::Reflect::set(document, &format!("on{event}").into(), closure.as_ref());
    closure
}

/// Style sheets of this page, and the places that are filled.
fn furnish(document: &Document) {
    let (Some(own), Some(head), Some(body)) = (dom::document(), document.head(), document.body()) else {
        return;
    };
    head.set_inner_html("");
    let sheets = own.query_selector_all("link[rel=stylesheet], head style");
    for i in 0..sheets.as_ref().map_or(0, web_sys::NodeList::length) {
        let sheet = sheets.as_ref().ok().and_then(|sheets| sheets.get(i));
        if let Some(copy) = sheet.and_then(|sheet| document.import_node_with_deep(&sheet, true).ok()) {
            whole_address(&copy);
            let _ = head.append_child(&copy);
        }
    }
    if let (Some(root), Some(mine)) = (document.document_element(), own.document_element()) {
        match mine.get_attribute("data-theme") {
            Some(theme) => drop(root.set_attribute("data-theme", &theme)),
            None => drop(root.remove_attribute("data-theme")),
        }
        let _ = root.set_attribute("data-view", "notes");
    }
    let mut m = Markup::default();
    m.el("main", &[("class", "notes-window")], |m| {
        m.el("p", &[("id", "notes-clock"), ("class", "notes-clock")], |_| {});
        m.el("p", &[("class", "teach-actions")], |m| {
            for (what, _) in BUTTONS {
                let class = if what == "next" { "is-primary" } else { "" };
                m.text_el("button", &[("type", "button"), ("data-do", what), ("class", class)], "");
            }
        });
        m.el("div", &[("id", "notes-body"), ("aria-live", "polite")], |_| {});
    });
    body.set_inner_html(&m.finish());
}

/// A copied link's address is relative to nothing any more.
fn whole_address(link: &JsValue) {
    if let Ok(href) = js_sys::Reflect::get(link, &"href".into())
        && let Some(href) = href.as_string()
        && !href.is_empty()
    {
        let element: &Element = link.unchecked_ref();
        let whole = crate::platform::nav::absolute(&element.get_attribute("href").unwrap_or(href));
        let _ = element.set_attribute("href", &whole);
    }
}

fn name_buttons(course: Course, document: &Document) {
    for (what, key) in BUTTONS {
        let button = document.query_selector(&format!("[data-do={what}]")).ok().flatten();
        if let Some(button) = button {
            button.set_text_content(Some(&course.shell.t(key).get()));
        }
    }
}

fn fill(document: &Document, id: &str, markup: &str) {
    if let Some(place) = document.get_element_by_id(id)
        && place.inner_html() != markup
    {
        place.set_inner_html(markup);
    }
}

/// Time since the beginning and what was planned, as markup.
fn clock_line(course: Course, now: f64) -> String {
    let mut m = Markup::default();
    let (time, plan) = clock(course, now);
    m.text_el("strong", &[], &time);
    m.text(" ");
    m.text_el("span", &[], &plan);
    m.finish()
}

/// Everything that only the instructor sees of a step.
fn body(course: Course) -> String {
    let (at, lesson, shell) = (course.step.get(), course.lesson(), course.shell);
    let Some(step) = lesson.steps.get(at) else {
        return String::new();
    };
    let said = msg("teach.step").with("n", at + 1).with("title", course.text(at, &step.title));
    let mut m = Markup::default();
    m.text_el("h1", &[], &shell.now(&said));
    m.text_el("p", &[("class", "note")], &coming(course));
    if let Some(notes) = &step.notes {
        course.blocks(at, notes).iter().for_each(|block| m.ready(block));
    }
    if step.predict.is_some() {
        part(&mut m, &shell.t("teach.question").get(), &ask::question(course));
        let right = course.outcome().map(|outcome| ask::outcome_words(course, outcome));
        part(&mut m, &shell.t("teach.right").get(), &right.unwrap_or_else(|| "…".to_owned()));
    }
    for one in &step.misconceptions {
        let says = msg("teach.says").with("text", course.text(at, &one.says));
        part(&mut m, &shell.now(&says), &course.text(at, &one.answer));
    }
    if let Some(task) = &step.task {
        for (i, hint) in task.hints.iter().enumerate() {
            let name = msg("teach.hint").with("n", i + 1).with("of", task.hints.len());
            part(&mut m, &shell.now(&name), &course.text(at, hint));
        }
        part(&mut m, &shell.t("teach.solution").get(), &course.text(at, &task.done));
    }
    m.finish()
}

fn part(m: &mut Markup, name: &str, text: &str) {
    m.el("p", &[], |m| {
        m.text_el("strong", &[], name);
        m.text(" ");
        m.text(text);
    });
}

/// What the next press does: the next beat, or the step after this one.
fn coming(course: Course) -> String {
    let (at, lesson, shell) = (course.step.get(), course.lesson(), course.shell);
    let all = lesson.steps.get(at).map(|step| beats(course, step)).unwrap_or_default();
    let key = match all.get(course.shown.get()) {
        Some(Beat::Answer) => "teach.coming-answer",
        Some(Beat::Reveal(_)) => "teach.coming-reveal",
        Some(Beat::Done) => "teach.coming-done",
        None => match lesson.steps.get(at + 1) {
            Some(next) => {
                let title = course.text(at + 1, &next.title);
                return shell.now(&msg("teach.coming-step").with("title", title));
            }
            None => "teach.coming-end",
        },
    };
    shell.t(key).get()
}
