//! The rules, one file each, and the one list of them.

use crate::rule::RuleSpec;

pub mod random;

/// Every rule, in the order in which lists show them.
pub static RULES: &[&RuleSpec] = &[&random::SPEC];

/// The rule of that id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static RuleSpec> {
    RULES.iter().copied().find(|spec| spec.id == id)
}
