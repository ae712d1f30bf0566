//! Pins: places on a chart that are read off its horizontal axis.

use plotters::element::{Circle, DashedPathElement};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tokenyard_lab::{Figure, Pin, Words};

use crate::axes::write;
use crate::geometry::{Frame, rows};
use crate::palette::rgb;
use crate::{DrawError, Look};

/// Room for the label of a pin, which is a short number, in CSS pixels: wide enough for five
/// digits, so that nothing has to be measured.
const ROOM: f64 = 36.0;

type Area<B> = DrawingArea<B, plotters::coord::Shift>;

/// Draws a ring at every pin, a dotted line from it down to the axis, and its label above it on
/// the left, in the row where it meets no other label.
pub(crate) fn draw<B: DrawingBackend>(
    area: &Area<B>,
    figure: &Figure,
    words: &Words,
    look: &Look,
    frame: &Frame,
) -> Result<(), DrawError> {
    let fail = |e: DrawingAreaErrorKind<B::ErrorType>| DrawError(e.to_string());
    let places: Vec<(i32, i32)> = figure.pins.iter().map(|pin| frame.at((pin.x, pin.y))).collect();
    let across: Vec<i32> = places.iter().map(|place| place.0).collect();
    let px = |css: f64| frame.px(css).max(1);
    for ((pin, (x, y)), row) in figure.pins.iter().zip(places).zip(rows(&across, px(ROOM))) {
        let color = color(pin, look);
        let line = color.stroke_width(px(1.0).unsigned_abs());
        let down = vec![(x, y), (x, frame.bottom)];
        let dots = DashedPathElement::new(down, px(1.0).unsigned_abs(), px(3.0).unsigned_abs(), line);
        area.draw(&dots).map_err(fail)?;
        area.draw(&Circle::new((x, y), px(4.0), rgb(look.palette.card).filled())).map_err(fail)?;
        let ring = color.stroke_width(px(2.0).unsigned_abs());
        area.draw(&Circle::new((x, y), px(4.0), ring)).map_err(fail)?;
        let at = (x - px(4.0), y - px(6.0) - row * px(14.0));
        let anchor = Pos::new(HPos::Right, VPos::Bottom);
        write(area, frame, &words.say(&pin.label), at, anchor, color)?;
    }
    Ok(())
}

fn color(pin: &Pin, look: &Look) -> RGBColor {
    rgb(look.palette.series[usize::from(pin.style.clamp(1, 6)) - 1])
}
