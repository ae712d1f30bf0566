//! The figure from top to foot.

use tokenyard_chart::{DrawError, Palette, Room, elements};
use tokenyard_lab::{Axis, Figure};

use crate::carry;
use crate::pen::{Ink, Pen};
use crate::shot::{BETWEEN, Shot};
use crate::table;
use crate::width::Face;

/// Width of every figure in pixels; the height follows from what it shows.
pub const WIDTH: u32 = 800;

/// From the edge of the card to what stands on it.
pub(crate) const EDGE: u32 = 28;

/// Width of what stands on the card.
pub(crate) const INNER: u32 = WIDTH - 2 * EDGE;

/// From the edge of a chart to the name of its vertical axis.
const INSET: u32 = 8;

/// Heights of the first chart and of the second.
const HEIGHTS: [u32; 2] = [230, 200];

const SERIF: &str = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif', 'Noto Serif CJK JP', Georgia, 'DejaVu Serif', serif";
const SANS: &str =
    "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK JP', 'DejaVu Sans', sans-serif";

/// On what the figure will lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// A light card, for paper and light pages.
    Light,
    /// A dark card.
    Dark,
}

impl Theme {
    fn of_charts(self) -> tokenyard_chart::Theme {
        match self {
            Self::Light => tokenyard_chart::Theme::Light,
            Self::Dark => tokenyard_chart::Theme::Dark,
        }
    }
}

/// The whole document.
pub(crate) fn document(shot: &Shot, theme: Theme, address: Option<&str>) -> Result<String, DrawError> {
    let palette = theme.of_charts().palette();
    let mut pen = Pen::new(palette, EDGE);
    heading(&mut pen, shot);
    let room = room(shot);
    for (figure, height) in shot.figures.iter().zip(HEIGHTS) {
        chart(&mut pen, shot, figure, theme, (height, room))?;
    }
    sentence(&mut pen, shot);
    table::draw(&mut pen, shot);
    foot(&mut pen, shot, address);
    let out = around(shot, palette, pen.y + EDGE - 4, &pen.out);
    Ok(out.replace(|c: char| !is_xml(c), "\u{fffd}"))
}

/// Whether a character may stand in an XML document at all; a reader can type some that may not.
fn is_xml(c: char) -> bool {
    !c.is_control() && c != '\u{fffe}' && c != '\u{ffff}' || c == '\n'
}

/// Root, names for readers who do not see it, the state, the card.
fn around(shot: &Shot, palette: Palette, height: u32, body: &str) -> String {
    let mut pen = Pen::new(palette, 0);
    let (width, tall) = (WIDTH.to_string(), height.to_string());
    let view = format!("0 0 {WIDTH} {height}");
    let root = [
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("width", width.as_str()),
        ("height", &tall),
        ("viewBox", &view),
        ("role", "img"),
        ("lang", shot.words.get("shot.language")),
        ("font-family", SANS),
    ];
    pen.open("svg", &root);
    pen.out.push('\n');
    pen.element("title", &shot.title());
    pen.element("desc", &shot.description());
    pen.out.push_str(&carry::element(&shot.carried()));
    pen.out.push('\n');
    let (inner, tall) = ((WIDTH - 1).to_string(), height.saturating_sub(1).to_string());
    let (card, line) = (Pen::hex(palette.card), Pen::hex(palette.line));
    pen.shape(
        "rect",
        &[
            ("x", "0.5"),
            ("y", "0.5"),
            ("width", &inner),
            ("height", &tall),
            ("rx", "10"),
            ("fill", &card),
            ("stroke", &line),
        ],
    );
    pen.out.push_str(body);
    pen.close("svg");
    pen.out
}

fn heading(pen: &mut Pen, shot: &Shot) {
    pen.open("g", &[("font-family", SERIF)]);
    pen.out.push('\n');
    let face = Face::bold(26);
    pen.lines(&face.balanced(&shot.title(), INNER), EDGE, face, Ink::Full);
    pen.y += 2;
    pen.paragraph(&shot.words.at(&["question"]), EDGE, INNER, Face::of(17), Ink::Muted);
    pen.close("g");
    pen.y += 16;
}

fn chart(
    pen: &mut Pen,
    shot: &Shot,
    figure: &Figure,
    theme: Theme,
    (height, room): (u32, Room),
) -> Result<(), DrawError> {
    pen.paragraph(&shot.chart(figure), EDGE, INNER, Face::bold(14), Ink::Full);
    // A chart writes the name of its vertical axis 8 pixels from its edge: here it stands under the title.
    let drawn = elements(figure, shot.words, theme.of_charts(), (INNER + INSET, height), room)?;
    let place = format!("translate({} {})", EDGE - INSET, pen.y);
    pen.open("g", &[("transform", &place), ("fill", "none"), ("stroke-linejoin", "round")]);
    pen.out.push('\n');
    pen.out.push_str(&drawn);
    pen.close("g");
    pen.y += height + 14;
    Ok(())
}

/// Room for the longest number of a vertical axis and the longest short name of any chart, so that
/// their plots stand under each other; but never more than two fifths of the width on a side.
fn room(shot: &Shot) -> Room {
    let (face, words) = (Face::of(12), shot.words);
    let longest = |texts: &mut dyn Iterator<Item = String>| texts.map(|t| face.width(&t)).max().unwrap_or(0);
    let marks =
        |axis: &Axis| -> u32 { longest(&mut axis.ticks.iter().map(|at| axis.mark(*at, axis.digits, words))) };
    let (mut left, mut right) = (24, 40);
    for figure in &shot.figures {
        let named = figure.series.iter().filter(|series| !series.ghost);
        left = left.max(marks(&figure.y) + 8);
        // The last number of the horizontal axis stands half over the edge of the plot.
        right = right.max(longest(&mut named.map(|s| words.say(&s.short))) + 8).max(marks(&figure.x) / 2);
    }
    let most = INNER * 2 / 5;
    Room { left: INSET + left.min(most), right: right.min(most) }
}

/// The sentence of the step, beside a bar in the colour of the charts' cursor.
fn sentence(pen: &mut Pen, shot: &Shot) {
    let top = pen.y;
    pen.open("g", &[("font-family", SERIF)]);
    pen.out.push('\n');
    pen.paragraph(&shot.sentence(), EDGE + 16, INNER - 16, Face::of(16), Ink::Full);
    pen.close("g");
    let (x, y, height) = (EDGE.to_string(), top.to_string(), (pen.y - top).to_string());
    let color = Pen::hex(pen.palette.accent);
    pen.shape("rect", &[("x", &x), ("y", &y), ("width", "3"), ("height", &height), ("fill", &color)]);
    pen.y += 16;
}

/// Where the figure is from and from what it was computed.
fn foot(pen: &mut Pen, shot: &Shot, address: Option<&str>) {
    pen.y += 14;
    let face = Face::of(13);
    let facts = [shot.words.at(&["site"]), shot.facts()].join(BETWEEN);
    pen.paragraph(&facts, EDGE, INNER, face, Ink::Muted);
    let Some(address) = address.map(str::trim).filter(|text| !text.is_empty()) else { return };
    let is_link = ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme));
    if is_link {
        pen.open("a", &[("href", address)]);
        pen.out.push('\n');
    }
    pen.paragraph(address, EDGE, INNER, face, Ink::Muted);
    if is_link {
        pen.close("a");
    }
}
