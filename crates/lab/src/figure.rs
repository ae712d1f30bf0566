//! A chart as plain numbers. `tokenyard-chart` draws it; the page prints it as a table too.

use tokenyard_det::format;

use crate::msg::Msg;
use crate::words::Words;

/// One axis with round ticks, chosen by [`Axis::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: Msg,
    /// Smallest value shown.
    pub min: f64,
    /// Largest value shown, greater than `min`.
    pub max: f64,
    /// Values with a tick and a number.
    pub ticks: Vec<f64>,
    /// Decimals of the numbers.
    pub digits: u8,
    /// Values that show words instead of their number: a place on the axis that is no number.
    pub named: Vec<(f64, Msg)>,
}

impl Axis {
    /// An axis from `min` to at least `max`, with at most about five round steps.
    #[must_use]
    pub fn new(label: Msg, min: f64, max: f64) -> Self {
        let span = if max > min { max - min } else { 1.0 };
        let (step, digits) = round_step(span / 5.0);
        let first = (min / step).ceil();
        let last = ((min + span) / step).ceil();
        let count = (last - first) as u32 + 1;
        let ticks: Vec<f64> = (0..count).map(|i| (first + f64::from(i)) * step).collect();
        let top = ticks.last().copied().unwrap_or(max);
        Self { label, min, max: top.max(min + span), ticks, digits, named: Vec::new() }
    }

    /// As [`Axis::new`], but ending exactly at `max`: for time, which stops when the run does.
    #[must_use]
    pub fn exact(label: Msg, min: f64, max: f64) -> Self {
        let mut axis = Self::new(label, min, max);
        axis.max = if max > min { max } else { min + 1.0 };
        axis.ticks.retain(|t| *t <= axis.max);
        axis
    }

    /// What stands beside a value of the axis: its words, else its number with `digits`
    /// decimals.
    #[must_use]
    pub fn mark(&self, value: f64, digits: u8, words: &Words) -> String {
        if let Some((_, name)) = self.named.iter().find(|(at, _)| *at == value) {
            return words.say(name);
        }
        let plain = format::fixed(value, usize::from(digits));
        format::separate(&plain, words.get("number.group"), words.get("number.decimal"))
    }
}

/// The smallest of 1, 2, 5 × 10^k that is at least `raw`, and its decimals.
fn round_step(raw: f64) -> (f64, u8) {
    let mut power = 1.0_f64;
    let mut digits = 0_u8;
    while power * 10.0 <= raw {
        power *= 10.0;
    }
    while power > raw && digits < 6 {
        power /= 10.0;
        digits += 1;
    }
    for factor in [1.0, 2.0, 5.0, 10.0] {
        if factor * power >= raw {
            let whole = factor == 10.0;
            return (factor * power, if whole { digits.saturating_sub(1) } else { digits });
        }
    }
    (10.0 * power, digits)
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Straight lines from point to point.
    Line,
    /// Holds its value until the next point.
    Step,
    /// Markers alone.
    Points,
}

/// One series.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name, for the table twin.
    pub name: Msg,
    /// Short name, written beside the line.
    pub short: Msg,
    /// 1 to 6: colour, dash and marker together.
    pub style: u8,
    /// How it is drawn.
    pub shape: Shape,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
    /// Low and high of each point, where it has a band.
    pub band: Vec<(f64, f64)>,
    /// A future that did not happen: drawn pale, without a label.
    pub ghost: bool,
    /// Would answer the prediction: left out until the reader guessed or skipped.
    pub answers: bool,
}

impl Series {
    /// A line without a band.
    #[must_use]
    pub fn line(name: Msg, short: Msg, style: u8, points: Vec<(f64, f64)>) -> Self {
        let (band, shape) = (Vec::new(), Shape::Line);
        Self { name, short, style, shape, points, band, ghost: false, answers: false }
    }
}

/// A horizontal line that is not data: a limit, an estimate, the reader's guess.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// Height.
    pub y: f64,
    /// Written at its left end.
    pub label: Msg,
}

