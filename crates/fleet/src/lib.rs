//! The fleet simulator: client, gateway, router and engine over one clock of whole picoseconds.
//!
//! What it does exactly stands in `docs/design/fleet.md`. Nothing here reads a clock or draws from
//! a generator that the run's seed did not make.

pub mod chain;
pub mod digest;
pub mod engine;
pub mod metrics;
pub mod presets;
pub mod record;
pub mod recording;
pub mod request;
mod router;
pub mod run;
pub mod scenario;
pub mod time;
pub mod trace_file;
pub mod workload;
pub mod world;

pub use recording::Recording;
pub use request::Request;
pub use scenario::Scenario;
pub use time::Ps;
pub use workload::Workload;
pub use world::World;
