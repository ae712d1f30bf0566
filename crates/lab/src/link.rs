//! A lab's state in the fragment of its address, in short readable keys.
//!
//! `#interval=5&seed=7&step=28`. Only what differs from the default is written. A fragment is
//! never sent to a server. Reading never fails: what cannot be used is left out or clamped and
//! named in a [`Notice`]; the command line turns notices into refusals.

mod escape;
mod read;

use tokenyard_det::format;
use tokenyard_param::{ParamError, Values};

use crate::run::Table;
use crate::spec::{Fork, LabSpec, Setup};

pub use escape::{decode, encode};
pub use read::read;

/// Longest fragment that is looked at; a longer one is refused whole, with a notice.
pub const MAX_CHARS: usize = 1_800;

/// Everything a link can say about a lab.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Settings.
    pub setup: Setup,
    /// Step from 0; `None` opens on the first key moment.
    pub step: Option<u32>,
    /// The reader's guess: a number, or the index of a choice.
    pub guess: Option<f64>,
    /// Model version the link was made with; `None` if it does not say.
    pub version: Option<u32>,
    /// Headline numbers that the maker of the link saw.
    pub headline: Option<Vec<String>>,
}

/// Something in a link that could not be used as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A key that this lab does not know, or cannot follow, such as a fork where nothing changes on
    /// the way: ignored.
    Unknown(String),
    /// A value out of range: clamped to the nearest allowed one if there is one, else left at
    /// the default.
    Value(ParamError),
    /// A key given more than once: the last one counts.
    Repeated(String),
    /// The fragment is too long to be one of ours: ignored whole.
    TooLong(usize),
    /// Made with a newer model than this page has.
    Newer(u32),
}

impl State {
    /// The state of a lab that nobody has touched.
    #[must_use]
    pub fn fresh(lab: &LabSpec) -> Self {
        Self { setup: lab.defaults(), step: None, guess: None, version: None, headline: None }
    }
}

/// Figures nearer to 0 than this are written as 0: their zeros would fill the link.
const NEGLIGIBLE: f64 = 1e-6;

/// Headline numbers: the first four figures of the row of the lane in view, three digits each.
#[must_use]
pub fn headline(table: &Table) -> Vec<String> {
    let cells = table.headline().map_or(&[][..], |row| &row.cells);
    let plain = |v: &f64| if v.abs() < NEGLIGIBLE { 0.0 } else { *v };
    cells.iter().take(4).map(|v| format::significant(plain(v), 3)).collect()
}

/// Writes a state: parameters and views that differ from the default, a fork, step, guess, and,
/// where given, model version and headline numbers. The order is fixed, so equal states have
/// equal links.
#[must_use]
pub fn write(lab: &LabSpec, state: &State) -> String {
    let mut parts = Vec::new();
    differing(&state.setup.values, &Values::defaults(lab.params), "", &mut parts);
    differing(&state.setup.view, &Values::defaults(lab.views), "", &mut parts);
    if let Some(Fork { step, values }) = &state.setup.fork {
        parts.push(format!("fork={}", step + 1));
        differing(values, &state.setup.values, "then.", &mut parts);
    }
    if let Some(step) = state.step {
        parts.push(format!("step={}", step + 1));
    }
    if let Some(guess) = state.guess {
        parts.push(format!("guess={guess}"));
    }
    if let Some(version) = state.version {
        parts.push(format!("v={version}"));
    }
    if let Some(headline) = &state.headline {
        parts.push(format!("h={}", encode(&headline.join(","))));
    }
    parts.join("&")
}

fn differing(values: &Values, from: &Values, prefix: &str, parts: &mut Vec<String>) {
    for (i, spec) in values.specs().iter().enumerate() {
        if let Some(value) = values.at(i).filter(|v| from.at(i) != Some(*v)) {
            parts.push(format!("{prefix}{}={}", spec.link, encode(&spec.kind.write(value))));
        }
    }
}

#[cfg(test)]
mod tests;
