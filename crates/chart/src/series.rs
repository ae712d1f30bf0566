//! Bands, lines, markers, direct labels, guides and the cursor.

use plotters::coord::Shift;
use plotters::element::{DashedPathElement, Drawable};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tokenyard_lab::{Figure, Guide, Series, Shape, Words};

use crate::axes::{label, write};
use crate::geometry::{Frame, spread};
use crate::palette::rgb;
use crate::{Dash, DrawError, Look};

type Area<B> = DrawingArea<B, Shift>;
type Drawn = Result<(), DrawError>;

/// Dash and gap of each style in CSS pixels; the first is solid.
const DASHES: [Option<(f64, f64)>; 6] =
    [None, Some((7.0, 4.0)), Some((14.0, 4.0)), Some((3.0, 3.0)), Some((10.0, 8.0)), Some((2.0, 6.0))];

pub(crate) fn draw<B: DrawingBackend>(
    area: &Area<B>,
    figure: &Figure,
    words: &Words,
    look: &Look,
    frame: &Frame,
    dash: &impl Dash,
) -> Drawn {
    for guide in &figure.guides {
        draw_guide(area, guide, words, look, frame, dash)?;
    }
    // Ghosts first, then from the last series to the first, so that the first is in front.
    let (ghosts, present): (Vec<&Series>, Vec<&Series>) = figure.series.iter().partition(|s| s.ghost);
    for series in ghosts.into_iter().chain(present.iter().rev().copied()) {
        // Markers belong to the observations where a line has some.
        draw_series(area, series, !present.iter().any(|s| observes(s, series)), look, frame, dash)?;
    }
    let named: Vec<&Series> =
        present.iter().copied().filter(|s| !present.iter().any(|line| observes(s, line))).collect();
    draw_labels(area, &named, words, look, frame)?;
    if let Some(at) = figure.cursor {
        let (x, style) = (frame.x(at), rgb(look.palette.accent).stroke_width(stroke(frame, 2.0)));
        put(area, PathElement::new(vec![(x, frame.top), (x, frame.bottom)], style))?;
    }
    Ok(())
}

/// Whether a series is the observations of a line: markers alone, in the line's style. They stand
/// on the line instead of its own markers and share its label.
fn observes(points: &Series, line: &Series) -> bool {
    points.shape == Shape::Points && line.shape != Shape::Points && points.style == line.style
}

fn put<B, E>(area: &Area<B>, element: E) -> Drawn
where
    B: DrawingBackend,
    for<'a> &'a E: plotters::element::PointCollection<'a, (i32, i32)>,
    E: Drawable<B>,
{
    area.draw(&element).map_err(|e| DrawError(e.to_string()))
}

fn stroke(frame: &Frame, css: f64) -> u32 {
    frame.px(css).unsigned_abs().max(1)
}

fn color(series: &Series, look: &Look) -> RGBColor {
    rgb(look.palette.series[usize::from(series.style.clamp(1, 6)) - 1])
}

fn draw_guide<B: DrawingBackend>(
    area: &Area<B>,
    guide: &Guide,
    words: &Words,
    look: &Look,
    frame: &Frame,
    dash: &impl Dash,
) -> Drawn {
    let y = frame.y(guide.y);
    let style = rgb(look.palette.muted).stroke_width(stroke(frame, 1.0));
    dashed(area, vec![(frame.left, y), (frame.right, y)], (4.0, 4.0), style, frame, dash)?;
    let at = (frame.left + frame.px(6.0), y - frame.px(3.0));
    label(area, look, frame, &words.say(&guide.label), at, (HPos::Left, VPos::Bottom))
}

fn dashed<B, D>(
    area: &Area<B>,
    points: Vec<(i32, i32)>,
    (length, gap): (f64, f64),
    style: ShapeStyle,
    frame: &Frame,
    dash: &D,
) -> Drawn
where
    B: DrawingBackend,
    D: Dash,
{
    let (length, gap) = (stroke(frame, length), stroke(frame, gap));
    if D::BY_BACKEND {
        dash.set(f64::from(length), f64::from(gap));
        put(area, PathElement::new(points, style))?;
        dash.set(0.0, 0.0);
        return Ok(());
    }
    put(area, DashedPathElement::new(points, length, gap, style))
}

