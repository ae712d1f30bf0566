//! Addresses: following our own links in place, the fragment, copying.
//!
//! Every page is a real file. Over http a link of ours is fetched, its page and words are put in
//! place, and the history gets an entry with that file's address; anywhere else links are links.

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DomParser, Element, MouseEvent, Response, SupportedType};

use super::dom;
use crate::page::{Page, in_single};
use crate::shell::Shell;

/// The state in the fragment of the present address, without `#`.
#[must_use]
pub fn fragment() -> String {
    let whole = whole_fragment();
    if is_single() { in_single(&whole).1.to_owned() } else { whole }
}

fn whole_fragment() -> String {
    let hash = web_sys::window().and_then(|w| w.location().hash().ok()).unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

fn is_single() -> bool {
    dom::document().is_some_and(|document| dom::is_single(&document))
}

/// The present address without its fragment.
#[must_use]
pub fn address() -> String {
    let href = web_sys::window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    href.split('#').next().unwrap_or_default().to_owned()
}

/// A relative address in full, without its fragment.
#[must_use]
pub fn absolute(href: &str) -> String {
    web_sys::Url::new_with_base(href, &address()).map_or_else(|_| href.to_owned(), |url| url.href())
}

/// Replaces the fragment without adding to the history. Refusals are ignored: the link that is
/// copied is made from the state, never read from the address. Never touches a frame's address.
pub fn replace_fragment(fragment: &str) {
    if dom::framed() {
        return;
    }
    let Some(window) = web_sys::window() else {
        return;
    };
    // In a single file the fragment also says which page.
    let page = if is_single() { in_single(&whole_fragment()).0.to_owned() } else { String::new() };
    let parts = [page, fragment.to_owned()];
    let fragment = parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("&");
    let url = if fragment.is_empty() { address() } else { format!("{}#{fragment}", address()) };
    if window.location().href().ok().as_deref() != Some(&url)
        && let Ok(history) = window.history()
    {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&url));
    }
}

/// Goes to an address as if the reader had typed it. Where only the fragment differs, the page stays and
/// [`Shell::fragment`] gets it.
pub fn leave_for(url: &str) {
    if let Some(window) = web_sys::window() {
        let _ = window.location().set_href(url);
    }
}

/// Puts text on the clipboard; `false` if the browser refuses.
pub async fn copy(text: &str) -> bool {
    let Some(navigator) = web_sys::window().map(|w| w.navigator()) else {
        return false;
    };
    // Outside secure contexts the clipboard is undefined, although its type says otherwise.
    let clipboard = navigator.clipboard();
    if clipboard.is_undefined() {
        return false;
    }
    JsFuture::from(clipboard.write_text(text)).await.is_ok()
}

/// Pages seen in this visit, by address.
type Seen = StoredValue<BTreeMap<String, Page>>;

/// Answers links to places of the page. An embed has one page, and its other links lead out of the frame.
pub fn stay() {
    let click = window_event_listener_untyped("click", |event| {
        if event.dyn_ref::<MouseEvent>().and_then(jump).is_some() {
            event.prevent_default();
        }
    });
    on_cleanup(move || click.remove());
}

/// Follows links marked `data-go` in place and answers the back button. When only the fragment
/// of the present page changed, [`Shell::fragment`] gets it. In an embed it is [`stay`].
pub fn install(shell: Shell) {
    if shell.is_embed() {
        stay();
        return;
    }
    let _ = pin_icon();
    let seen: Seen = StoredValue::new(BTreeMap::new());
    seen.update_value(|seen| {
        seen.insert(address(), shell.page.get_untracked());
    });
    let present = StoredValue::new(address());
    let click = window_event_listener_untyped("click", move |event| {
        let Some(event) = event.dyn_ref::<MouseEvent>() else {
            return;
        };
        if let Some(url) = followed(event) {
            event.prevent_default();
            go(shell, seen, present, url, true);
        } else if jump(event).is_some() {
            event.prevent_default();
        }
    });
    let back = window_event_listener_untyped("popstate", move |_| {
        if address() == present.get_value() {
            match other_in_file(shell) {
                Some(page) => {
                    shell.page.set(page);
                    if let Some(window) = web_sys::window() {
                        window.scroll_to_with_x_and_y(0.0, 0.0);
                    }
                    focus_heading();
                }
                None => shell.fragment.set(Some(fragment())),
            }
        } else if let Some(url) = web_sys::window().and_then(|w| w.location().href().ok()) {
            go(shell, seen, present, url, false);
        }
    });
    on_cleanup(move || {
        click.remove();
        back.remove();
    });
}

