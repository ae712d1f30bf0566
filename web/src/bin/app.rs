//! The application in the browser.

use leptos::mount::mount_to;
use leptos::prelude::*;
use tokenyard_web::app::App;
use tokenyard_web::platform::{dom, nav, panic, store};
use tokenyard_web::shell::{Colours, Shell};
use wasm_bindgen::JsCast;

fn main() {
    panic::install();
    // Without a document of ours there is nothing to take over: the first frame stays.
    let _ = take_over();
}

/// Builds the page beside the first frame and puts it in its place in one go.
fn take_over() -> Option<()> {
    let document = dom::document()?;
    let page = dom::page(&document)?;
    let known = |code: &String| page.languages.iter().any(|(c, _)| c == code);
    let system = web_sys::window()?.navigator().language().unwrap_or_default();
    let system = system.split('-').next().unwrap_or_default().to_owned();
    let lang = [store::query("lang"), store::get("lang"), Some(system)].into_iter().flatten().find(known);
    let lang = lang.or_else(|| page.languages.first().map(|(code, _)| code.clone()))?;
    let colours = store::query("theme").or_else(|| store::get("theme")).unwrap_or_default();
    let old = document.get_element_by_id("app")?;
    let new: web_sys::HtmlElement = document.create_element("div").ok()?.dyn_into().ok()?;
    new.set_id("app");
    dom::on_media("(prefers-color-scheme: dark)", || {
        if let (Some(window), Ok(event)) = (web_sys::window(), web_sys::Event::new("tokenyard-colours")) {
            let _ = window.dispatch_event(&event);
        }
    });
    mount_to(new.clone(), move || {
        let shell = Shell::new(page, lang, Colours::parse(&colours));
        nav::install(shell);
        view! { <App shell /> }
    })
    .forget();
    old.replace_with_with_node_1(&new).ok()?;
    dom::root_attribute("data-ready", Some("true"));
    Some(())
}
