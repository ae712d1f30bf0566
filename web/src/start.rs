//! From a page's file to the running application.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use leptos::mount::mount_to;
use leptos::prelude::*;
use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::LABS;
use wasm_bindgen::JsCast;

use crate::app::{self, App, Pages};
use crate::frame::Shape;
use crate::job::{self, Attach, Rows};
use crate::page::{self, Kind, Program};
use crate::pages::fleet;
use crate::platform::{dom, nav, panic, store};
use crate::shell::{Colours, Shell};

/// How long the first frame stays while the lanes of a link are computed.
const PATIENCE: Duration = Duration::from_millis(900);

/// Starts the program of one lab's embed: nothing in it leads to other pages and labs.
pub fn embed(labs: &'static [&'static LabSpec], rows: Rows) {
    panic::install();
    job::install(rows, job::no_file);
    page::has(labs);
    dom::root_attribute("data-starting", Some("true"));
    // A task of its own: the page around has others, and scrolls between this one and the module's start.
    let over = || {
        let _ = take_over(Program::Embed, |shell| {
            nav::stay();
            app::embed(shell)
        });
    };
    set_timeout(over, Duration::ZERO);
}

/// Starts a program: its pages, and what computes its jobs where workers are refused.
pub fn start(program: Program, pages: Pages, rows: Rows, attach: Attach) {
    panic::install();
    job::install(rows, attach);
    page::has(LABS);
    let over = move || {
        // Without a document of ours there is nothing to take over: the first frame stays.
        let _ = take_over(program, move |shell| {
            nav::install(shell);
            view! { <App shell pages /> }.into_any()
        });
    };
    let is_fleet =
        program == Program::All && dom::document().and_then(|d| dom::kind(&d)) == Some(Kind::Fleet);
    if is_fleet {
        dom::root_attribute("data-starting", Some("true"));
        once(over);
    } else {
        over();
    }
}

/// Takes over when the fleet page's lanes are there; a long run is waited for on the page itself.
fn once(over: impl Fn() + Copy + 'static) {
    let done = Rc::new(Cell::new(false));
    let first = move || {
        if !done.replace(true) {
            over();
        }
    };
    fleet::ahead(&nav::fragment(), first.clone());
    set_timeout(first, PATIENCE);
}

/// Builds the page beside the first frame and puts it in its place in one go.
fn take_over(program: Program, view: impl FnOnce(Shell) -> AnyView + 'static) -> Option<()> {
    let document = dom::document()?;
    let page = dom::page(&document)?;
    let known = |code: &String| page.languages.iter().any(|(c, _)| c == code);
    let system = web_sys::window()?.navigator().language().unwrap_or_default();
    let system = system.split('-').next().unwrap_or_default().to_owned();
    // Choices kept here do not reach into other people's pages.
    let kept = |key: &str| if page.kind.is_embed() { None } else { store::get(key) };
    let lang = [store::query("lang"), kept("lang"), Some(system)].into_iter().flatten().find(known);
    let lang = lang.or_else(|| page.languages.first().map(|(code, _)| code.clone()))?;
    let colours = match page.kind {
        // The page around may have said so before the application was there.
        Kind::Embed(_) => document.document_element()?.get_attribute("data-theme"),
        _ => store::query("theme").or_else(|| kept("theme")),
    }
    .unwrap_or_default();
    let shape = page
        .kind
        .lab()
        .filter(|_| page.kind.is_embed())
        .map(|lab| Shape::read(lab, store::query("ui").as_deref(), store::query("controls").as_deref()));
    let old = document.get_element_by_id("app")?;
    let new: web_sys::HtmlElement = document.create_element("div").ok()?.dyn_into().ok()?;
    new.set_id("app");
    dom::on_media("(prefers-color-scheme: dark)", || {
        if let (Some(window), Ok(event)) = (web_sys::window(), web_sys::Event::new("tokenyard-colours")) {
            let _ = window.dispatch_event(&event);
        }
    });
    mount_to(new.clone(), move || {
        let shell = Shell::new(program, page, lang, Colours::parse(&colours));
        if let Some(shape) = shape {
            shell.shape.set_value(shape);
        }
        view(shell)
    })
    .forget();
    old.replace_with_with_node_1(&new).ok()?;
    dom::root_attribute("data-ready", Some("true"));
    Some(())
}
