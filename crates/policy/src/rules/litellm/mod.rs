//! LiteLLM's routing strategies, and what its router does around all of them.

mod cooldown;
pub(super) mod cost_based;
pub(super) mod latency_based;
pub(super) mod least_busy;
mod met;
mod minute;
pub(super) mod simple_shuffle;
pub(super) mod usage_based;
