//! The cost function of Dynamo's KV router, apart from any fleet: pure functions over one
//! candidate's numbers, and the pick among costs.
//!
//! `dynamo-kv` and `kv-aware` both decide with it. It knows more than a [`crate::FleetView`] shows
//! today (host, disk and shared tiers, taints, pinned and overloaded workers), so that it can be
//! held against upstream case by case.
//!
//! Source: ai-dynamo/dynamo, `lib/kv-router/src/scheduling/selector` at 07a6c9ce and `config.rs` at
//! 0243c51b. Additions and products are in upstream's order, so costs agree to the bit; only the
//! multiplier of preferred taints may differ in its last bits, because exp and tanh are our own.
//! `tests/conformance/dynamo` compares every decision with release 1.6.1.

mod cost;
mod eligible;
mod pick;

pub use cost::{Cost, Inputs, Params, Role, Selection, cost, explained, taint_multiplier};
pub use eligible::{Constraints, Refusal, Worker, eligible};
pub use pick::{pick, probabilities, sample};
