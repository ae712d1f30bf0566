//! The small models: exact, deterministic, from parameters to a full step-by-step record.
//!
//! Each model is a pure function from validated parameters to a run. No model reads a clock,
//! iterates a hash map, or draws from a stream it does not own. Parameters come from
//! [`tokenyard_param::Values`], which cannot hold a value out of range, so no run can fail.

pub mod batching;
pub mod herding;
pub mod prefix_affinity;
pub mod queueing_knee;
pub mod retries;
pub mod routing_lab;
