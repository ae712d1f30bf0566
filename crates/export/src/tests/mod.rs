//! Exports of every lab in any state: that they hold what they should and lead back to it.

mod fleet;
mod golden;
mod hostile;
mod json;
mod opens;
mod schema;
// The same states as those of figures.
#[path = "../../../figure/src/tests/states.rs"]
mod states;
mod tables;
mod transcripts;

use tokenyard_lab::link::State;
use tokenyard_lab::{LabSpec, Words};

use crate::{Export, Source, write};

/// The file of a state without a site.
fn file(export: Export, lab: &LabSpec, state: &State, words: &Words) -> String {
    write(export, &Source { lab, state, words, site: None, sweep: &[] }).unwrap()
}
