//! The list of labs. Adding one is a folder here, a folder of words, and one line below.

mod batching;
mod herding;
mod prefix_affinity;
mod queueing_knee;
mod retries;
mod routing_lab;

use crate::spec::{LabSpec, Preset};

/// All labs, in reading order of the home page.
pub static LABS: &[&LabSpec] = &[
    &queueing_knee::LAB,
    &routing_lab::LAB,
    &herding::LAB,
    &prefix_affinity::LAB,
    &batching::LAB,
    &retries::LAB,
];

/// The lab with an identifier.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static LabSpec> {
    LABS.iter().copied().find(|lab| lab.id == id)
}

/// The preset page called `<lab>-<preset>`. Both parts may have dashes.
#[must_use]
pub fn preset(name: &str) -> Option<(&'static LabSpec, &'static Preset)> {
    let of_lab = |lab: &'static LabSpec| {
        let key = name.strip_prefix(lab.id)?.strip_prefix('-')?;
        lab.presets.iter().find(|preset| preset.key == key).map(|preset| (lab, preset))
    };
    LABS.iter().copied().find_map(of_lab)
}

#[cfg(test)]
mod rubric;
#[cfg(test)]
mod tests;
