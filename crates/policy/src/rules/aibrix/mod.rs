//! AIBrix's routing strategies.

pub(super) mod least_latency;
mod means;
pub(super) mod multi_strategy;
pub(super) mod prefix_cache;
pub(super) mod throughput;
pub(super) mod vtc_basic;
