//! Public reports of what routers really did, each as two states of a study: broken and cured.
//!
//! A report here is a small scenario that shows the reported mechanism as one figure. It is not the
//! reporter's fleet: sizes are those of a run of a second in a browser. Words are in the catalogue
//! `reports` at `report.<id>.name`, `.symptom`, `.mechanism`, `.cure` and `.measure`; those left out
//! say why at `left.<number>`.

mod first;
mod measure;
mod second;

use tokenyard_fleet::scenario::Problem;

pub use measure::Measure;

use crate::link;

/// Seeds that an incident is run with, from that of its link on.
pub const SEEDS: u32 = 5;

/// Most characters of a fragment.
pub const MOST_CHARS: usize = 300;

/// A report as two states that differ in as few settings as possible.
#[derive(Clone, Copy, Debug)]
pub struct Incident {
    /// Its name in addresses and keys of words, `sglang-14305`.
    pub id: &'static str,
    /// Its row in the table of public reports, from 1.
    pub number: u8,
    /// Where it was reported: repository, and number of an issue or pull request.
    pub source: &'static str,
    /// The state that shows the symptom, as a fragment of an address; lane 1 is measured.
    pub broken: &'static str,
    /// The state without it, likewise.
    pub cured: &'static str,
    /// The figure that shows the symptom.
    pub measure: Measure,
    /// Whether the broken state has the larger figure.
    pub worse_is_more: bool,
}

/// A report that has no scenario here. Its reason is at `left.<number>`.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// Its row in the table of public reports, from 1.
    pub number: u8,
    /// Where it was reported.
    pub source: &'static str,
}

/// All incidents, one list a half of the table, each in the order of its numbers.
pub static INCIDENTS: &[&[Incident]] = &[first::INCIDENTS, second::INCIDENTS];

/// All reports without a scenario, one list a half of the table.
pub static LEFT: &[&[Left]] = &[first::LEFT, second::LEFT];

/// Runs lane 1 of one state to its end and returns the incident's figure, in the unit of
/// [`Measure`]. `seed` is added to that of the link, as a study does for its bands.
///
/// # Errors
/// What keeps the state from being run.
pub fn measure(incident: &Incident, broken: bool, seed: u32) -> Result<f64, Vec<Problem>> {
    let fragment = if broken { incident.broken } else { incident.cured };
    let (state, _) = link::read(fragment);
    let mut scenario = state.study.scenario(0, None)?;
    scenario.seed += u64::from(seed);
    Ok(incident.measure.of_run(&scenario))
}
