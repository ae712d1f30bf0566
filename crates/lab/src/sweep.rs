//! Results too long in the making for a knob drag: simulated points over a closed form.
//!
//! A sweep is a number of small work items whose answers do not depend on each other, so a
//! worker can do them one by one, report after each one and stop after any. Its message is that
//! of "is it luck?" with the number of the item in the place of the seed: both ask for a lab, a
//! set-up and a number, and get a row of figures back.

use crate::figure::{Figure, Series};
use crate::run::LabRun;
use crate::spec::{LabSpec, Setup};

/// Work items and what their answers look like. Words of a lab that has one: `sweep.run` on the
/// button that starts it, `sweep.note` for what is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// Number of items, at least one; the same for every set-up.
    pub items: u32,
    /// One item from 0: a row of figures. Milliseconds, not seconds.
    pub item: fn(&Setup, u32) -> Vec<f64>,
    /// The chart that shows the answers.
    pub figure: &'static str,
    /// Series for the rows of the first items, in order; those that cannot be drawn yet are left
    /// out, so that progress can be shown. No rows: no series.
    pub series: fn(&Setup, &[Vec<f64>]) -> Vec<Series>,
}

/// One item of a lab's sweep, as [`crate::luck::sample`] is one seed. Empty if the lab has no
/// sweep or the item lies past its end. Cost: one item.
#[must_use]
pub fn sample(lab: &LabSpec, setup: &Setup, item: u32) -> Vec<f64> {
    let sweep = lab.sweep.as_ref().filter(|s| item < s.items);
    sweep.map_or_else(Vec::new, |s| (s.item)(setup, item))
}

/// Every item of a lab's sweep, in order; none if it has no sweep. Cost: seconds at most.
#[must_use]
pub fn all(lab: &LabSpec, setup: &Setup) -> Vec<Vec<f64>> {
    lab.sweep.iter().flat_map(|sweep| (0..sweep.items).map(|item| (sweep.item)(setup, item))).collect()
}

/// The charts of a run with the answers so far drawn over the one that shows them. Rows must be
/// those of the run's own set-up; after a change of settings there are none.
#[must_use]
pub fn figures(lab: &LabSpec, setup: &Setup, run: &dyn LabRun, step: u32, rows: &[Vec<f64>]) -> Vec<Figure> {
    let mut figures = run.figures(step);
    if let Some(sweep) = &lab.sweep {
        let shown = figures.iter_mut().filter(|f| f.id == sweep.figure);
        shown.for_each(|f| f.series.extend((sweep.series)(setup, rows)));
    }
    figures
}
