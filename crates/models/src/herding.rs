//! Herding: several routers send identical arrivals on load figures that are some ticks old.
//!
//! Exact rules of the published player. Per tick: finished requests leave; routers whose phase
//! has come copy the true loads; then each arrival goes to the next router in turn, which
//! decides on its copy. Everything a run decided is kept, so that any tick can be shown and
//! any decision asked why.
//!
//! Cost: O(horizon · arrivals · replicas) time and memory; the default run is 180 decisions.

mod params;
mod run;
mod summary;

pub use params::{Fork, PARAMS, Params, Phases, Rule};
pub use run::{Decision, Run, Tick, run};
pub use summary::{Summary, summary};
