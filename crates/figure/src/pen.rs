//! SVG as text, escaped by construction, from the top of a figure to its foot.

use std::fmt::Write as _;

use tokenyard_chart::Palette;
use tokenyard_lab::markup::escape;

use crate::width::Face;

/// Colours of the figure's own text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Full,
    Muted,
}

/// Which edge of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Left,
    Right,
}

/// A growing document and the height it has reached.
pub(crate) struct Pen {
    pub(crate) out: String,
    /// Where the next thing begins, in pixels from the top.
    pub(crate) y: u32,
    pub(crate) palette: Palette,
}

impl Pen {
    pub(crate) fn new(palette: Palette, y: u32) -> Self {
        Self { out: String::new(), y, palette }
    }

    /// A colour as SVG writes it.
    pub(crate) fn hex([r, g, b]: [u8; 3]) -> String {
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// An element with attributes and nothing in it.
    pub(crate) fn shape(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        self.open(tag, attributes);
        self.out.truncate(self.out.len() - 1);
        self.out.push_str("/>\n");
    }

    /// The beginning of an element; [`Pen::close`] ends it.
    pub(crate) fn open(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"");
            escape(value, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
    }

    pub(crate) fn close(&mut self, tag: &str) {
        let _ = writeln!(self.out, "</{tag}>");
    }

    /// An element with text in it.
    pub(crate) fn element(&mut self, tag: &str, text: &str) {
        self.open(tag, &[]);
        escape(text, &mut self.out);
        self.close(tag);
    }

    /// One line of text with its base line at `y`.
    pub(crate) fn text(&mut self, text: &str, (x, y): (u32, u32), face: Face, ink: Ink, edge: Edge) {
        let color = Self::hex(if ink == Ink::Full { self.palette.ink } else { self.palette.muted });
        let (x, y, size) = (x.to_string(), y.to_string(), face.size.to_string());
        let mut attributes = vec![("x", x.as_str()), ("y", y.as_str()), ("font-size", size.as_str())];
        if face.bold {
            attributes.push(("font-weight", "700"));
        }
        if edge == Edge::Right {
            attributes.push(("text-anchor", "end"));
        }
        attributes.push(("fill", &color));
        self.open("text", &attributes);
        escape(text, &mut self.out);
        self.close("text");
    }

    /// A text in lines that are at most `room` wide, and the height moved below it.
    pub(crate) fn paragraph(&mut self, text: &str, x: u32, room: u32, face: Face, ink: Ink) {
        self.lines(&face.lines(text, room), x, face, ink);
    }

    /// Lines of text, and the height moved below them.
    pub(crate) fn lines(&mut self, lines: &[String], x: u32, face: Face, ink: Ink) {
        for line in lines {
            self.text(line, (x, self.y + face.base()), face, ink, Edge::Left);
            self.y += face.line();
        }
    }
}

impl Face {
    /// From the top of a line to its base line.
    pub(crate) fn base(self) -> u32 {
        self.size + self.size / 12
    }

    /// From one line to the next.
    pub(crate) fn line(self) -> u32 {
        self.size * 7 / 5
    }
}
