//! What stands between braces in a text, and the bounds of tasks: figures by name.

use tokenyard_lab::{Arg, LabSpec, Msg, msg};

use crate::model::{Lesson, Predicted};
use crate::place::{Place, keys};

/// A figure of the summary table of a step's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Position of the step.
    pub step: usize,
    /// Row identifier, or the row of the lane in view.
    pub row: Option<String>,
    /// Position of the column.
    pub column: usize,
}

/// Which of many figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stat {
    /// That of the state's own seed.
    Own,
    /// The median over 200 seeds.
    Median,
    /// The 5th percentile over 200 seeds.
    Low,
    /// The 95th percentile over 200 seeds.
    High,
}

/// The right side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// Another figure, of the same seed.
    Figure(Reference),
    /// A number.
    Number(f64),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// What a placeholder stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// `step.row.column`, or with `|median`, `|p05`, `|p95`.
    Figure(Reference, Stat),
    /// `left < right`: in how many of 200 seeds it holds.
    Count(Reference, Relation, Side),
    /// `step.set.key`: a setting of a step's state by its name in links, with its unit: the position of
    /// the step, and the key of the parameter or view.
    Setting(usize, &'static str),
    /// `step.answer`: the answer to the prediction of a step.
    Answer(usize),
    /// `step.passes`: in how many of 200 seeds the solution of a step's task holds.
    Passes(usize),
}

