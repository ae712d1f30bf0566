//! Everything that touches the browser, guarded: each function does nothing, or says so, where
//! the browser refuses.

pub mod clock;
pub mod dom;
pub mod host;
pub mod keys;
pub mod nav;
pub mod panic;
pub mod patch;
pub mod save;
pub mod sight;
pub mod store;
pub mod tools;
pub mod worker;