fn draw_series<B: DrawingBackend>(
    area: &Area<B>,
    series: &Series,
    marked: bool,
    look: &Look,
    frame: &Frame,
    dash: &impl Dash,
) -> Drawn {
    let color = color(series, look);
    draw_band(area, series, color, frame)?;
    let points = path(series, frame);
    if series.shape == Shape::Points {
        return points.iter().try_for_each(|p| marker(area, series.style, *p, color, frame));
    }
    let style = if series.ghost {
        color.mix(0.35).stroke_width(stroke(frame, 1.5))
    } else {
        color.stroke_width(stroke(frame, 2.0))
    };
    match DASHES[usize::from(series.style.clamp(1, 6)) - 1] {
        Some(lengths) if points.len() > 1 => dashed(area, points, lengths, style, frame, dash)?,
        _ => put(area, PathElement::new(points, style))?,
    }
    if series.ghost || !marked {
        return Ok(());
    }
    // A few markers, so that a series is known without its colour and between its dashes.
    let every = (series.points.len() / 6).max(1);
    let marked = series.points.iter().skip(every / 2).step_by(every);
    marked.map(|p| frame.at(*p)).try_for_each(|p| marker(area, series.style, p, color, frame))
}

fn path(series: &Series, frame: &Frame) -> Vec<(i32, i32)> {
    let mut out: Vec<(i32, i32)> = Vec::with_capacity(series.points.len());
    for point in &series.points {
        let at = frame.at(*point);
        if let (Shape::Step, Some(last)) = (series.shape, out.last().copied()) {
            out.push((at.0, last.1));
        }
        out.push(at);
    }
    out
}

fn draw_band<B: DrawingBackend>(area: &Area<B>, series: &Series, color: RGBColor, frame: &Frame) -> Drawn {
    if series.band.is_empty() {
        return Ok(());
    }
    let xs = || series.points.iter().map(|p| p.0).zip(&series.band);
    if series.shape == Shape::Points {
        let style = color.stroke_width(stroke(frame, 1.5));
        return xs().try_for_each(|(x, (low, high))| {
            put(area, PathElement::new(vec![frame.at((x, *low)), frame.at((x, *high))], style))
        });
    }
    let upper = xs().map(|(x, (_, high))| frame.at((x, *high)));
    let lower = xs().rev().map(|(x, (low, _))| frame.at((x, *low)));
    put(area, Polygon::new(upper.chain(lower).collect::<Vec<_>>(), color.mix(0.2).filled()))
}

/// One marker per style: disc, triangle, square, cross, ring, diamond.
fn marker<B: DrawingBackend>(
    area: &Area<B>,
    style: u8,
    (x, y): (i32, i32),
    color: RGBColor,
    frame: &Frame,
) -> Drawn {
    let r = frame.px(3.5);
    let line = color.stroke_width(stroke(frame, 2.0));
    match style {
        1 => put(area, Circle::new((x, y), r, color.filled())),
        2 => put(area, Polygon::new(triangle((x, y), f64::from(r + frame.px(1.0))), color.filled())),
        3 => put(area, Rectangle::new([(x - r, y - r), (x + r, y + r)], color.filled())),
        4 => put(area, Cross::new((x, y), r, line)),
        5 => put(area, Circle::new((x, y), r, line)),
        _ => put(area, Polygon::new(vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)], color.filled())),
    }
}

/// Corners of an upright triangle around a point. plotters has one too, but it brings sine and
/// cosine into the module, 9 KB, which nothing else needs.
fn triangle((x, y): (i32, i32), size: f64) -> Vec<(i32, i32)> {
    let half_side = size * 0.75_f64.sqrt();
    let corner = |dx: f64, dy: f64| ((f64::from(x) + dx).ceil() as i32, (f64::from(y) + dy).ceil() as i32);
    vec![corner(0.0, -size), corner(-half_side, size / 2.0), corner(half_side, size / 2.0)]
}

fn draw_labels<B: DrawingBackend>(
    area: &Area<B>,
    series: &[&Series],
    words: &Words,
    look: &Look,
    frame: &Frame,
) -> Drawn {
    let ends: Vec<(&Series, i32)> =
        series.iter().filter_map(|s| s.points.last().map(|p| (*s, frame.y(p.1)))).collect();
    let heights: Vec<i32> = ends.iter().map(|e| e.1).collect();
    let places = spread(&heights, frame.px(14.0), frame.top, frame.bottom);
    for ((series, _), y) in ends.iter().zip(places) {
        let at = (frame.right + frame.px(6.0), y);
        let text = words.say(&series.short);
        write(area, frame, &text, at, Pos::new(HPos::Left, VPos::Center), color(series, look))?;
    }
    Ok(())
}
