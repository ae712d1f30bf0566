//! Load balancers of Envoy.

pub(super) mod cswrr;
pub(super) mod least_request;
mod schedule;
mod slow_start;
