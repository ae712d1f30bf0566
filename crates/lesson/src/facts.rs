//! The numbers that a lesson's texts name, computed from its states.

use std::sync::Arc;

use tokenyard_lab::luck::SEEDS;
use tokenyard_lab::run::Table;
use tokenyard_lab::spec::Setup;
use tokenyard_lab::words::{Piece, pieces};
use tokenyard_lab::{Arg, LabSpec, Words};

use crate::formula::{Formula, Reference, Side, Stat};
use crate::model::{Lesson, Predicted};
use crate::question::{outcome, quantile, row_at, samples};

/// The tables of the 200 seeds of "is it luck?", each as [`tokenyard_lab::luck::sample`] gives it.
pub type Samples = Arc<Vec<Vec<f64>>>;

/// Gives the samples of a lab's set-up, or nothing as long as somebody else computes them.
pub type Source<'a> = &'a dyn Fn(&'static LabSpec, &Setup) -> Option<Samples>;

/// Stands for a number that is not there yet.
const PENDING: &str = "…";

/// Computes what it is asked for, once.
pub struct Facts<'a> {
    lesson: &'a Lesson,
    tables: Vec<Option<Table>>,
    samples: Vec<(&'static str, Setup, Samples)>,
    source: Option<Source<'a>>,
}

impl std::fmt::Debug for Facts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facts").field("lesson", &self.lesson.id).finish_non_exhaustive()
    }
}

impl<'a> Facts<'a> {
    /// Of a lesson; nothing is computed yet.
    #[must_use]
    pub fn of(lesson: &'a Lesson) -> Self {
        Self { lesson, tables: vec![None; lesson.steps.len()], samples: Vec::new(), source: None }
    }

    /// The same with 200 seeds from elsewhere, from a worker: they are asked for where a text needs them, and until
    /// they are there a sign stands for the number.
    #[must_use]
    pub fn with(lesson: &'a Lesson, source: Source<'a>) -> Self {
        Self { source: Some(source), ..Self::of(lesson) }
    }

