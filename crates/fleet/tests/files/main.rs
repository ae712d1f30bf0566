//! Files from outside: traces and scenarios, right ones, wrong ones and hostile ones.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod hostile;
mod import;
mod shared;
mod statistics;
