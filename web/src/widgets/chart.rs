//! A chart: plotters on a canvas in the browser, plotters on SVG in the page's file, and the
//! same numbers as a sentence and a table for everybody.

use leptos::prelude::*;
#[cfg(not(feature = "ssr"))]
use tokenyard_chart::{Look, Palette, draw, parse_hex};
use tokenyard_lab::Figure;

#[cfg(not(feature = "ssr"))]
use super::live::follow;
use super::live::text;
use super::paper::OnPaper;
use super::table::Twin;
#[cfg(not(feature = "ssr"))]
use crate::platform::sight::Sight;
use crate::shell::shell;

/// A figure with its caption, summary and table twin.
#[component]
pub fn Chart(
    /// The figure; a new one redraws, unless only its cursor moved.
    #[prop(into)]
    figure: Signal<Figure>,
) -> impl IntoView {
    let shell = shell();
    // A step of the player moves the cursor and nothing else of most charts.
    let still: Signal<Figure> =
        Memo::new(move |_| figure.with(|f| Figure { cursor: None, ..f.clone() })).into();
    let caption = text(move || still.with(|f| shell.words.with(|w| w.at(&["figure", f.id, "caption"]))));
    view! {
        <figure class="card chart">
            <figcaption class="card-title">{caption}</figcaption>
            <OnPaper figure />
            <Picture figure still />
            <p class="chart-summary">{text(move || still.with(|f| shell.now(&f.summary)))}</p>
            <Twin figure=still />
        </figure>
    }
    .into_any()
}

/// The first frame: SVG in both widths, one of which the style sheet shows.
#[cfg(feature = "ssr")]
#[component]
fn Picture(figure: Signal<Figure>, still: Signal<Figure>) -> impl IntoView {
    use tokenyard_chart::{Theme, svg};
    // The cursor stands in the drawing.
    let _ = still;
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
/// change while it is in sight or nearly. The cursor lies over it, so that moving it draws nothing else.
#[cfg(not(feature = "ssr"))]
#[component]
fn Picture(figure: Signal<Figure>, still: Signal<Figure>) -> impl IntoView {
    let shell = shell();
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let sheet = RwSignal::new(Sheet::default());
    watch_sheet(canvas, sheet);
    // What nobody sees is not drawn until it comes near: most charts lie below what a reader moves.
    let (near, sight) = (RwSignal::new(false), StoredValue::new_local(None::<Sight>));
    follow(move |_| {
        let Some(canvas) = canvas.get() else {
            return;
        };
        let watch = Sight::of(&canvas, "300px 0px", move |seen| {
            let _ = near.try_set(seen);
        });
        if watch.is_none() {
            near.set(true);
        }
        sight.set_value(watch);
    });
    // Asking for colours makes the browser style what has changed so far, so they are kept until they change.
    let mut known = None;
    follow(move |_| {
        if !near.get() {
            return;
        }
        let (sheet, chosen) = (sheet.get(), shell.colours.get());
        if let Some(canvas) = canvas.get().filter(|_| sheet.width > 0) {
            let of = (chosen, sheet.scheme);
            let (_, palette) = known.filter(|(now, _)| *now == of).unwrap_or_else(|| (of, palette()));
            known = Some((of, palette));
            let look = Look { palette, scale: sheet.scale };
            shell.words.with(|words| still.with(|f| paint(&canvas, f, words, sheet, &look)));
        }
    });
    let at = Memo::new(move |_| {
        let Sheet { width, height, .. } = sheet.get();
        figure.with(|f| tokenyard_chart::cursor(f, (width, height)))
    });
    let cursor =
        text(move || at.get().map_or_else(String::new, |(x, top, bottom)| format!("M{x} {top}V{bottom}")));
    view! {
        <div class="picture" aria-hidden="true">
            <canvas node_ref=canvas></canvas>
            <svg class="picture-cursor"><path d=cursor></path></svg>
        </div>
    }
    .into_any()
}

/// What a canvas is drawn for.
#[cfg(not(feature = "ssr"))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sheet {
    /// CSS pixels; 0 until the page is laid out.
    width: u32,
    height: u32,
    /// Device pixels for one of them.
    scale: f64,
    /// Changes of the system's colours so far.
    scheme: u32,
}

/// Keeps `sheet` as it is now. The size is read where the browser has just laid out the page:
/// asking at any other time would make it lay out twice.
#[cfg(not(feature = "ssr"))]
fn watch_sheet(canvas: NodeRef<leptos::html::Canvas>, sheet: RwSignal<Sheet>) {
    use wasm_bindgen::JsCast;
    use wasm_bindgen::closure::Closure;
    let measure = move || {
        let scale = web_sys::window().map_or(1.0, |w| w.device_pixel_ratio());
        if let Some(canvas) = canvas.try_get_untracked().flatten() {
            let size = |css: i32| css.max(0).unsigned_abs();
            let (width, height) = (size(canvas.client_width()), size(canvas.client_height()));
            // Drawn in a frame of its own: what it changes would be told to no observer of this one, which
            // browsers report as an error.
            request_animation_frame(move || {
                let changed = |s: &Sheet| (s.width, s.height, s.scale) != (width, height, scale);
                if sheet.try_with_untracked(changed) == Some(true) {
                    sheet.update(|s| (s.width, s.height, s.scale) = (width, height, scale));
                }
            });
        }
    };
    // The page was zoomed or moved to another screen.
    let resize = window_event_listener_untyped("resize", move |_| measure());
    let scheme = window_event_listener_untyped("tokenyard-colours", move |_| {
        sheet.try_update(|s| s.scheme = s.scheme.wrapping_add(1));
    });
    let observer = StoredValue::new_local(None::<(web_sys::ResizeObserver, Closure<dyn FnMut()>)>);
    follow(move |_| {
        let Some(canvas) = canvas.get() else {
            return;
        };
        let closure = Closure::<dyn FnMut()>::new(measure);
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

/// The canvas cuts its lines into dashes itself.
#[cfg(not(feature = "ssr"))]
pub(super) struct CanvasDashes(pub(super) web_sys::CanvasRenderingContext2d);

#[cfg(not(feature = "ssr"))]
impl tokenyard_chart::Dash for CanvasDashes {
    const BY_BACKEND: bool = true;
    fn set(&self, dash: f64, gap: f64) {
        let lengths = js_sys::Array::new();
        if gap > 0.0 {
            lengths.push(&dash.into());
            lengths.push(&gap.into());
        }
        let _ = self.0.set_line_dash(&lengths);
    }
}

/// The colours of the page as they are now.
#[cfg(not(feature = "ssr"))]
fn palette() -> Palette {
    Palette::read(|name| crate::platform::dom::css_property(name).as_deref().and_then(parse_hex))
}

#[cfg(not(feature = "ssr"))]
fn paint(
    canvas: &web_sys::HtmlCanvasElement,
    figure: &Figure,
    words: &tokenyard_lab::Words,
    sheet: Sheet,
    look: &Look,
) -> Option<()> {
    use wasm_bindgen::JsCast;
    let size = |css: u32| (f64::from(css.max(1)) * sheet.scale).round() as u32;
    let (width, height) = (size(sheet.width), size(sheet.height));
    // Setting the size clears the canvas, so it is set only when it changed.
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let backend = plotters_canvas::CanvasBackend::with_canvas_object(canvas.clone())?;
    if let Err(error) = draw(backend, figure, words, look, &CanvasDashes(context)) {
        web_sys::console::warn_1(&error.to_string().into());
    }
    Some(())
}
