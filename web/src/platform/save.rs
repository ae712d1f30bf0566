//! Hands a file to the reader's browser, which saves it. Nothing is sent anywhere.

use std::time::Duration;

use js_sys::Array;
use leptos::prelude::set_timeout;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use super::dom;

/// A file in memory: a text or bytes (`Uint8Array`) of a media type.
#[must_use]
pub fn blob(content: &JsValue, media: &str) -> Option<Blob> {
    let options = BlobPropertyBag::new();
    options.set_type(media);
    Blob::new_with_buffer_source_sequence_and_options(&Array::of1(content), &options).ok()
}

/// Saves a file under a name. `None` where the browser has no such thing; a sandbox that forbids
/// downloads says nothing.
pub fn save(name: &str, file: &Blob) -> Option<()> {
    let url = Url::create_object_url_with_blob(file).ok()?;
    let link: HtmlAnchorElement = dom::document()?.create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // Revoked later: some engines read it after the click has returned.
    set_timeout(move || drop(Url::revoke_object_url(&url)), Duration::from_secs(60));
    Some(())
}
