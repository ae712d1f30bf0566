//! The summary table: every variant, every figure.

use tokenyard_lab::{Arg, Column, Row, Words};

use crate::page::{EDGE, INNER};
use crate::pen::{Edge, Ink, Pen};
use crate::shot::Shot;
use crate::width::Face;

const HEAD: Face = Face::bold(13);
const NAME: Face = Face::of(14);
const BEST: Face = Face::bold(14);

/// Space between the edge of the table and its text.
const PAD: u32 = 10;
/// Room for a line in the style of a series, with the space after it.
const SWATCH: u32 = 34;
/// Space between two columns.
const GAP: u32 = 18;
/// Widths at which headings are broken, the first that leaves enough room for the names.
const HEADS: [u32; 6] = [130, 112, 100, 88, 76, 64];
/// Room that the names of the variants have in any case, if they need it.
const NAMES: u32 = 230;

/// A column of figures.
struct Figures {
    /// The heading in lines.
    head: Vec<String>,
    /// Each row's figure, and whether it is the best one.
    cells: Vec<(String, bool)>,
    width: u32,
    /// Place of its right edge.
    right: u32,
}

/// Draws the table of a shot over the whole width.
pub(crate) fn draw(pen: &mut Pen, shot: &Shot) {
    let columns = columns(shot);
    let end = columns.first().map_or(EDGE + INNER, |column| column.right.saturating_sub(column.width + GAP));
    let names = end.saturating_sub(EDGE + PAD + SWATCH);
    heads(pen, shot.words, &columns);
    for (at, row) in shot.table.rows.iter().enumerate() {
        let cells: Vec<_> = columns.iter().filter_map(|c| Some((c.cells.get(at)?, c.right))).collect();
        draw_row(pen, shot, row, names, &cells);
    }
}

/// Columns from the right edge. Headings are broken into more lines until the longest name has its
/// room, or as much as a name is given at most; no word of a heading is broken for it.
fn columns(shot: &Shot) -> Vec<Figures> {
    let names = shot.table.rows.iter().map(|row| NAME.width(&shot.words.say(&row.name)));
    let room = INNER - 2 * PAD - SWATCH - names.max().unwrap_or(0).min(NAMES);
    let with = |head: u32| -> Vec<Figures> {
        shot.lab.columns.iter().enumerate().map(|(at, column)| figures(shot, column, at, head)).collect()
    };
    let fits = |columns: &Vec<Figures>| columns.iter().map(|c| c.width + GAP).sum::<u32>() <= room;
    let mut columns = HEADS.iter().map(|head| with(*head)).find(fits).unwrap_or_else(|| with(0));
    let mut right = EDGE + INNER - PAD;
    for column in columns.iter_mut().rev() {
        column.right = right;
        right = right.saturating_sub(column.width + GAP);
    }
    columns
}

/// A column whose heading is broken at `room` pixels, or at the width of its figures or of its longest
/// word.
fn figures(shot: &Shot, column: &Column, at: usize, room: u32) -> Figures {
    let best = best(shot, column, at);
    let value = |row: &Row| row.cells.get(at).copied().unwrap_or_default();
    let cell = |row: &Row| (cell(shot.words, column, value(row)), best == Some(value(row)));
    let cells: Vec<(String, bool)> = shot.table.rows.iter().map(cell).collect();
    let widest = cells.iter().map(|(text, _)| BEST.width(text)).max().unwrap_or(0);
    let heading = shot.words.at(&["col", column.key]);
    let head = HEAD.balanced(&heading, room.max(widest).max(HEAD.longest(&heading)));
    let heading = head.iter().map(|line| HEAD.width(line)).max().unwrap_or(0);
    Figures { head, cells, width: widest.max(heading), right: 0 }
}

/// One figure as text, from the exact double.
fn cell(words: &Words, column: &Column, value: f64) -> String {
    words.arg(&match column.digits {
        Some(digits) => Arg::Fixed(value, digits),
        None => Arg::Percent(value),
    })
}

/// The best figure of a column, where better has a meaning and not all are equal.
fn best(shot: &Shot, column: &Column, at: usize) -> Option<f64> {
    let smaller = column.smaller_is_better?;
    let values = || shot.table.rows.iter().filter_map(|row| row.cells.get(at).copied());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    (low < high).then_some(if smaller { low } else { high })
}

