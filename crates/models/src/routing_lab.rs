//! The routing lab: one arrival stream, a handful of replicas, six routing rules.
//!
//! Time is in ticks. A request is routed once, at its arrival, and stays where it was put. Each
//! replica has a FIFO queue, prefills one request at a time, decodes the rest as one batch, and
//! remembers a few prefix families. [`run`] keeps everything a step player shows;
//! [`summarise`] runs the same engine without the record, for sweeps.
//!
//! Rules, constants and expected results: section 1 of the small models' specification, checked
//! against `tests/data/article_lab.json`.

mod engine;
mod log;
mod metrics;
mod params;
mod replica;
mod rule;
mod run;
mod workload;

pub use metrics::{Summary, summarise};
pub use params::{PARAMS, Params};
pub use rule::{Fallback, Reason, Rule};
pub use run::{Decision, ReplicaRecord, RequestRecord, Run, run, summary};
pub use workload::{Request, Workload, WorkloadSummary};

/// The last tick a run may process; what is still unfinished after it makes the run `cut`.
pub const MAX_TICK: u32 = 20_000;