impl Relation {
    const ALL: [(&'static str, Self); 4] =
        [("<=", Self::AtMost), (">=", Self::AtLeast), ("<", Self::Less), (">", Self::Greater)];

    /// Whether two numbers stand in it.
    #[must_use]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }

    /// Splits at the first comparison, if there is one.
    pub(crate) fn split(text: &str) -> Option<(&str, Self, &str)> {
        let at = text.find(['<', '>'])?;
        let (sign, relation) = Self::ALL.into_iter().find(|(sign, _)| text[at..].starts_with(sign))?;
        Some((text[..at].trim(), relation, text[at + sign.len()..].trim()))
    }
}

impl Formula {
    /// Reads what stands between braces.
    ///
    /// # Errors
    /// What is not known, and what is.
    pub fn read(lesson: &Lesson, text: &str) -> Result<Self, Msg> {
        if let Some((left, relation, right)) = Relation::split(text) {
            let left = reference(lesson, left)?;
            let side = match number(right) {
                Some(number) => Side::Number(number),
                None => Side::Figure(reference(lesson, right)?),
            };
            return Ok(Self::Count(left, relation, side));
        }
        let (name, stat) = match text.split_once('|') {
            None => (text.trim(), Stat::Own),
            Some((name, stat)) => match stat.trim() {
                "median" => (name.trim(), Stat::Median),
                "p05" => (name.trim(), Stat::Low),
                "p95" => (name.trim(), Stat::High),
                other => return Err(msg("fault.place-stat").with("stat", crate::fault::shorten(other))),
            },
        };
        if let (Some((step, word @ ("answer" | "passes"))), Stat::Own) = (name.split_once('.'), stat) {
            let at = find(lesson, step)?;
            let there = &lesson.steps[at];
            return match word {
                "answer" if there.predict.is_some() => Ok(Self::Answer(at)),
                "passes" if there.task.is_some() => Ok(Self::Passes(at)),
                _ => Err(msg("fault.place-part").with("step", step.to_owned()).with("part", word.to_owned())),
            };
        }
        if let Some((step, key)) = name.split_once(".set.").filter(|_| stat == Stat::Own) {
            let at = find(lesson, step)?;
            let Some(place) = &lesson.steps[at].state else {
                return Err(msg("fault.place-state").with("step", step.to_owned()));
            };
            let mut specs = place.lab.params.iter().chain(place.lab.views);
            return match specs.find(|spec| spec.link == key.trim()) {
                Some(spec) => Ok(Self::Setting(at, spec.key)),
                None => {
                    let given = crate::fault::shorten(key);
                    Err(msg("fault.link-unknown").with("key", given).with("allowed", keys(place.lab)))
                }
            };
        }
        // Whoever mistypes what is no figure is told of it, too.
        let others = |mut why: Msg| {
            let allowed =
                why.args.iter_mut().find(|(name, _)| why.key == "fault.column" && *name == "allowed");
            if let Some((_, Arg::Text(columns))) = allowed {
                columns.push_str(", answer, passes, set.NAME");
            }
            why
        };
        Ok(Self::Figure(reference(lesson, name).map_err(others)?, stat))
    }

    /// The lab whose words it is said with, if it takes more than digits: only texts of steps with the
    /// same lab may hold it.
    #[must_use]
    pub fn speaks(&self, lesson: &Lesson) -> Option<&'static str> {
        let (Self::Setting(step, _) | Self::Answer(step)) = self else { return None };
        let step = lesson.steps.get(*step)?;
        let lab = step.state.as_ref()?.lab;
        let numbers = match step.predict.as_ref().map(|predict| &predict.ask) {
            Some(Predicted::Figure { .. }) => true,
            Some(Predicted::Lab) => matches!(lab.prediction.ask, tokenyard_lab::Ask::Number { .. }),
            Some(Predicted::Extreme { .. }) | None => false,
        };
        (!numbers || matches!(self, Self::Setting(..))).then_some(lab.id)
    }

    /// Whether it is about 200 seeds: as many runs, where other figures cost one.
    #[must_use]
    pub fn seeds(&self) -> bool {
        !matches!(self, Self::Figure(_, Stat::Own) | Self::Answer(_) | Self::Setting(..))
    }
}

fn find(lesson: &Lesson, id: &str) -> Result<usize, Msg> {
    lesson.steps.iter().position(|step| step.id == id).ok_or_else(|| {
        let ids: Vec<&str> = lesson.steps.iter().map(|step| step.id.as_str()).collect();
        msg("fault.place-step").with("step", crate::fault::shorten(id)).with("allowed", ids.join(", "))
    })
}

/// `step.row.column` or `step.column`.
fn reference(lesson: &Lesson, text: &str) -> Result<Reference, Msg> {
    let (id, name) = text.split_once('.').ok_or_else(|| msg("fault.place-form"))?;
    let step = find(lesson, id.trim())?;
    let Some(place) = &lesson.steps[step].state else {
        return Err(msg("fault.place-state").with("step", id.to_owned()));
    };
    let (row, column) = figure(place, name)?;
    Ok(Reference { step, row, column })
}

/// `row.column`, or `column` for the row of the lane in view.
///
/// # Errors
/// The rows or columns that there are.
pub(crate) fn figure(place: &Place, text: &str) -> Result<(Option<String>, usize), Msg> {
    let (row, key) = match text.trim().split_once('.') {
        Some((row, key)) => (Some(row.trim().to_owned()), key.trim()),
        None => (None, text.trim()),
    };
    let lab = place.lab;
    let Some(column) = lab.columns.iter().position(|c| c.key == key) else {
        let all: Vec<&str> = lab.columns.iter().map(|c| c.key).collect();
        let given = crate::fault::shorten(key);
        return Err(msg("fault.column").with("column", given).with("allowed", all.join(", ")));
    };
    if let Some(row) = &row {
        let ids = &place.rows;
        if !ids.contains(&row.as_str()) {
            let given = crate::fault::shorten(row);
            return Err(msg("fault.row").with("row", given).with("allowed", ids.join(", ")));
        }
    }
    Ok((row, column))
}

/// A number, or a percentage as a share.
pub(crate) fn number(text: &str) -> Option<f64> {
    let (digits, percent) = text.strip_suffix('%').map_or((text, false), |digits| (digits.trim(), true));
    if !digits.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-') {
        return None;
    }
    let value = tokenyard_param::number::read(digits)?;
    Some(if percent { value / 100.0 } else { value })
}

/// A number as it is read by [`number`]: a share of a column of percentages is written as one.
pub(crate) fn write_number(lab: &LabSpec, column: usize, value: f64) -> String {
    let percent = lab.columns.get(column).is_some_and(|c| c.digits.is_none());
    let hundred = (value * 100.0).to_string();
    // Some shares are not what their percentage divided by 100 gives; they are written as they are.
    match number(&format!("{hundred}%")) {
        Some(again) if percent && again.to_bits() == value.to_bits() => format!("{hundred}%"),
        _ => value.to_string(),
    }
}
