//! The list of labs. Adding one is a folder here, a folder of words, and one line below.

mod batching;
mod herding;
<<<<<<< HEAD
mod prefix_affinity;
=======
mod routing_lab;
>>>>>>> h-rl

use crate::spec::LabSpec;

/// All labs, in reading order of the home page.
<<<<<<< HEAD
pub static LABS: &[&LabSpec] = &[&herding::LAB, &prefix_affinity::LAB, &batching::LAB];
=======
pub static LABS: &[&LabSpec] = &[&routing_lab::LAB, &herding::LAB];
>>>>>>> h-rl

/// The lab with an identifier.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static LabSpec> {
    LABS.iter().copied().find(|lab| lab.id == id)
}

#[cfg(test)]
mod tests;
