//! A study: one workload and one fleet under up to four rules, on the same arrivals, side by side.
//!
//! It is to the fleet page what a lab is to a lab page: keys and numbers, no sentences, no browser.

pub mod changes;
mod columns;
mod figures;
mod lane;
pub mod link;
pub mod named;
mod reasons;
pub mod reports;
pub mod run;
mod scene;
mod setup;
mod story;
pub mod sweep;
pub mod why;
pub mod work;

pub use columns::{COLUMNS, FIRST};
pub use lane::{Answer, Candidate, Choice, ENDINGS, LaneRun};
pub use run::StudyRun;
pub use setup::{Lane, MOST_CANDIDATES, MOST_LANES, Study, rules};
