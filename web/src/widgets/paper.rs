//! A chart on paper: while the page is printed, a canvas of its own stands in for the one on the
//! screen, drawn in the colours of paper, at the width of a sheet and finer than any screen.
//! An SVG would do as well, but would bring 8 KB into the module.

use leptos::prelude::*;
use tokenyard_lab::Figure;

/// Width and height of a printed chart: those of a sheet between its margins, in CSS pixels.
#[cfg(not(feature = "ssr"))]
const SIZE: (f64, f64) = (700.0, 230.0);

/// Dots for each CSS pixel: about 300 to the inch.
#[cfg(not(feature = "ssr"))]
const SCALE: f64 = 3.0;

/// Hidden but while the page is printed. The style sheet hides the picture behind a shown one.
#[component]
pub fn OnPaper(
    /// The figure as it is now.
    figure: Signal<Figure>,
) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    #[cfg(feature = "ssr")]
    let _ = figure;
    #[cfg(not(feature = "ssr"))]
    draw_for_printing(canvas, figure);
    view! { <canvas class="paper" aria-hidden="true" hidden node_ref=canvas></canvas> }.into_any()
}

/// Draws when the browser is about to print. It takes the page as it stands when the listener
/// returns, so nothing here may wait for an effect.
#[cfg(not(feature = "ssr"))]
fn draw_for_printing(canvas: NodeRef<leptos::html::Canvas>, figure: Signal<Figure>) {
    let words = crate::shell::shell().words;
    let before = window_event_listener_untyped("beforeprint", move |_| {
        if let Some(canvas) = canvas.try_get_untracked().flatten() {
            // Without a drawing the picture of the screen is printed.
            let drawn = words.with_untracked(|words| figure.with_untracked(|f| paint(&canvas, f, words)));
            canvas.set_hidden(drawn.is_none());
        }
    });
    let after = window_event_listener_untyped("afterprint", move |_| {
        if let Some(canvas) = canvas.try_get_untracked().flatten() {
            canvas.set_hidden(true);
            // A canvas without a size holds no memory.
            canvas.set_width(0);
        }
    });
    on_cleanup(move || {
        before.remove();
        after.remove();
    });
}

#[cfg(not(feature = "ssr"))]
fn paint(canvas: &web_sys::HtmlCanvasElement, figure: &Figure, words: &tokenyard_lab::Words) -> Option<()> {
    use tokenyard_chart::{Look, Theme, draw};
    use wasm_bindgen::JsCast;
    canvas.set_width((SIZE.0 * SCALE) as u32);
    canvas.set_height((SIZE.1 * SCALE) as u32);
    let backend = plotters_canvas::CanvasBackend::with_canvas_object(canvas.clone())?;
    let dashes = super::chart::CanvasDashes(canvas.get_context("2d").ok()??.dyn_into().ok()?);
    draw(backend, figure, words, &Look { palette: Theme::Light.palette(), scale: SCALE }, &dashes).ok()
}
