//! Reading a page's file, and the few things Leptos does not wrap.

use std::sync::Arc;

use js_sys::{JSON, Object};
use tokenyard_lab::{LabSpec, Words};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Document;

use crate::page::{Kind, Page, in_single};

/// The document of this page.
#[must_use]
pub fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// Which page a document is. `None` if it is none of ours.
#[must_use]
pub fn kind(document: &Document) -> Option<Kind> {
    let root = document.document_element()?;
    // A single file's own page: `data-page` follows the reader.
    let Some(own) = root.get_attribute("data-single") else {
        return Kind::parse(&root.get_attribute("data-page")?);
    };
    let own = Kind::parse(&own)?;
    let hash = web_sys::window()?.location().hash().ok()?;
    let kind = Kind::named(in_single(hash.trim_start_matches('#')).0).unwrap_or(own);
    // One file is page and embed at once.
    Some(match kind {
        Kind::Lab(lab) if super::store::query("ui").is_some() => Kind::Embed(lab),
        other => other,
    })
}

/// Whether a document holds all pages of its site.
#[must_use]
pub fn is_single(document: &Document) -> bool {
    document.document_element().is_some_and(|root| root.has_attribute("data-single"))
}

/// The build of the site that a document's file belongs to. A single file and an embed name none.
#[must_use]
pub fn build(document: &Document) -> Option<String> {
    document.document_element()?.get_attribute("data-build")
}

/// Reads which page a document is, its root and its words. `None` if it is none of ours.
#[must_use]
pub fn page(document: &Document) -> Option<Page> {
    let (kind, single) = (kind(document)?, is_single(document));
    let root = document.document_element()?.get_attribute("data-root")?;
    let languages = words(document, &kind, single || kind == Kind::Teach)?;
    Some(Page { kind, root, single, languages })
}

/// A lab as the page of lessons shows it: with the words that this page's file has for it.
#[must_use]
pub fn lab_page(of: &Page, lab: &'static LabSpec) -> Option<Page> {
    let kind = Kind::Lab(lab);
    let languages = words(&document()?, &kind, true)?;
    Some(Page { kind, root: of.root.clone(), single: of.single, languages })
}

/// Words of a page by language; `many` if the document has those of several pages.
fn words(document: &Document, kind: &Kind, many: bool) -> Option<Vec<(String, Arc<Words>)>> {
    let text = document.get_element_by_id("words")?.text_content()?;
    let mut by_lang: Object = JSON::parse(&text).ok()?.dyn_into().ok()?;
    if many {
        let id = kind.lab().map_or_else(|| kind.id(), |lab| Kind::Lab(lab).id());
        by_lang = js_sys::Reflect::get(&by_lang, &id.into()).ok()?.dyn_into().ok()?;
    }
    Some(entries(&by_lang).map(|(lang, words)| (lang, Arc::new(catalogue(&words)))).collect())
}

/// Whether a file with all pages of its site has this one. False for a page of its own.
#[must_use]
pub fn holds(kind: &Kind) -> bool {
    let words = document().and_then(|document| document.get_element_by_id("words")?.text_content());
    let pages = words.and_then(|words| JSON::parse(&words).ok());
    pages.is_some_and(|pages| js_sys::Reflect::has(&pages, &kind.id().into()).unwrap_or_default())
}

fn catalogue(words: &JsValue) -> Words {
    words
        .dyn_ref::<Object>()
        .map(|map| entries(map).filter_map(|(key, text)| Some((key, text.as_string()?))).collect())
        .unwrap_or_default()
}

/// Keys and values of an object, in its own order.
pub fn entries(object: &Object) -> impl Iterator<Item = (String, JsValue)> + use<> {
    Object::entries(object)
        .iter()
        .filter_map(|pair| {
            let pair: js_sys::Array = pair.dyn_into().ok()?;
            Some((pair.get(0).as_string()?, pair.get(1)))
        })
        .collect::<Vec<_>>()
        .into_iter()
}

/// Sets or removes an attribute of the document's root element.
pub fn root_attribute(name: &str, value: Option<&str>) {
    if let Some(root) = document().and_then(|d| d.document_element()) {
        let _ = match value {
            Some(value) => root.set_attribute(name, value),
            None => root.remove_attribute(name),
        };
    }
}

/// A custom property of the style sheet, as the page's theme has it now.
#[must_use]
pub fn css_property(name: &str) -> Option<String> {
    let window = web_sys::window()?;
    let root = window.document()?.document_element()?;
    window.get_computed_style(&root).ok()??.get_property_value(&format!("--{name}")).ok()
}

/// Whether a media query holds.
#[must_use]
pub fn media(query: &str) -> bool {
    let list = web_sys::window().and_then(|w| w.match_media(query).ok().flatten());
    list.is_some_and(|l| l.matches())
}

/// Whether the reader asked for less motion.
#[must_use]
pub fn reduced_motion() -> bool {
    media("(prefers-reduced-motion: reduce)")
}

/// Whether this page runs inside a frame.
#[must_use]
pub fn framed() -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    window.parent().ok().flatten().is_some_and(|parent| parent != window)
}

/// Calls `work` whenever a media query starts or stops to hold. For the life of the page.
pub fn on_media(query: &str, work: impl FnMut() + 'static) {
    let list = web_sys::window().and_then(|w| w.match_media(query).ok().flatten());
    if let Some(list) = list {
        let closure = wasm_bindgen::closure::Closure::<dyn FnMut()>::new(work);
        let _ = list.add_event_listener_with_callback("change", closure.as_ref().unchecked_ref());
        closure.forget();
    }
}
