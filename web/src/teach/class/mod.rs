//! A class without a server: codes of guesses and of finished tasks, shown, collected and counted.

pub mod collect;
pub mod finish;
pub mod histogram;
pub mod own;
pub mod verify;
