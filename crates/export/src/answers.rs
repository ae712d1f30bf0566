//! Everything that an export says, computed once.

use tokenyard_figure::{Carried, Shot};
use tokenyard_lab::link::State;
use tokenyard_lab::{Column, Figure, LabRun, LabSpec, Table, Words, sweep};

/// What an export is made from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The lab.
    pub lab: &'a LabSpec,
    /// Settings and step. A state without a step is at its first key moment, where its page opens; a
    /// step past the end is the last one.
    pub state: &'a State,
    /// The common catalogue and the lab's own, as its page has them.
    pub words: &'a Words,
    /// Address of the folder that has the product, with or without its last slash. Without it links
    /// begin with `labs/`.
    pub site: Option<&'a str>,
    /// Answers of the lab's sweep so far, for the chart that shows them; mostly empty.
    pub sweep: &'a [Vec<f64>],
}

impl<'a> Source<'a> {
    /// A state's address: below the site if there is one.
    #[must_use]
    pub fn address(&self, carried: &Carried) -> String {
        match self.site {
            Some(site) => format!("{}/{}", site.trim_end_matches('/'), carried.link()),
            None => carried.link(),
        }
    }

    /// The state's figure. Cost: one run of the lab and one table.
    #[must_use]
    pub fn shot(&self) -> Shot<'a> {
        Shot::swept(self.lab, self.state, self.words, self.sweep)
    }

    /// Name of a column.
    pub(crate) fn column(&self, column: &Column) -> String {
        self.words.at(&["col", column.key])
    }

    /// Unit of the figures of a column.
    pub(crate) fn unit(&self, column: &Column) -> String {
        self.words.at(&["unit", column.key])
    }

    /// Name of a column with the unit of its figures: `Peak skew (requests)`.
    pub(crate) fn heading(&self, column: &Column) -> String {
        format!("{} ({})", self.column(column), self.unit(column))
    }
}

/// A state with its run's answers.
pub(crate) struct Answers<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) run: Box<dyn LabRun>,
    /// From 0.
    pub(crate) step: u32,
    pub(crate) figures: Vec<Figure>,
    pub(crate) table: Table,
}

impl<'a> Answers<'a> {
    pub(crate) fn of(source: &'a Source<'a>) -> Self {
        let Source { lab, state, .. } = *source;
        let run = lab.run(&state.setup);
        let opening = || run.moments().first().map_or(0, |moment| moment.step);
        let step = state.step.unwrap_or_else(opening).min(run.steps().saturating_sub(1));
        let figures = sweep::figures(lab, &state.setup, run.as_ref(), step, source.sweep);
        Self { source, step, figures, table: lab.table(&state.setup), run }
    }

    pub(crate) fn carried(&self) -> Carried {
        Carried::with(self.source.lab, self.source.state, &self.table)
    }
}
