//! The fleet page beside a step, in a frame: it is a program of its own, with the simulator in it. A single
//! file does not hold it, and says where it is.

use leptos::html::Iframe;
use leptos::prelude::*;
use tokenyard_lab::msg;
use tokenyard_lesson::Fleet;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::course::Course;
use super::keys::{self, Do};
use crate::page::Kind;
use crate::widgets::live::text;

/// The fleet page in the state of a step.
#[component]
pub fn StepFleet(
    /// The lesson.
    course: Course,
    /// The page's state.
    fleet: Fleet,
    /// Whoever presents: is told the clicker's keys wherever the focus is, in the frame too.
    #[prop(optional)]
    act: Option<Callback<Do>>,
) -> impl IntoView {
    let shell = course.shell;
    let page = shell.page.get_untracked();
    if page.single {
        let note = msg("teach.fleet-elsewhere").with("state", fleet.write());
        return view! { <p class="note teach-fleet">{shell.say(note)}</p> }.into_any();
    }
    let (file, state) = (page.href(&Kind::Fleet), fleet.write());
    // In the language of the lesson, and made anew when that changes.
    let address = move || format!("{file}?lang={}{state}", shell.lang.get());
    let frame = NodeRef::<Iframe>::new();
    let listen = move |_| {
        let Some(window) = frame.get_untracked().and_then(|frame| frame.content_window()) else {
            return;
        };
        // Beside a step it needs no head and no foot: this page has them. A class sees it from afar.
        if let Some(root) = window.document().and_then(|document| document.document_element()) {
            let _ = root.set_attribute("data-beside", if act.is_some() { "class" } else { "learner" });
        }
        if let Some(act) = act {
            ear(&window, act);
        }
    };
    view! {
        <section class="teach-fleet" aria-label=shell.t("teach.fleet")>
            <iframe node_ref=frame src=text(address.clone()) title=shell.t("teach.fleet") on:load=listen></iframe>
            <p class="note"><a href=text(address) target="_blank">{shell.t("teach.fleet-alone")}</a></p>
        </section>
    }
    .into_any()
}

/// Listens to the keys of a clicker in the frame. Arrows, letters of its player and what is typed stay its own;
/// a page that is loaded anew takes its listener with it.
fn ear(window: &web_sys::Window, act: Callback<Do>) {
    let heard =
        wasm_bindgen::closure::Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            let event: &KeyboardEvent = event.unchecked_ref();
            let clicked = matches!(event.key().as_str(), "PageDown" | "PageUp" | "b" | "B" | "." | "Escape");
            if let Some(what) = keys::of(event).filter(|_| clicked) {
                event.prevent_default();
                act.run(what);
            }
        });
    let _ = window.add_event_listener_with_callback("keydown", heard.as_ref().unchecked_ref());
    // Lives as long as the frame's page, of which there are few in a lesson.
    heard.forget();
}
