//! A figure's SVG as PNG, drawn by the browser with the reader's fonts. Natively `tokenyard-figure`
//! draws with those of the system; size and link are equal, pixels nearly.

use js_sys::{Promise, Uint8Array};
use tokenyard_figure::{read_link, sign_png};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement, Url};

use crate::platform::{dom, save};

/// Pixels of the picture for each of the figure's own, as natively.
const SCALE: u32 = 2;

/// Draws a figure and puts the link that it carries into the file. `None` where the browser does not draw it, or does
/// not give away what it drew.
pub async fn png(svg: &str) -> Option<Vec<u8>> {
    let url = Url::create_object_url_with_blob(&save::blob(&svg.into(), "image/svg+xml")?).ok()?;
    let drawn = draw(&url).await;
    let _ = Url::revoke_object_url(&url);
    let file = file(&drawn?).await?;
    let bytes = JsFuture::from(file.array_buffer()).await.ok()?;
    sign_png(&Uint8Array::new(&bytes).to_vec(), &read_link(svg.as_bytes()).ok()?).ok()
}

async fn draw(url: &str) -> Option<HtmlCanvasElement> {
    let document = dom::document()?;
    let image: HtmlImageElement = document.create_element("img").ok()?.dyn_into().ok()?;
    image.set_src(url);
    JsFuture::from(image.decode()).await.ok()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(image.natural_width() * SCALE);
    canvas.set_height(image.natural_height() * SCALE);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height).ok()?;
    Some(canvas)
}

async fn file(canvas: &HtmlCanvasElement) -> Option<Blob> {
    let mut told = |tell: js_sys::Function, refuse: js_sys::Function| {
        let give = Closure::once_into_js(move |file: JsValue| {
            let _ = tell.call1(&JsValue::NULL, &file);
        });
        if canvas.to_blob(give.unchecked_ref()).is_err() {
            let _ = refuse.call0(&JsValue::NULL);
        }
    };
    JsFuture::from(Promise::new(&mut told)).await.ok()?.dyn_into().ok()
}
