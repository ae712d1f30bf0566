//! A chart as bare SVG elements, to be put into a document of one's own.
//!
//! `plotters` has an SVG backend too. Its documents are several times as large, since every dash
//! is an element, and its labels hang on the x-height of whatever font the reader has, a little
//! higher or lower in each program. Here dashes are an attribute, and every place is a number.

use std::cell::Cell;
use std::convert::Infallible;
use std::fmt::Write as _;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle};
use plotters_backend::{DrawingBackend, DrawingErrorKind};
use tokenyard_lab::markup::escape;
use tokenyard_lab::{Figure, Words};

use crate::palette::themed;
use crate::{Dash, DrawError, Look, Room, Theme, draw_in};

/// Steps per CSS pixel: curves bend at quarters of a pixel, so that they are smooth in print.
const FINE: u32 = 4;

/// Draws a figure of `width` × `height` CSS pixels as SVG elements without a document around them,
/// from the origin. Labels lie over everything, each on a rim in the colour of the card, so that a line
/// that crosses one does not hide it. Fonts come from the element that they are put into; shapes that are not filled
/// say so. The same figure and size give the same bytes on every machine. Cost: O(points).
///
/// # Errors
/// As [`crate::draw`].
pub fn elements(
    figure: &Figure,
    words: &Words,
    theme: Theme,
    (width, height): (u32, u32),
    room: Room,
) -> Result<String, DrawError> {
    let mut out = String::new();
    let dashes = Dashes(Cell::new((0.0, 0.0)));
    let look = Look { palette: theme.palette(), scale: f64::from(FINE) };
    let size = (width.saturating_mul(FINE), height.saturating_mul(FINE));
    let mut labels = String::new();
    let backend = Elements { out: &mut out, labels: &mut labels, size, dashes: &dashes };
    draw_in(backend, figure, words, &look, room, &dashes)?;
    let [r, g, b] = look.palette.card;
    let _ = write!(
        out,
        "<g stroke=\"#{r:02x}{g:02x}{b:02x}\" stroke-width=\"3\" paint-order=\"stroke\">\n{labels}</g>\n"
    );
    Ok(if theme == Theme::Page { themed(&out) } else { out })
}

/// Dash and gap of the lines that come next, in steps.
struct Dashes(Cell<(f64, f64)>);

impl Dash for Dashes {
    const BY_BACKEND: bool = true;

    fn set(&self, dash: f64, gap: f64) {
        self.0.set((dash, gap));
    }
}

struct Elements<'a> {
    out: &'a mut String,
    labels: &'a mut String,
    size: (u32, u32),
    dashes: &'a Dashes,
}

/// What a backend's functions give back here: writing to a text cannot fail.
type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Elements<'_> {
    /// A number of steps in CSS pixels: at most two decimals, no trailing zeros.
    fn number(&mut self, steps: i32) {
        let fine = FINE.cast_signed();
        let (whole, part) = (steps.div_euclid(fine), steps.rem_euclid(fine));
        // Below zero the parts count downwards: -0.25 is -1 whole and 3 parts.
        if steps < 0 && part > 0 {
            self.out.push('-');
            self.number(-steps);
            return;
        }
        let _ = write!(self.out, "{whole}");
        self.out.push_str(["", ".25", ".5", ".75"].get(part.unsigned_abs() as usize).unwrap_or(&""));
    }

    fn attribute(&mut self, name: &str, steps: i32) {
        let _ = write!(self.out, " {name}=\"");
        self.number(steps);
        self.out.push('"');
    }

    /// A colour under a name, and how much of it is seen if it is not all.
    fn color(&mut self, name: &str, color: BackendColor) {
        let (r, g, b) = color.rgb;
        let _ = write!(self.out, " {name}=\"#{r:02x}{g:02x}{b:02x}\"");
        if color.alpha < 1.0 {
            let _ = write!(self.out, " {name}-opacity=\"{}\"", color.alpha);
        }
    }

    fn points(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        self.out.push_str(" points=\"");
        let mut last = None;
        for (x, y) in points {
            if last == Some((x, y)) {
                continue;
            }
            if last.is_some() {
                self.out.push(' ');
            }
            self.number(x);
            self.out.push(',');
            self.number(y);
            last = Some((x, y));
        }
        self.out.push('"');
    }

    fn stroke<S: BackendStyle>(&mut self, style: &S) {
        self.color("stroke", style.color());
        self.attribute("stroke-width", steps(f64::from(style.stroke_width())));
        let (dash, gap) = self.dashes.0.get();
        if gap > 0.0 {
            self.out.push_str(" stroke-dasharray=\"");
            self.number(steps(dash));
            self.out.push(' ');
            self.number(steps(gap));
            self.out.push('"');
        }
    }

    fn end(&mut self) -> Drawn {
        self.out.push_str("/>\n");
        Ok(())
    }
}

fn steps(length: f64) -> i32 {
    length.round() as i32
}

impl DrawingBackend for Elements<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.out.push_str("<rect");
        for (name, value) in [("x", left), ("y", top), ("width", right - left), ("height", bottom - top)] {
            self.attribute(name, value);
        }
        if fill {
            self.color("fill", style.color())
        } else {
            self.stroke(style)
        }
        self.end()
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.out.push_str("<polyline");
        self.stroke(style);
        self.points(path);
        self.end()
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        self.out.push_str("<polygon");
        self.color("fill", style.color());
        self.points(corners);
        self.end()
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.out.push_str("<circle");
        for (name, value) in [("cx", x), ("cy", y), ("r", i32::try_from(radius).unwrap_or(i32::MAX))] {
            self.attribute(name, value);
        }
        if fill {
            self.color("fill", style.color())
        } else {
            self.stroke(style)
        }
        self.end()
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let anchor = style.anchor();
        // From the anchored edge to the base line, in shares of the size: close for every font.
        let down = match anchor.v_pos {
            VPos::Top => 0.78,
            VPos::Center => 0.36,
            VPos::Bottom => -0.22,
        };
        // What is written now goes to the labels.
        std::mem::swap(self.out, self.labels);
        self.out.push_str("<text");
        self.attribute("x", x);
        self.attribute("y", y + steps(style.size() * down));
        self.attribute("font-size", steps(style.size()));
        match anchor.h_pos {
            HPos::Left => {}
            HPos::Center => self.out.push_str(" text-anchor=\"middle\""),
            HPos::Right => self.out.push_str(" text-anchor=\"end\""),
        }
        self.color("fill", style.color());
        self.out.push('>');
        escape(text, self.out);
        self.out.push_str("</text>\n");
        std::mem::swap(self.out, self.labels);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_quarters_without_trailing_zeros() {
        let (mut out, dashes) = (String::new(), Dashes(Cell::new((0.0, 0.0))));
        let mut labels = String::new();
        let mut backend = Elements { out: &mut out, labels: &mut labels, size: (1, 1), dashes: &dashes };
        for steps in [0, 1, 2, 3, 4, 401, -1, -4, -6] {
            backend.number(steps);
            backend.out.push(' ');
        }
        assert_eq!(out, "0 0.25 0.5 0.75 1 100.25 -0.25 -1 -1.5 ");
    }
}
