//! The workload from outside: what arrives, when, and what it shares.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod laws;
mod open_loop;
mod sessions;
mod stage;
