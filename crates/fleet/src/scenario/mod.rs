//! Scenarios: what a run is, in one versioned file.
//!
//! A file is read into a [`Draft`], where every value is in its own range; a draft is built into a
//! [`Scenario`], where every two values fit each other. Nothing after that checks again.

pub mod change;
mod checks;
pub mod client;
mod draft;
pub mod fleet;
pub mod gateway;
mod json;
pub mod limits;
mod problem;
mod read;
pub mod router;
mod schema;
mod table;
#[cfg(test)]
mod tests;
pub mod workload;
mod write;

pub use change::{Change, ChangeKind};
pub use client::ClientSettings;
pub use draft::{DEFAULT_RULE, Draft, MOST_SEED, Section};
pub use fleet::FleetSettings;
pub use gateway::GatewaySettings;
pub use json::{MOST_BYTES, MOST_DEPTH};
pub use limits::{Limits, Slo};
pub(crate) use problem::shorten;
pub use problem::{MOST_PROBLEMS, Problem};
pub use router::{KnowledgeSource, LoadSource, RouterSettings, ScrapePhase, Share};
pub use schema::{VERSION, schema};
pub use workload::WorkloadSettings;

use crate::trace_file::Trace;

/// A whole scenario, valid.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Seed of every random stream.
    pub seed: u64,
    /// What arrives.
    pub workload: WorkloadSettings,
    /// Who serves it.
    pub fleet: FleetSettings,
    /// Who decides where it goes.
    pub router: RouterSettings,
    /// Who asks.
    pub client: ClientSettings,
    /// What stands before the routers.
    pub gateway: GatewaySettings,
    /// What happens to replicas, in order of time.
    pub changes: Vec<Change>,
    /// When the run stops.
    pub limits: Limits,
    /// What counts as good.
    pub slo: Slo,
}

impl Scenario {
    /// Reads a file and builds it; `trace` is the one that the run will have beside it.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(bytes: &[u8], trace: Option<&Trace>) -> Result<Self, Vec<Problem>> {
        Draft::read(bytes)?.build(trace)
    }
}
