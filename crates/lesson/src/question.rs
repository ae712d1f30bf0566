//! A prediction as what can be guessed and what is right, whether a lab asks or a lesson.

use std::sync::Arc;

use tokenyard_det::stat;
use tokenyard_lab::luck::{self, SEEDS};
use tokenyard_lab::run::Table;
use tokenyard_lab::spec::{Ask, Setup};
use tokenyard_lab::{LabSpec, link};

use crate::facts::Samples;
use crate::model::{Lesson, Predicted};
use crate::place::Place;

/// Most guesses of a question: they travel in eight bits.
pub(crate) const MOST_GUESSES: u32 = 256;

/// What can be guessed.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// A number from `min` to `max` in equal steps, shown with so many decimals.
    #[expect(missing_docs, reason = "the variant's text says what the fields are")]
    Number { min: f64, max: f64, step: f64, digits: u8 },
    /// One of so many options of the lab, numbered from 0.
    Choice(u32),
    /// One of these rows of the summary table.
    Rows(Vec<&'static str>),
}

/// A question that a class answers: what can be guessed, and the name by which its codes know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What can be guessed.
    pub asked: Asked,
    /// Names the question: `<lesson>/<step>`, or a lab's state.
    pub name: String,
}

impl Question {
    /// What a lab asks in a set-up. Other settings are another question, with other codes.
    #[must_use]
    pub fn of_lab(lab: &LabSpec, setup: &Setup) -> Self {
        let state = link::State { setup: setup.clone(), ..link::State::fresh(lab) };
        let fragment = link::write(lab, &state);
        let asked = match lab.prediction.ask {
            Ask::Number { min, max, step, digits, .. } => Asked::Number { min, max, step, digits },
            Ask::Choice(options) => Asked::Choice(options.into()),
        };
        Self { asked, name: format!("{}#{fragment}", lab.id) }
    }

    /// What a step of a lesson asks; `None` if it asks nothing.
    #[must_use]
    pub fn of_step(lesson: &Lesson, step: usize) -> Option<Self> {
        let step = lesson.steps.get(step)?;
        let (place, predict) = (step.state.as_ref()?, step.predict.as_ref()?);
        let asked = match &predict.ask {
            Predicted::Lab => Self::of_lab(place.lab, &place.state.setup).asked,
            Predicted::Figure { min, max, step, .. } => {
                Asked::Number { min: *min as f64, max: *max as f64, step: *step as f64, digits: 0 }
            }
            Predicted::Extreme { .. } => Asked::Rows(place.rows.clone()),
        };
        Some(Self { asked, name: format!("{}/{}", lesson.id, step.id) })
    }

    /// How many different guesses there are.
    #[must_use]
    pub fn guesses(&self) -> u32 {
        match &self.asked {
            Asked::Number { min, max, step, .. } => ((max - min) / step).round() as u32 + 1,
            Asked::Choice(options) => *options,
            Asked::Rows(rows) => u32::try_from(rows.len()).unwrap_or(MOST_GUESSES),
        }
    }

    /// The number of a guess, from 0: the nearest step of a number, or the option itself. `None` if it
    /// lies outside.
    #[must_use]
    pub fn index(&self, guess: f64) -> Option<u32> {
        let at = match &self.asked {
            Asked::Number { min, step, .. } => ((guess - min) / step).round(),
            Asked::Choice(_) | Asked::Rows(_) => guess,
        };
        let inside = at >= 0.0 && at < f64::from(self.guesses()) && at.fract() == 0.0;
        inside.then_some(at as u32)
    }

    /// The guess of a number: a number of the question's own, or the number of an option.
    #[must_use]
    pub fn value(&self, index: u32) -> Option<f64> {
        let at = f64::from(index);
        (index < self.guesses()).then(|| match &self.asked {
            Asked::Number { min, step, .. } => min + at * step,
            Asked::Choice(_) | Asked::Rows(_) => at,
        })
    }
}

/// What is right: a number, in percent for a share, or the number of an option or a row. `None` where rows tie, or a figure is
/// missing. Cost: one run, and what `seeds` costs if the question is about 200 seeds.
#[must_use]
pub(crate) fn outcome(
    place: &Place,
    predicted: &Predicted,
    mut seeds: impl FnMut() -> Option<Samples>,
) -> Option<f64> {
    let (lab, setup) = (place.lab, &place.state.setup);
    match predicted {
        Predicted::Lab => Some((lab.prediction.outcome)(setup)),
        Predicted::Figure { row, column, pinned, .. } => {
            let table = lab.table(setup);
            let at = row_at(&table, row.as_deref())?;
            let figure = figures(place, &table, *column, *pinned, &mut seeds)?.get(at).copied()?;
            // Shares are guessed in percent.
            let percent = lab.columns.get(*column).is_some_and(|c| c.digits.is_none());
            Some(if percent { figure * 100.0 } else { figure })
        }
        Predicted::Extreme { column, lowest, pinned } => {
            let figures = figures(place, &lab.table(setup), *column, *pinned, &mut seeds)?;
            let signed = |v: &f64| if *lowest { *v } else { -*v };
            let best = figures.iter().map(signed).reduce(f64::min)?;
            let mut winners = figures.iter().enumerate().filter(|(_, v)| signed(v) <= best);
            let (at, _) = winners.next()?;
            winners.next().is_none().then_some(at as f64)
        }
    }
}

/// The answer of a step's question, as far as there is one, if it is none of the guesses. Cost: 200 tables at most.
pub(crate) fn out_of_guesses(lesson: &Lesson, at: usize) -> Option<String> {
    let step = &lesson.steps[at];
    let place = step.state.as_ref()?;
    let seeds = || Some(Arc::new(samples(place.lab, &place.state.setup)));
    let right = outcome(place, &step.predict.as_ref()?.ask, seeds);
    let among = right.zip(Question::of_step(lesson, at)).and_then(|(right, q)| q.index(right));
    among.is_none().then(|| right.map(|right| right.to_string()).unwrap_or_default())
}

/// Position of a row: the named one, or that of the lane in view.
pub(crate) fn row_at(table: &Table, row: Option<&str>) -> Option<usize> {
    let id = row.or_else(|| table.headline().map(|head| head.id))?;
    table.rows.iter().position(|r| r.id == id)
}

/// A column of every row, of the state's own seed or as medians.
fn figures(
    place: &Place,
    table: &Table,
    column: usize,
    pinned: bool,
    seeds: &mut impl FnMut() -> Option<Samples>,
) -> Option<Vec<f64>> {
    let own = |row: &tokenyard_lab::Row| row.cells.get(column).copied().unwrap_or(f64::NAN);
    if pinned {
        return Some(table.rows.iter().map(own).collect());
    }
    let (samples, columns) = (seeds()?, place.lab.columns.len());
    Some((0..table.rows.len()).map(|row| quantile(&samples, row * columns + column, 0.5)).collect())
}

/// The tables of the 200 seeds of "is it luck?", each as one row of figures.
#[must_use]
pub(crate) fn samples(lab: &LabSpec, setup: &Setup) -> Vec<Vec<f64>> {
    let from = lab.luck.0;
    (0..SEEDS).map(|i| luck::sample(lab, setup, from.saturating_add(i))).collect()
}

/// A quantile of one figure over samples; no number without any.
pub(crate) fn quantile(samples: &[Vec<f64>], at: usize, q: f64) -> f64 {
    let mut values: Vec<f64> = samples.iter().filter_map(|s| s.get(at).copied()).collect();
    stat::sort(&mut values);
    stat::quantile(&values, q).unwrap_or(f64::NAN)
}
