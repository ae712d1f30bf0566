//! Lessons on the page: read by one learner, or presented to a class.

pub mod class;
