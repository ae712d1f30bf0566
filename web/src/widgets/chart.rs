//! A chart: plotters on a canvas in the browser, plotters on SVG in the page's file, and the
//! same numbers as a sentence and a table for everybody.

use leptos::prelude::*;
use tokenyard_lab::Figure;

use super::live::text;
use super::paper::OnPaper;
use super::table::Twin;
use crate::shell::shell;

/// A figure with its caption, summary and table twin.
#[component]
pub fn Chart(
    /// The figure; a new one redraws.
    #[prop(into)]
    figure: Signal<Figure>,
) -> impl IntoView {
    let shell = shell();
    let caption = text(move || figure.with(|f| shell.words.with(|w| w.at(&["figure", f.id, "caption"]))));
    view! {
        <figure class="card chart">
            <figcaption class="card-title">{caption}</figcaption>
            <OnPaper figure />
            <Picture figure />
            <p class="chart-summary">{text(move || figure.with(|f| shell.now(&f.summary)))}</p>
            <Twin figure />
        </figure>
    }
    .into_any()
}

/// The first frame: SVG in both widths, one of which the style sheet shows.
#[cfg(feature = "ssr")]
#[component]
fn Picture(figure: Signal<Figure>) -> impl IntoView {
    use tokenyard_chart::{Theme, svg};
    let words = shell().words.get_untracked();
    let draw =
        |width| figure.with_untracked(|f| svg(f, &words, Theme::Page, (width, 230)).unwrap_or_default());
    view! {
        <div class="picture" aria-hidden="true">
            <div class="picture-wide" inner_html=draw(800)></div>
            <div class="picture-narrow" inner_html=draw(300)></div>
        </div>
    }
    .into_any()
}

/// The canvas, sharp on any device pixel ratio, redrawn when figure, words, colours or size
/// change.
#[cfg(not(feature = "ssr"))]
#[component]
fn Picture(figure: Signal<Figure>) -> impl IntoView {
    let shell = shell();
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let resized = RwSignal::new(0_u32);
    watch_size(canvas, resized);
    Effect::new(move |_| {
        resized.track();
        shell.colours.track();
        if let Some(canvas) = canvas.get() {
            shell.words.with(|words| figure.with(|f| paint(&canvas, f, words)));
        }
    });
    view! {
        <div class="picture" aria-hidden="true">
            <canvas node_ref=canvas></canvas>
        </div>
    }
    .into_any()
}

/// Bumps `resized` when the canvas gets another size, the page is zoomed or moved to another
/// screen, or the system's colours change.
#[cfg(not(feature = "ssr"))]
fn watch_size(canvas: NodeRef<leptos::html::Canvas>, resized: RwSignal<u32>) {
    use wasm_bindgen::JsCast;
    use wasm_bindgen::closure::Closure;
    let bump = move || {
        let _ = resized.try_update(|n| *n = n.wrapping_add(1));
    };
    let resize = window_event_listener_untyped("resize", move |_| bump());
    let scheme = window_event_listener_untyped("tokenyard-colours", move |_| bump());
    let observer = StoredValue::new_local(None::<(web_sys::ResizeObserver, Closure<dyn FnMut()>)>);
    Effect::new(move |_| {
        let Some(canvas) = canvas.get() else {
            return;
        };
        let closure = Closure::<dyn FnMut()>::new(bump);
        if let Ok(watch) = web_sys::ResizeObserver::new(closure.as_ref().unchecked_ref()) {
            watch.observe(&canvas);
            observer.set_value(Some((watch, closure)));
        }
    });
    on_cleanup(move || {
        resize.remove();
        scheme.remove();
        observer.try_update_value(|o| {
            if let Some((watch, _)) = o.take() {
                watch.disconnect();
            }
        });
    });
}

#[cfg(not(feature = "ssr"))]
fn paint(canvas: &web_sys::HtmlCanvasElement, figure: &Figure, words: &tokenyard_lab::Words) {
    use tokenyard_chart::{Look, Palette, draw, parse_hex};
    let scale = web_sys::window().map_or(1.0, |w| w.device_pixel_ratio());
    let size = |css: i32| (f64::from(css.max(1)) * scale).round() as u32;
    let (width, height) = (size(canvas.client_width()), size(canvas.client_height()));
    // Setting the size clears the canvas, so it is set only when it changed.
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let read = |name: &str| crate::platform::dom::css_property(name).as_deref().and_then(parse_hex);
    let look = Look { palette: Palette::read(read), scale };
    let Some(backend) = plotters_canvas::CanvasBackend::with_canvas_object(canvas.clone()) else {
        return;
    };
    if let Err(error) = draw(backend, figure, words, &look) {
        web_sys::console::warn_1(&error.to_string().into());
    }
}
