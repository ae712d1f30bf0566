//! Keyboard events.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// Tag name of the element that has the key.
#[must_use]
pub fn target_tag(event: &KeyboardEvent) -> String {
    event.target().and_then(|t| t.dyn_into::<Element>().ok()).map(|e| e.tag_name()).unwrap_or_default()
}

/// Gives the focus back to the page.
pub fn leave(event: &KeyboardEvent) {
    if let Some(element) = event.target().and_then(|t| t.dyn_into::<HtmlElement>().ok()) {
        let _ = element.blur();
    }
}
