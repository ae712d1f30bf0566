//! Pins: places on a chart that are read off its horizontal axis.

use plotters::element::{Circle, DashedPathElement};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tokenyard_lab::{Figure, Pin, Words};

use crate::axes::write;
use crate::geometry::{Frame, crowded, ranks};
use crate::palette::rgb;
use crate::{DrawError, Look};

/// Room for the label of a pin, which is a short number, in CSS pixels: wide enough for five
/// digits, so that nothing has to be measured.
const ROOM: f64 = 36.0;

/// Room for the label of a guide, at the left end of its line.
const GUIDE: f64 = 72.0;

type Area<B> = DrawingArea<B, plotters::coord::Shift>;

/// Draws a ring at every pin and a dotted line from it down to the axis. Labels stand above their
/// pins on the left; where they would touch, on a phone, all of them stand in the gutter beside the
/// pins' height, from the leftmost pin down.
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
    let crowded = crowded(&across, px(ROOM), frame.left + px(GUIDE));
    let lowest = places.len() as i32 * px(14.0);
    for ((pin, (x, y)), rank) in figure.pins.iter().zip(places).zip(ranks(&across)) {
        let color = color(pin, look);
        let line = color.stroke_width(px(1.0).unsigned_abs());
        let down = vec![(x, y), (x, frame.bottom)];
        let dots = DashedPathElement::new(down, px(1.0).unsigned_abs(), px(3.0).unsigned_abs(), line);
        area.draw(&dots).map_err(fail)?;
        area.draw(&Circle::new((x, y), px(4.0), rgb(look.palette.card).filled())).map_err(fail)?;
        let ring = color.stroke_width(px(2.0).unsigned_abs());
        area.draw(&Circle::new((x, y), px(4.0), ring)).map_err(fail)?;
        let (at, anchor) = if crowded {
            let top = y.min(frame.bottom - lowest);
            ((frame.right + px(6.0), top + rank * px(14.0)), Pos::new(HPos::Left, VPos::Top))
        } else {
            ((x - px(4.0), y - px(6.0)), Pos::new(HPos::Right, VPos::Bottom))
        };
        write(area, frame, &words.say(&pin.label), at, anchor, color)?;
    }
    Ok(())
}

fn color(pin: &Pin, look: &Look) -> RGBColor {
    rgb(look.palette.series[usize::from(pin.style.clamp(1, 6)) - 1])
}
