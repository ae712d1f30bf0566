//! The histogram as markup: upright bars for numbers, lying ones with their words for options.

use tokenyard_lab::{Arg, Markup, Words, msg};

use super::bins::{Bin, Bins};
use crate::widgets::table::heads;

/// Sizes of an upright histogram in its own units.
pub(super) struct Sheet {
    /// Class of the drawing with its sentences.
    pub(super) class: &'static str,
    width: f64,
    height: f64,
    font: f64,
    /// Most bars that it has room for.
    pub(super) most: u32,
}

/// For a projector.
pub(super) const WIDE: Sheet =
    Sheet { class: "answers-wide", width: 960.0, height: 400.0, font: 22.0, most: 24 };
/// For a phone.
pub(super) const NARROW: Sheet =
    Sheet { class: "answers-narrow", width: 320.0, height: 280.0, font: 18.0, most: 12 };

/// Width of a digit in parts of the font's size, rather too much than too little: nothing is measured.
const DIGIT: f64 = 0.62;

/// The guesses of a bar in words; `labels` are those of all guesses.
pub(super) fn range(bin: Bin, labels: &[String]) -> String {
    let end = |index: u32| labels.get(index as usize).map_or("", String::as_str);
    match bin.first == bin.last {
        true => end(bin.first).to_owned(),
        false => format!("{}–{}", end(bin.first), end(bin.last)),
    }
}

/// Upright bars with counts over them and ranges below, and the right answer marked by a line, a wedge and
/// `right`, its words.
pub(super) fn upright(
    m: &mut Markup,
    bins: &Bins,
    ranges: &[String],
    right: &str,
    name: &str,
    sheet: &Sheet,
) {
    let plot = Plot::of(bins, ranges, sheet);
    let view = format!("0 0 {} {}", sheet.width, sheet.height);
    let attrs = [("viewBox", &*view), ("role", "img"), ("aria-label", name)];
    m.el("svg", &attrs, |m| {
        for (i, bin) in bins.bins.iter().enumerate() {
            plot.bar(m, i, *bin, bins.right == Some(i));
        }
        let (left, right_end) = (plot.left.to_string(), (sheet.width - plot.left).to_string());
        let base = plot.base.to_string();
        m.shape(
            "line",
            &[("class", "answers-base"), ("x1", &left), ("x2", &right_end), ("y1", &base), ("y2", &base)],
        );
        for (i, range) in ranges.iter().enumerate().step_by(plot.every) {
            plot.words(m, "answers-range", (plot.middle(i), plot.base + sheet.font * 1.35), "middle", range);
        }
        if let Some(at) = bins.right {
            plot.mark(m, at, bins.bins[at].learners, right);
        }
    });
}

struct Plot<'a> {
    sheet: &'a Sheet,
    left: f64,
    slot: f64,
    base: f64,
    top: f64,
    /// Learners of the highest bar, at least one.
    highest: f64,
    /// Every so many bars have room for their range.
    every: usize,
}

impl<'a> Plot<'a> {
    fn of(bins: &Bins, ranges: &[String], sheet: &'a Sheet) -> Self {
        let longest = ranges.iter().map(|range| range.chars().count()).max().unwrap_or(0) as f64;
        let label = (longest + 1.0) * DIGIT * sheet.font;
        let n = bins.bins.len().max(1) as f64;
        let least = sheet.font * 0.5;
        // The outermost ranges are wider than their bars.
        let slot = ((sheet.width - 2.0 * least) / n).min((sheet.width - label).max(1.0) / (n - 1.0).max(1.0));
        let slot = slot.min(sheet.width / 6.0);
        let every = (label / slot).ceil().max(1.0) as usize;
        let highest = bins.bins.iter().map(|bin| bin.learners).max().unwrap_or(0).max(1);
        Self {
            sheet,
            left: (sheet.width - n * slot) / 2.0,
            slot,
            base: sheet.height - sheet.font * 2.0,
            top: sheet.font * 4.0,
            highest: f64::from(highest),
            every,
        }
    }

    fn middle(&self, i: usize) -> f64 {
        self.left + self.slot * (i as f64 + 0.5)
    }

    fn height(&self, learners: u32) -> f64 {
        (self.base - self.top) * f64::from(learners) / self.highest
    }

