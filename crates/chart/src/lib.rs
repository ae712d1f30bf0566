//! Draws a [`Figure`] with `plotters`, on any backend: a canvas in the page, SVG natively.
//!
//! Nothing is laid out by measuring text: in a browser that would ask the document, which
//! differs by engine and is blocked by the page's style policy. Labels stand where the geometry
//! here puts them. The same figure and size give the same bytes of SVG every time.

mod axes;
mod elements;
mod geometry;
mod palette;
mod pins;
mod series;

use plotters::prelude::*;
use tokenyard_lab::{Figure, Words};

pub use elements::elements;
pub use geometry::Room;
pub use palette::{Palette, Theme, parse_hex};

/// How a figure looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Colours.
    pub palette: Palette,
    /// Device pixels per CSS pixel; 1 for SVG.
    pub scale: f64,
}

/// How lines get their dashes.
pub trait Dash {
    /// Whether the backend cuts lines into dashes itself, as [`Dash::set`] told it. Otherwise
    /// `plotters` draws each dash as a line of its own, hundreds for one chart.
    const BY_BACKEND: bool;

    /// From now on lines have dashes and gaps of so many pixels; no gap makes them solid again.
    fn set(&self, dash: f64, gap: f64);
}

/// Dashes cut by `plotters`, for backends that know solid lines only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutDashes;

impl Dash for CutDashes {
    const BY_BACKEND: bool = false;
    fn set(&self, _: f64, _: f64) {}
}

/// The backend refused to draw; its reason in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawError(pub String);

impl std::fmt::Display for DrawError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the chart could not be drawn: {}", self.0)
    }
}

impl std::error::Error for DrawError {}

/// Draws a figure on the whole of a backend. Cost: O(points).
///
/// # Errors
/// What the backend says; a backend of no size draws nothing.
pub fn draw<B: DrawingBackend>(
    backend: B,
    figure: &Figure,
    words: &Words,
    look: &Look,
    dash: &impl Dash,
) -> Result<(), DrawError> {
    draw_in(backend, figure, words, look, Room::PAGE, dash)
}

/// As [`draw`], with so much room for the labels beside the plot.
fn draw_in<B: DrawingBackend>(
    backend: B,
    figure: &Figure,
    words: &Words,
    look: &Look,
    room: Room,
    dash: &impl Dash,
) -> Result<(), DrawError> {
    let root = backend.into_drawing_area();
    let frame = geometry::Frame::with(figure, root.dim_in_pixel(), look.scale, room);
    let fail = |e: &dyn std::fmt::Display| DrawError(e.to_string());
    axes::draw(&root, figure, words, look, &frame).map_err(|e| fail(&e))?;
    series::draw(&root, figure, words, look, &frame, dash).map_err(|e| fail(&e))?;
    pins::draw(&root, figure, words, look, &frame).map_err(|e| fail(&e))?;
    root.present().map_err(|e| fail(&e))
}

/// Where the linked cursor of a figure stands on a drawing of a size in CSS pixels: its place from
/// the left, and its upper and lower end. A page that moves the cursor alone draws a figure
/// without it and this over it.
#[must_use]
pub fn cursor(figure: &Figure, size: (u32, u32)) -> Option<(i32, i32, i32)> {
    let frame = geometry::Frame::new(figure, size, 1.0);
    figure.cursor.map(|at| (frame.x(at), frame.top, frame.bottom))
}

/// A figure as a stand-alone SVG document of `width` × `height` CSS pixels.
///
/// # Errors
/// As [`draw`].
pub fn svg(figure: &Figure, words: &Words, theme: Theme, size: (u32, u32)) -> Result<String, DrawError> {
    let mut out = String::new();
    let look = Look { palette: theme.palette(), scale: 1.0 };
    draw(SVGBackend::with_string(&mut out, size), figure, words, &look, &CutDashes)?;
    Ok(if theme == Theme::Page { palette::themed(&out) } else { out })
}

#[cfg(test)]
mod tests;