/// A place where something crosses a guide, read off the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Place on the horizontal axis.
    pub x: f64,
    /// Height.
    pub y: f64,
    /// A short number, written beside it: five digits have room.
    pub label: Msg,
    /// 1 to 6: the style of the series that it belongs to.
    pub style: u8,
    /// Would answer the prediction: left out until the reader guessed or skipped.
    pub answers: bool,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Names the chart within its lab: caption at `figure.<id>`.
    pub id: &'static str,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Series, the first ones in front.
    pub series: Vec<Series>,
    /// Horizontal guides.
    pub guides: Vec<Guide>,
    /// Marked places.
    pub pins: Vec<Pin>,
    /// Position of the linked cursor on the horizontal axis.
    pub cursor: Option<f64>,
    /// One sentence that says what the chart shows.
    pub summary: Msg,
}

impl Figure {
    /// Without the series and pins that would answer the prediction.
    #[must_use]
    pub fn covered(mut self) -> Self {
        self.series.retain(|s| !s.answers);
        self.pins.retain(|p| !p.answers);
        self
    }

    /// The rows of the table twin: every `x` of any series and the value of each series there,
    /// at most `rows` of them, evenly thinned with first and last kept.
    #[must_use]
    pub fn twin(&self, rows: usize) -> Vec<(f64, Vec<Option<f64>>)> {
        let mut xs: Vec<f64> = self.series.iter().flat_map(|s| s.points.iter().map(|p| p.0)).collect();
        tokenyard_det::stat::sort(&mut xs);
        xs.dedup();
        let last = xs.len().saturating_sub(1);
        let picked = rows.min(xs.len());
        let at = |i: usize| if picked < 2 { 0 } else { i * last / (picked - 1) };
        let value = |s: &Series, x: f64| s.points.iter().find(|p| p.0 == x).map(|p| p.1);
        (0..picked)
            .map(|i| xs[at(i)])
            .map(|x| (x, self.series.iter().map(|s| value(s, x)).collect()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::msg::msg;

    #[test]
    fn axes_have_round_ticks_that_cover_the_data() {
        let axis = Axis::new(msg("y"), 0.0, 21.0);
        assert_eq!(axis.ticks, [0.0, 5.0, 10.0, 15.0, 20.0, 25.0]);
        assert_eq!((axis.max, axis.digits), (25.0, 0));
        let small = Axis::new(msg("y"), 0.0, 0.9);
        assert_eq!((small.ticks.len(), small.digits), (6, 1));
        let flat = Axis::new(msg("y"), 0.0, 0.0);
        assert!(flat.max > flat.min);
        let time = Axis::exact(msg("x"), 1.0, 90.0);
        assert_eq!((time.max, time.ticks.last().copied()), (90.0, Some(80.0)));
    }

    #[test]
    fn a_named_value_shows_its_words_and_the_others_their_number() {
        let axis = Axis { named: vec![(3.0, msg("none"))], ..Axis::new(msg("x"), 0.0, 3.0) };
        let words: Words = [("none".to_owned(), "never".to_owned())].into_iter().collect();
        assert_eq!([2.0, 3.0].map(|v| axis.mark(v, 0, &words)), ["2", "never"]);
    }

    #[test]
    fn the_twin_is_thinned_and_keeps_both_ends() {
        let points = (0..100).map(|i| (f64::from(i), 1.0)).collect();
        let figure = Figure {
            id: "f",
            x: Axis::new(msg("x"), 0.0, 99.0),
            y: Axis::new(msg("y"), 0.0, 1.0),
            series: vec![Series::line(msg("s"), msg("s"), 1, points)],
            guides: Vec::new(),
            pins: Vec::new(),
            cursor: None,
            summary: msg("m"),
        };
        let rows = figure.twin(10);
        assert_eq!((rows.len(), rows[0].0, rows[9].0), (10, 0.0, 99.0));
        assert!(figure.covered().twin(0).is_empty());
    }
}
