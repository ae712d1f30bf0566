//! One replica: continuous batching over a paged KV cache with prefix reuse.
//!
//! The semantics are those of `docs/design/fleet.md`, section 2. `types` and `cost` are all that
//! the reference engine of the tests shares with the engine proper.

mod advance;
mod batch;
mod blocks;
pub(crate) mod cache;
pub mod cost;
mod finishes;
pub mod gaps;
mod laws;
mod line;
mod replica;
mod report;
mod residues;
mod seq;
mod starts;
mod stretch;
pub mod types;

pub use replica::{CacheChange, Out, Replica};
