//! Sharing, exports and files in the browser: loaded by a page when a reader asks for them.

use tokenyard_lab::labs::LABS;
use tokenyard_web::page;
use tokenyard_web::platform::panic;
use tokenyard_web::tools::{self, Request};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{File, HtmlElement};

/// Fills the body of the page's dialog; `false` if the page is of another version.
#[wasm_bindgen]
pub fn open(place: HtmlElement, request: JsValue) -> bool {
    Request::from_js(&request).map(|request| tools::open(place, request)).is_some()
}

/// Says where a file leads; see `tokenyard_web::tools::open::answer`. `null` if the page is of another
/// version.
#[wasm_bindgen]
pub async fn read(file: File, request: JsValue) -> JsValue {
    match Request::from_js(&request) {
        Some(request) => tools::open::answer(file, request).await,
        None => JsValue::NULL,
    }
}

/// Empties it.
#[wasm_bindgen]
pub fn close() {
    tools::close();
}

fn main() {
    panic::install();
    page::has(LABS);
}
