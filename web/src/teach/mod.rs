//! Lessons on the page: read by one learner, or presented to a class.

pub mod address;
pub mod ask;
pub mod class;
pub mod course;
pub mod fleet;
pub mod keep;
pub mod keys;
pub mod lab;
pub mod learn;
pub mod list;
pub mod notes;
pub mod numbers;
pub mod present;
pub mod sequence;
pub mod slide;
pub mod task;

use leptos::prelude::*;
use leptos::task::spawn_local;
use tokenyard_lab::{Msg, msg};
use tokenyard_lesson::{Lesson, MAX_BYTES, link, read};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use self::address::{Address, Origin, View};
use self::course::Course;
use self::learn::Learn;
use self::list::List;
use self::present::Present;
use crate::platform::{dom, nav};
use crate::shell::{Shell, shell};
use crate::widgets::live::{follow, live};

/// What the page shows.
#[derive(Clone)]
enum Shown {
    /// The list, with what is wrong.
    List(Vec<Msg>),
    /// A lesson, and where to begin.
    Lesson(Box<Lesson>, Address),
}

/// The page of lessons.
#[component]
pub fn TeachPage() -> impl IntoView {
    let shell = shell();
    let fragment = if cfg!(feature = "ssr") { String::new() } else { nav::fragment() };
    let shown = RwSignal::new(asked(shell, &fragment));
    follow(move |_| {
        if let Some(fragment) = shell.fragment.get() {
            shell.fragment.set(None);
            shown.set(asked(shell, &fragment));
        }
    });
    let open = Callback::new(move |file: web_sys::File| {
        spawn_local(async move { shown.set(opened(&file).await) });
    });
    follow(move |_| {
        // A lesson that was dropped on the page.
        if let Some(file) = shell.file.get() {
            shell.file.set(None);
            open.run(file);
        }
    });
    on_cleanup(|| dom_view(None));
    live(move || match shown.get() {
        Shown::List(faults) => {
            dom_view(None);
            view! { <List faults open /> }.into_any()
        }
        Shown::Lesson(lesson, address) => {
            let course = Course::open(shell, *lesson, &address);
            dom_view((address.view == View::Present).then_some("present"));
            let switch = Callback::new(move |view| {
                let (lesson, address) = ((*course.lesson()).clone(), untrack(|| course.address()));
                shown.set(Shown::Lesson(Box::new(lesson), Address { view, ..address }));
            });
            match address.view {
                View::Learn => view! { <Learn course switch /> }.into_any(),
                View::Present => view! { <Present course switch /> }.into_any(),
            }
        }
    })
}

/// Says on the document whether a class looks on: header and foot go, and everything grows.
fn dom_view(view: Option<&str>) {
    if !cfg!(feature = "ssr") {
        dom::root_attribute("data-view", view);
    }
}

/// What an address asks for.
fn asked(shell: Shell, fragment: &str) -> Shown {
    let (address, mut notices) = Address::read(fragment);
    let page = shell.page.get_untracked();
    match &address.origin {
        None => Shown::List(notices),
        Some(origin) => match address::lesson(origin, &page) {
            Ok(lesson) if notices.is_empty() => Shown::Lesson(Box::new(lesson), address),
            Ok(_) => Shown::List(notices),
            Err(faults) => {
                notices.extend(faults);
                Shown::List(notices)
            }
        },
    }
}

/// What is in a file.
async fn opened(file: &web_sys::File) -> Shown {
    let why = |msg: Msg| Shown::List(vec![msg]);
    if file.size() > MAX_BYTES as f64 {
        return why(msg("teach.large")
            .with("name", file.name())
            .with("n", file.size().to_string())
            .with("most", MAX_BYTES));
    }
    let Some(text) = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()) else {
        return why(msg("teach.unreadable").with("name", file.name()));
    };
    match read(&text) {
        Ok(lesson) => {
            // A short one has an address of its own, which others can open, too.
            let origin = match link::to_link(&lesson) {
                Some(text) => Origin::Text(text),
                None => {
                    keep::keep_file(&lesson.id, &text);
                    Origin::Own(lesson.id.clone())
                }
            };
            Shown::Lesson(Box::new(lesson), Address { origin: Some(origin), ..Address::default() })
        }
        Err(faults) => Shown::List(faults.iter().map(tokenyard_lesson::Fault::msg).collect()),
    }
}

/// Puts the focus on an element once it is drawn, unless somebody is typing by then.
fn focus(id: &'static str) {
    request_animation_frame(move || {
        let document = dom::document();
        let focused = document.as_ref().and_then(web_sys::Document::active_element);
        if focused.is_some_and(|element| element.matches("input, select, textarea").unwrap_or(false)) {
            return;
        }
        let element = document.and_then(|document| document.get_element_by_id(id));
        if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = element.focus();
        }
    });
}
