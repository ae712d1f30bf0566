//! What a run answers: everything a page draws or says at a step.

use tokenyard_det::Digest;

use crate::figure::Figure;
use crate::msg::{Arg, Msg};
use crate::words::Words;

/// A finished run. Every answer is a pure function of the step, so seeking is instant.
pub trait LabRun: Send + Sync {
    /// Number of steps, at least one. Steps count from 0 here and from 1 on screen.
    fn steps(&self) -> u32;

    /// Key moments in order, computed from the run by the rule that the lab states; the page
    /// opens on the first one. At most five; may be empty, then the page opens on step 0.
    fn moments(&self) -> Vec<Moment>;

    /// The transcript's sentence for a step.
    fn say(&self, step: u32) -> Msg;

    /// The scene at a step, as HTML and SVG. `covered` leaves out what would answer the
    /// prediction.
    fn scene(&self, step: u32, covered: bool, words: &Words) -> String;

    /// Charts under the player, the first with the linked cursor.
    fn figures(&self, step: u32) -> Vec<Figure>;

    /// The decisions of a step, to be asked why.
    fn decisions(&self, step: u32) -> Vec<Decision>;

    /// Says so when the run was cut before its end.
    fn cut(&self) -> Option<Msg> {
        None
    }

    /// Feeds the full state of every step.
    fn digest(&self, into: &mut Digest);
}

/// A step at which something worth a pause happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The step.
    pub step: u32,
    /// What to look at, in at most 25 words.
    pub cue: Msg,
}

impl Moment {
    /// Moments in order of their steps, from what a lab's rules found. Of two at the same step
    /// the one named first stays.
    #[must_use]
    pub fn in_order(found: impl IntoIterator<Item = Option<(usize, Msg)>>) -> Vec<Self> {
        let mut moments: Vec<Self> = Vec::new();
        for (step, cue) in found.into_iter().flatten() {
            Self { step: u32::try_from(step).unwrap_or(u32::MAX), cue }.put(&mut moments);
        }
        moments
    }

    /// Puts a moment in its place among moments in order, unless its step is taken. A sorting
    /// routine would be compiled anew for each caller of [`Moment::in_order`], 3 KB each.
    fn put(self, moments: &mut Vec<Self>) {
        let at = moments.partition_point(|m| m.step < self.step);
        if moments.get(at).is_none_or(|m| m.step != self.step) {
            moments.insert(at, self);
        }
    }
}

/// The summary table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// One row for each variant, in a fixed order.
    pub rows: Vec<Row>,
}

/// One variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Identifier of the rule or mode.
    pub id: &'static str,
    /// Its name.
    pub name: Msg,
    /// 1 to 6: colour and dash of its lines.
    pub style: u8,
    /// Whether it stands in a lane, and in which.
    pub lane: Option<u8>,
    /// One figure for each column of the lab.
    pub cells: Vec<f64>,
    /// Would answer the prediction.
    pub answers: bool,
}

impl Table {
    /// The figure of a row and a column position.
    #[must_use]
    pub fn cell(&self, row: &str, column: usize) -> Option<f64> {
        self.rows.iter().find(|r| r.id == row)?.cells.get(column).copied()
    }

    /// The row of the lane in view: the first lane, or the first row.
    #[must_use]
    pub fn headline(&self) -> Option<&Row> {
        self.rows.iter().find(|r| r.lane == Some(0)).or_else(|| self.rows.first())
    }
}

/// One decision and what it was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What was decided, in one line.
    pub title: Msg,
    /// 1 to 6: style of the lane it belongs to.
    pub style: u8,
    /// Belief, age, truth, what the rule computed, what fresh data would have chosen.
    pub lines: Vec<Msg>,
    /// The inputs side by side.
    pub grid: Grid,
    /// Would answer the prediction.
    pub answers: bool,
}

/// A small table: one row a replica (or layer, or slot).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Headings, the first for the row names.
    pub head: Vec<Msg>,
    /// Rows.
    pub rows: Vec<GridRow>,
}

/// A row of a [`Grid`].
#[derive(Clone, Debug, PartialEq)]
pub struct GridRow {
    /// Cells, as many as headings.
    pub cells: Vec<Arg>,
    /// The rule chose this one.
    pub chosen: bool,
    /// Fresh data would have chosen this one.
    pub fresh: bool,
}
