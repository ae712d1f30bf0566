//! What a run is measured by.

mod outcome;
mod report;
mod samples;

pub use outcome::{Outcome, Outcomes, Status};
pub use report::{Quantiles, Regrets, Report};
pub use samples::Samples;
