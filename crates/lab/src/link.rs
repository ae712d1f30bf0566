//! A lab's state in the fragment of its address, in short readable keys.
//!
//! `#interval=5&seed=7&step=28`. Only what differs from the default is written. A fragment is
//! never sent to a server. Reading never fails: what cannot be used is left out or clamped and
//! named in a [`Notice`]; the command line turns notices into refusals.

mod escape;
pub mod form;
mod promise;
mod read;

use tokenyard_det::format;
use tokenyard_param::{ParamError, ParamSpec, Value, Values};

use crate::run::Table;
use crate::spec::{Fork, LabSpec, Preset, Setup};

pub use escape::{decode, encode};
pub use form::FORMS;
pub use promise::{Verdict, promise};
pub use read::{read, read_in};

use form::{Forms, Pairs};

/// Longest fragment that is looked at; a longer one is refused whole, with a notice.
pub const MAX_CHARS: usize = 1_800;

/// Keys that are no settings, so that no parameter may have one of them. `lab` is the single file's.
pub const RESERVED: [&str; 7] = [form::KEY, "step", "fork", "guess", "v", "h", "lab"];

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
    /// Of a newer form than this reader knows: read as if it were of `own`, the newest one it does.
    #[expect(missing_docs, reason = "the variant's text says what the fields are")]
    NewerForm { form: u32, own: u32 },
}

impl Notice {
    /// A value that cannot be used, of a key that is no setting.
    #[must_use]
    pub fn refused(key: &str, given: &str, allowed: &str) -> Self {
        let (key, given, allowed) = (shorten(key), shorten(given), allowed.to_owned());
        Self::Value(ParamError { key, given, allowed, nearest: None })
    }

    /// Whether a newer version of the product made the link, and nothing else is wrong with it.
    #[must_use]
    pub fn is_of_newer(&self) -> bool {
        matches!(self, Self::Newer(_) | Self::NewerForm { .. })
    }
}

impl State {
    /// The state of a lab that nobody has touched.
    #[must_use]
    pub fn fresh(lab: &LabSpec) -> Self {
        Self { setup: lab.defaults(), step: None, guess: None, version: None, headline: None }
    }

    /// The state that the page of a preset opens on.
    #[must_use]
    pub fn at(lab: &LabSpec, preset: &Preset) -> Self {
        Self { setup: lab.with(preset.set), ..Self::fresh(lab) }
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
/// equal links. Never longer than [`MAX_CHARS`].
#[must_use]
pub fn write(lab: &LabSpec, state: &State) -> String {
    write_in(&FORMS, lab, state)
}

/// As [`write()`], under other forms than this product's.
#[must_use]
pub fn write_in(forms: &Forms<'_>, lab: &LabSpec, state: &State) -> String {
    let mut pairs = Pairs::new();
    let mut say = |key: &str, value: String| pairs.push((key.to_owned(), value));
    differing(&state.setup.values, &Values::defaults(lab.params), "", &mut say);
    differing(&state.setup.view, &Values::defaults(lab.views), "", &mut say);
    if let Some(Fork { step, values }) = &state.setup.fork {
        say("fork", ordinal(*step));
        differing(values, &state.setup.values, "then.", &mut say);
    }
    if let Some(step) = state.step {
        say("step", ordinal(step));
    }
    if let Some(guess) = state.guess {
        say("guess", real(guess));
    }
    if let Some(version) = state.version {
        say("v", version.to_string());
    }
    if let Some(headline) = &state.headline {
        say("h", headline.join(","));
    }
    forms.close(lab.id, &pairs)
}

fn differing(values: &Values, from: &Values, prefix: &str, say: &mut impl FnMut(&str, String)) {
    for (i, spec) in values.specs().iter().enumerate() {
        if let Some(value) = values.at(i).filter(|v| from.at(i) != Some(*v)) {
            say(&format!("{prefix}{}", spec.link), setting(spec, value));
        }
    }
}

/// A parameter's value as links write it.
#[must_use]
pub fn setting(spec: &ParamSpec, value: &Value) -> String {
    match value {
        Value::Real(number) => real(*number),
        other => spec.kind.write(other),
    }
}

/// A number that reads back as the same; with an exponent where that is shorter.
fn real(value: f64) -> String {
    let (plain, short) = (value.to_string(), format!("{value:e}"));
    if short.len() < plain.len() { short } else { plain }
}

/// A step as shown on screen, from 1.
fn ordinal(step: u32) -> String {
    (u64::from(step) + 1).to_string()
}

/// Keeps a hostile key or value from flooding a message.
fn shorten(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// Most characters that are kept of a headline number: ours have fewer.
const FIGURE_CHARS: usize = 16;

/// The headline numbers of a link, at most so many of them. What stands there is text: nobody has to
/// have written numbers.
#[must_use]
pub fn figures(value: &str, most: usize) -> Vec<String> {
    let short = |text: &str| text.chars().filter(|c| !c.is_control()).take(FIGURE_CHARS).collect();
    value.split(',').take(most).map(short).collect()
}

#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod tests;
