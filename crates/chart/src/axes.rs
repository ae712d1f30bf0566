//! Grid, numbers and axis names.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::FontFamily;
use tokenyard_lab::{Figure, Words};

use crate::geometry::Frame;
use crate::palette::rgb;
use crate::{DrawError, Look};

/// As a name that nobody has to look up: plotters would bring tables of all letters to compare it.
const FONT: FontFamily<'_> = FontFamily::Name("system-ui, sans-serif");

type Area<B> = DrawingArea<B, Shift>;

pub(crate) fn draw<B: DrawingBackend>(
    area: &Area<B>,
    figure: &Figure,
    words: &Words,
    look: &Look,
    frame: &Frame,
) -> Result<(), DrawError> {
    let fail = |e: DrawingAreaErrorKind<B::ErrorType>| DrawError(e.to_string());
    area.fill(&rgb(look.palette.card)).map_err(fail)?;
    let grid = rgb(look.palette.line).stroke_width(frame.px(1.0).unsigned_abs());
    for tick in &figure.y.ticks {
        let y = frame.y(*tick);
        area.draw(&PathElement::new(vec![(frame.left, y), (frame.right, y)], grid)).map_err(fail)?;
        let text = figure.y.mark(*tick, figure.y.digits, words);
        label(area, look, frame, &text, (frame.left - frame.px(8.0), y), (HPos::Right, VPos::Center))?;
    }
    for tick in &figure.x.ticks {
        let (x, y) = (frame.x(*tick), frame.bottom);
        area.draw(&PathElement::new(vec![(x, y), (x, y + frame.px(4.0))], grid)).map_err(fail)?;
        let text = figure.x.mark(*tick, figure.x.digits, words);
        label(area, look, frame, &text, (x, y + frame.px(6.0)), (HPos::Center, VPos::Top))?;
    }
    let (left, top) = (frame.px(8.0), frame.px(4.0));
    label(area, look, frame, &words.say(&figure.y.label), (left, top), (HPos::Left, VPos::Top))?;
    let foot = (frame.right, frame.bottom + frame.px(22.0));
    label(area, look, frame, &words.say(&figure.x.label), foot, (HPos::Right, VPos::Top))
}

/// Small muted text at a place, anchored as told; nothing is measured.
pub(crate) fn label<B: DrawingBackend>(
    area: &Area<B>,
    look: &Look,
    frame: &Frame,
    text: &str,
    at: (i32, i32),
    (h, v): (HPos, VPos),
) -> Result<(), DrawError> {
    write(area, frame, text, at, Pos::new(h, v), rgb(look.palette.muted))
}

/// Text in a colour.
pub(crate) fn write<B: DrawingBackend>(
    area: &Area<B>,
    frame: &Frame,
    text: &str,
    at: (i32, i32),
    anchor: Pos,
    color: RGBColor,
) -> Result<(), DrawError> {
    let style = TextStyle::from((FONT, frame.px(12.0)).into_font()).color(&color).pos(anchor);
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(|e| DrawError(e.to_string()))
}
