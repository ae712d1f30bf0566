//! Load balancers of Envoy that take weighted turns.

pub(super) mod cswrr;
pub(super) mod least_request;
mod schedule;
mod slow_start;