    /// A text with its numbers. `words` are those of the lab of the text's step. What cannot be computed stays as it is written; a lesson without
    /// faults has nothing of the kind.
    #[must_use]
    pub fn fill(&mut self, text: &str, words: &Words) -> String {
        let mut out = String::with_capacity(text.len());
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Brace => out.push('{'),
                Piece::Place(place) => {
                    let formula = Formula::read(self.lesson, place).ok();
                    match formula.and_then(|formula| self.said(&formula, words)) {
                        Some(said) => out.push_str(&said),
                        None if self.source.is_some() => out.push_str(PENDING),
                        None => {
                            out.push('{');
                            out.push_str(place);
                            out.push('}');
                        }
                    }
                }
            }
        }
        out
    }

    fn said(&mut self, formula: &Formula, words: &Words) -> Option<String> {
        let Formula::Setting(step, key) = formula else {
            return self.value(formula).map(|arg| words.arg(&arg));
        };
        let setup = &self.lesson.steps.get(*step)?.state.as_ref()?.state.setup;
        let values = [&setup.values, &setup.view].into_iter().find(|v| v.position(key).is_some())?;
        let spec = values.specs().iter().find(|spec| spec.key == *key)?;
        Some(words.value(&format!("param.{key}"), spec, values.get(key)?))
    }

    /// What a placeholder stands for, with the digits that the lab shows; `None` for a setting, which
    /// has words.
    #[must_use]
    pub fn value(&mut self, formula: &Formula) -> Option<Arg> {
        match formula {
            Formula::Figure(at, Stat::Own) => {
                let value = self.own(at)?;
                self.shown(at.step, at.column, value)
            }
            Formula::Figure(at, stat) => {
                let q = match stat {
                    Stat::Low => 0.05,
                    Stat::High => 0.95,
                    Stat::Own | Stat::Median => 0.5,
                };
                let cell = self.cell(at)?;
                let value = quantile(&self.seeds(at.step)?, cell, q);
                self.shown(at.step, at.column, value)
            }
            Formula::Count(left, relation, right) => {
                let mut held = 0_u32;
                for seed in 0..SEEDS as usize {
                    let one = self.seeded(left, seed)?;
                    let other = match right {
                        Side::Number(number) => *number,
                        Side::Figure(at) => self.seeded(at, seed)?,
                    };
                    held += u32::from(relation.holds(one, other));
                }
                Some(Arg::from(held))
            }
            Formula::Setting(..) => None,
            Formula::Answer(step) => self.answer(*step),
            Formula::Passes(step) => self.passes(*step).map(Arg::from),
        }
    }

    /// What is right in a step's prediction; `None` where none is asked, or where its seeds are not there yet.
    /// A number, or the number of an option from 0.
    #[must_use]
    pub fn outcome(&mut self, step: usize) -> Option<f64> {
        let there = self.lesson.steps.get(step)?;
        outcome(there.state.as_ref()?, &there.predict.as_ref()?.ask, || self.seeds(step))
    }

    /// In how many of 200 seeds the solution of a step's task holds.
    fn passes(&mut self, step: usize) -> Option<u32> {
        let step = self.lesson.steps.get(step)?;
        let (place, task) = (step.state.as_ref()?, step.task.as_ref()?);
        let samples = self.sampled(place.lab, &task.solution)?;
        Some(task.check(place).count(&place.lab.table(&task.solution), &samples))
    }

    fn answer(&mut self, step: usize) -> Option<Arg> {
        let value = self.outcome(step)?;
        let there = self.lesson.steps.get(step)?;
        match &there.predict.as_ref()?.ask {
            Predicted::Figure { column, .. } => match self.shown(step, *column, value)? {
                Arg::Percent(percent) => Some(Arg::Percent(percent / 100.0)),
                number => Some(number),
            },
            Predicted::Extreme { .. } => {
                let row = self.table(step)?.rows.get(value as usize)?;
                Some(Arg::Msg(row.name.clone()))
            }
            Predicted::Lab => Some(match there.state.as_ref()?.lab.prediction.ask {
                tokenyard_lab::Ask::Number { digits, .. } => Arg::Fixed(value, digits),
                tokenyard_lab::Ask::Choice(_) => Arg::Key(format!("predict.option.{value}")),
            }),
        }
    }

    fn shown(&self, step: usize, column: usize, value: f64) -> Option<Arg> {
        let column = self.lesson.steps.get(step)?.state.as_ref()?.lab.columns.get(column)?;
        Some(match column.digits {
            None => Arg::Percent(value),
            Some(digits) => Arg::Fixed(value, digits),
        })
    }

    fn table(&mut self, step: usize) -> Option<&Table> {
        let place = self.lesson.steps.get(step)?.state.as_ref()?;
        Some(self.tables.get_mut(step)?.get_or_insert_with(|| place.lab.table(&place.state.setup)))
    }

    fn seeds(&mut self, step: usize) -> Option<Samples> {
        let place = self.lesson.steps.get(step)?.state.as_ref()?;
        self.sampled(place.lab, &place.state.setup)
    }

    fn sampled(&mut self, lab: &'static LabSpec, setup: &Setup) -> Option<Samples> {
        let known = self.samples.iter().find(|(id, of, _)| *id == lab.id && of == setup);
        if let Some((_, _, samples)) = known {
            return Some(samples.clone());
        }
        let samples = match self.source {
            Some(source) => source(lab, setup)?,
            None => Arc::new(samples(lab, setup)),
        };
        self.samples.push((lab.id, setup.clone(), samples.clone()));
        Some(samples)
    }

    fn own(&mut self, at: &Reference) -> Option<f64> {
        let table = self.table(at.step)?;
        let row = row_at(table, at.row.as_deref())?;
        table.rows.get(row)?.cells.get(at.column).copied()
    }

    /// Where a figure stands in a sample.
    fn cell(&mut self, at: &Reference) -> Option<usize> {
        let row = row_at(self.table(at.step)?, at.row.as_deref())?;
        let columns = self.lesson.steps.get(at.step)?.state.as_ref()?.lab.columns.len();
        Some(row * columns + at.column)
    }

    fn seeded(&mut self, at: &Reference, seed: usize) -> Option<f64> {
        let cell = self.cell(at)?;
        self.seeds(at.step)?.get(seed)?.get(cell).copied()
    }
}
