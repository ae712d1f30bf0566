//! Laws of everything that reads what somebody else may have written: a link, a scenario file, a
//! trace, a lesson, any dropped file. Each law is a function of bytes that panics where it does not hold; the programs in
//! `targets/` hand it to the fuzzer.

mod lesson;
mod link;
mod memory;
mod open;
mod scenario;
mod trace;

pub use lesson::lesson;
pub use link::link;
pub use open::open;
pub use scenario::scenario;
pub use trace::{azure, mooncake};
