//! The fleet simulator: client, gateway, router and engine over one clock of whole picoseconds.
//!
//! What it does exactly stands in `docs/design/fleet.md`. Nothing here reads a clock or draws from
//! a generator that the run's seed did not make.

pub mod chain;
pub mod engine;
pub mod time;

pub use time::Ps;