    fn bar(&self, m: &mut Markup, i: usize, bin: Bin, right: bool) {
        if bin.learners == 0 {
            return;
        }
        let (height, width) = (self.height(bin.learners), self.slot * 0.84);
        let [x, y, w, h] =
            [self.middle(i) - width / 2.0, self.base - height, width, height].map(|v| format!("{v:.2}"));
        let class = if right { "answers-bar is-right" } else { "answers-bar" };
        m.shape("rect", &[("class", class), ("x", &x), ("y", &y), ("width", &w), ("height", &h)]);
        let above = self.base - height - self.sheet.font * 0.35;
        self.words(m, "answers-count", (self.middle(i), above), "middle", &bin.learners.to_string());
    }

    /// From the words at the top down to the bar, ending in a wedge.
    fn mark(&self, m: &mut Markup, at: usize, learners: u32, right: &str) {
        let (x, font) = (self.middle(at), self.sheet.font);
        let count = if learners > 0 { font * 1.35 } else { 0.0 };
        let end = self.base - self.height(learners) - count;
        let [x1, y1, y2] = [x, font * 1.5, end - font * 0.5].map(|v| format!("{v:.2}"));
        m.shape("line", &[("class", "answers-mark"), ("x1", &x1), ("x2", &x1), ("y1", &y1), ("y2", &y2)]);
        let (half, wedge) = (font * 0.4, font * 0.6);
        let d = format!("M{:.2} {:.2}h{:.2}L{x:.2} {end:.2}z", x - half, end - wedge, half * 2.0);
        m.shape("path", &[("class", "answers-wedge"), ("d", &d)]);
        let share = x / self.sheet.width;
        let (anchor, at) = match () {
            () if share < 0.3 => ("start", x - font * 0.4),
            () if share > 0.7 => ("end", x + font * 0.4),
            () => ("middle", x),
        };
        self.words(m, "answers-right", (at, font * 1.1), anchor, right);
    }

    fn words(&self, m: &mut Markup, class: &str, (x, y): (f64, f64), anchor: &str, text: &str) {
        let [x, y, size] = [x, y, self.sheet.font].map(|v| format!("{v:.2}"));
        let attrs =
            [("class", class), ("x", &*x), ("y", &*y), ("text-anchor", anchor), ("font-size", &*size)];
        m.text_el("text", &attrs, text);
    }
}

/// Options with their words, as long as they are, each over its bar.
pub(super) fn lying(m: &mut Markup, bins: &Bins, labels: &[String], words: &Words) {
    let highest = bins.bins.iter().map(|bin| bin.learners).max().unwrap_or(0).max(1);
    m.el("ol", &[("class", "answers-options")], |m| {
        for (i, (bin, label)) in bins.bins.iter().zip(labels).enumerate() {
            let right = bins.right == Some(i);
            m.el("li", &[("class", if right { "is-right" } else { "" })], |m| {
                m.el("span", &[("class", "answers-label")], |m| {
                    if right {
                        m.text_el(
                            "strong",
                            &[("class", "answers-right")],
                            &words.at(&["class.right-option"]),
                        );
                        m.text(" ");
                    }
                    m.text(label);
                });
                m.text_el("span", &[("class", "answers-count")], &words.arg(&Arg::from(bin.learners)));
                let width = format!("{:.3}", 100.0 * f64::from(bin.learners) / f64::from(highest));
                let attrs = [
                    ("class", "answers-line"),
                    ("viewBox", "0 0 100 10"),
                    ("preserveAspectRatio", "none"),
                    ("aria-hidden", "true"),
                ];
                m.el("svg", &attrs, |m| {
                    m.shape("rect", &[("class", "answers-track"), ("width", "100"), ("height", "10")]);
                    let class = if right { "answers-bar is-right" } else { "answers-bar" };
                    m.shape("rect", &[("class", class), ("width", &width), ("height", "10")]);
                });
            });
        }
    });
}

/// The same as a table: every bar with its guesses and learners.
pub(super) fn table(bins: &Bins, ranges: &[String], words: &Words) -> String {
    let mut m = Markup::default();
    m.el("table", &[("class", "twin")], |m| {
        heads(m, ["class.guess", "class.answers-count"].into_iter().map(|key| words.at(&[key])));
        m.el("tbody", &[], |m| {
            for (i, (bin, range)) in bins.bins.iter().zip(ranges).enumerate() {
                m.el("tr", &[], |m| {
                    let text = match bins.right == Some(i) {
                        true => words.say(&msg("class.right-range").with("range", Arg::Text(range.clone()))),
                        false => range.clone(),
                    };
                    m.text_el("th", &[("scope", "row")], &text);
                    m.text_el("td", &[], &words.arg(&Arg::from(bin.learners)));
                });
            }
        });
    });
    m.finish()
}
