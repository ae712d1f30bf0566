//! One replica: continuous batching over a paged KV cache with prefix reuse.
//!
//! The semantics are those of `docs/design/fleet.md`, section 2. `types` and `cost` are all that
//! the reference engine of the tests shares with the engine proper.

mod advance;
mod batch;
pub(crate) mod cache;
pub mod cost;
pub mod gaps;
mod replica;
mod report;
mod seq;
mod stretch;
pub mod types;

pub use replica::{CacheChange, Out, Replica};
