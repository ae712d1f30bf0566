//! The list of labs. Adding one is a folder here, a folder of words, and one line below.

mod batching;
mod herding;
mod prefix_affinity;
mod queueing_knee;
mod retries;
mod routing_lab;

use crate::spec::{LabSpec, Preset};

/// All labs, in reading order of the home page.
pub static LABS: &[&LabSpec] = ALL;

/// As a constant, so that a program may choose one while it is compiled and not hold the others.
const ALL: &[&LabSpec] = &[
    &queueing_knee::LAB,
    &routing_lab::LAB,
    &herding::LAB,
    &prefix_affinity::LAB,
    &batching::LAB,
    &retries::LAB,
];

/// Their identifiers in the same order, for those who only lead to them.
pub static IDS: [&str; ALL.len()] = ids();

const fn ids() -> [&'static str; ALL.len()] {
    let (mut ids, mut at) = ([""; ALL.len()], 0);
    while at < ids.len() {
        ids[at] = ALL[at].id;
        at += 1;
    }
    ids
}

/// The lab with an identifier.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static LabSpec> {
    find(LABS, id)
}

/// The lab with an identifier among those that are at hand.
#[must_use]
pub fn find(labs: &[&'static LabSpec], id: &str) -> Option<&'static LabSpec> {
    labs.iter().copied().find(|lab| lab.id == id)
}

/// The lab with an identifier, for constants.
///
/// # Panics
/// If there is none, which then does not compile.
#[must_use]
pub const fn named(id: &str) -> &'static LabSpec {
    let mut at = 0;
    while !is_same(ALL[at].id.as_bytes(), id.as_bytes()) {
        at += 1;
        assert!(at < ALL.len(), "no lab has this identifier");
    }
    ALL[at]
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The preset page called `<lab>-<preset>`. Both parts may have dashes.
#[must_use]
pub fn preset(name: &str) -> Option<(&'static LabSpec, &'static Preset)> {
    preset_in(LABS, name)
}

/// The same among the labs that are at hand.
#[must_use]
pub fn preset_in(labs: &[&'static LabSpec], name: &str) -> Option<(&'static LabSpec, &'static Preset)> {
    let of_lab = |lab: &'static LabSpec| {
        let key = name.strip_prefix(lab.id)?.strip_prefix('-')?;
        lab.presets.iter().find(|preset| preset.key == key).map(|preset| (lab, preset))
    };
    labs.iter().copied().find_map(of_lab)
}

#[cfg(test)]
mod rubric;
#[cfg(test)]
mod tests;