/// The page of a single file that its fragment names now, if that is not the present one. Only then are
/// its words read.
fn other_in_file(shell: Shell) -> Option<Page> {
    let document = dom::document().filter(dom::is_single)?;
    let kind = dom::kind(&document)?;
    (kind != shell.page.with_untracked(|page| page.kind)).then(|| dom::page(&document))?
}

/// Makes the icon's address absolute. A relative one would be looked for beside whatever page is
/// followed in place.
fn pin_icon() -> Option<()> {
    let icon = dom::document()?.query_selector("link[rel=icon]").ok()??;
    let base = web_sys::window()?.location().href().ok()?;
    let url = web_sys::Url::new_with_base(&icon.get_attribute("href")?, &base).ok()?;
    icon.set_attribute("href", &url.href()).ok()
}

/// The address of a plain click on one of our links, over http.
fn followed(event: &MouseEvent) -> Option<String> {
    let plain = event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
        && !event.default_prevented();
    let window = web_sys::window()?;
    if !plain || !window.location().protocol().ok()?.starts_with("http") {
        return None;
    }
    let link = event.target()?.dyn_into::<Element>().ok()?.closest("a[data-go]").ok()??;
    let url =
        web_sys::Url::new_with_base(&link.get_attribute("href")?, &window.location().href().ok()?).ok()?;
    (url.origin() == window.location().origin().ok()?).then(|| url.href())
}

/// A click on a link to a place of this page goes there without touching the address: the
/// fragment is the lab's state, not a place. `None` if it is no such click.
fn jump(event: &MouseEvent) -> Option<()> {
    let link = event.target()?.dyn_into::<Element>().ok()?.closest("a[href^='#']").ok()??;
    let id = link.get_attribute("href")?;
    let place = dom::document()?.get_element_by_id(id.strip_prefix('#')?)?;
    place.scroll_into_view();
    // Reading and the Tab key go on from there.
    let _ = place.dyn_into::<web_sys::HtmlElement>().ok()?.focus();
    Some(())
}

fn go(shell: Shell, seen: Seen, present: StoredValue<String>, url: String, push: bool) {
    spawn_local(async move {
        let file = url.split('#').next().unwrap_or_default().to_owned();
        let known = seen.with_value(|s| s.get(&file).cloned());
        let page = match known {
            Some(page) => Some(page),
            None => fetch(&file).await,
        };
        let Some(window) = web_sys::window() else {
            return;
        };
        let Some(page) = page.filter(|page| shell.program.shows(&page.kind)) else {
            // Not to be had in place, or shown by another program: the browser follows the link.
            let _ = window.location().set_href(&url);
            return;
        };
        if push && let Ok(history) = window.history() {
            let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&url));
        }
        seen.update_value(|s| {
            s.insert(file.clone(), page.clone());
        });
        present.set_value(file);
        shell.page.set(page);
        if push {
            window.scroll_to_with_x_and_y(0.0, 0.0);
            focus_heading();
        }
    });
}

async fn fetch(url: &str) -> Option<Page> {
    let response = JsFuture::from(web_sys::window()?.fetch_with_str(url)).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
    let document = DomParser::new().ok()?.parse_from_string(&text, SupportedType::TextHtml).ok()?;
    // A newer page has words for a newer program: it is followed as a document.
    (dom::build(&document) == dom::build(&dom::document()?)).then(|| dom::page(&document))?
}

/// After following a link, reading goes on at the new page's heading.
fn focus_heading() {
    request_animation_frame(|| {
        let heading = dom::document().and_then(|d| d.query_selector("h1").ok().flatten());
        if let Some(heading) = heading.and_then(|h| h.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = heading.focus();
        }
    });
}
