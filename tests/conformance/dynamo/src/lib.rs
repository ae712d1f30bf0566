//! Compares `dynamo-kv` with Dynamo's own worker selector, decision by decision.
//!
//! A [`State`] is one decision in neutral numbers, drawn from a seed. [`ours`] and [`upstream`]
//! put it into the terms of each side; [`compare`] holds one against the other and [`Coverage`]
//! counts what has been seen. Upstream's costs are read exactly, from the log line of each choice.
//!
//! Upstream is `dynamo-kv-router` 1.6.1 with its feature `bench`. Its `lmetric` policy came later,
//! so the product of prefill and decode is not compared here.

pub mod chance;
pub mod compare;
pub mod coverage;
pub mod draw;
pub mod listen;
pub mod ours;
pub mod state;
pub mod upstream;

pub use coverage::Coverage;
pub use state::State;