/// Headings stand on the line under them.
fn heads(pen: &mut Pen, words: &Words, columns: &[Figures]) {
    let lines = columns.iter().map(|c| c.head.len()).max().unwrap_or(1).max(1);
    let line = |i: usize| u32::try_from(i).unwrap_or(0) * HEAD.line();
    let base = |pen: &Pen, of: usize, i: usize| pen.y + line(lines - of + i) + HEAD.base();
    let first = (EDGE + PAD, base(pen, 1, 0));
    pen.text(&words.at(&["table.variant"]), first, HEAD, Ink::Full, Edge::Left);
    for column in columns {
        for (i, text) in column.head.iter().enumerate() {
            pen.text(text, (column.right, base(pen, column.head.len(), i)), HEAD, Ink::Full, Edge::Right);
        }
    }
    pen.y += line(lines) + 5;
    rule(pen);
}

fn rule(pen: &mut Pen) {
    let (x1, x2, y) = (EDGE.to_string(), (EDGE + INNER).to_string(), format!("{}.5", pen.y));
    let color = Pen::hex(pen.palette.line);
    pen.shape("line", &[("x1", &x1), ("x2", &x2), ("y1", &y), ("y2", &y), ("stroke", &color)]);
    pen.y += 1;
}

fn draw_row(pen: &mut Pen, shot: &Shot, row: &Row, room: u32, cells: &[(&(String, bool), u32)]) {
    let name = NAME.lines(&shot.words.say(&row.name), room);
    let height = u32::try_from(name.len().max(1)).unwrap_or(1) * NAME.line() + 11;
    if row.lane == Some(0) {
        let (x, y, width, tall) =
            (EDGE.to_string(), pen.y.to_string(), INNER.to_string(), height.to_string());
        let color = Pen::hex(pen.palette.accent);
        let place = [("x", x.as_str()), ("y", &y), ("width", &width), ("height", &tall)];
        pen.shape("rect", &[&place[..], &[("fill", &color), ("fill-opacity", "0.12")]].concat());
    }
    swatch(pen, row.style, (EDGE + PAD, pen.y + 6 + NAME.line() / 2));
    for (i, line) in (0..).zip(&name) {
        let at = (EDGE + PAD + SWATCH, pen.y + 5 + i * NAME.line() + NAME.base());
        pen.text(line, at, NAME, Ink::Full, Edge::Left);
    }
    for ((text, best), right) in cells {
        let face = if *best { BEST } else { NAME };
        pen.text(text, (*right, pen.y + 5 + NAME.base()), face, Ink::Full, Edge::Right);
    }
    pen.y += height;
    rule(pen);
}

/// A line in the colour and dash of a series, with its marker, as charts draw them.
fn swatch(pen: &mut Pen, style: u8, (x, y): (u32, u32)) {
    let style = usize::from(style.clamp(1, 6)) - 1;
    let color = Pen::hex(pen.palette.series.get(style).copied().unwrap_or(pen.palette.ink));
    let card = Pen::hex(pen.palette.card);
    let place = format!("translate({x} {y})");
    pen.open("g", &[("transform", &place), ("stroke", &color), ("stroke-width", "2")]);
    let dash = DASHES.get(style).copied().unwrap_or_default();
    pen.shape("path", &[("d", "M0 0h24"), ("stroke-dasharray", dash)]);
    let d = MARKERS.get(style).copied().unwrap_or_default();
    let open = matches!(style, 3 | 4);
    let (fill, stroke) = if open { (card.as_str(), color.as_str()) } else { (color.as_str(), "none") };
    pen.shape("path", &[("d", d), ("fill", fill), ("stroke", stroke)]);
    pen.close("g");
}

/// Dash and gap of each style.
const DASHES: [&str; 6] = ["none", "7 4", "14 4", "3 3", "10 8", "2 6"];

/// Disc, triangle, square, cross, ring, diamond, around the middle of the line.
const MARKERS: [&str; 6] = [
    "M8.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
    "M12-4l4 7H8z",
    "M8.5-3.5h7v7h-7z",
    "M9-3l6 6M15-3l-6 6",
    "M9 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
    "M12-4l4 4-4 4-4-4z",
];
