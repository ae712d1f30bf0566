//! A class without a server: codes of guesses and of finished tasks, shown, collected and counted.
//!
//! Learners see [`own::OwnCode`] and [`finish::Finish`]; the presenter has [`collect::Collect`] with the
//! camera, [`histogram::Answers`], and [`verify::Verify`]. Nothing is stored or sent here, and no code
//! says who made it. Words: catalogues `class` and, for reasons, `lesson`.

mod bins;
pub mod camera;
pub mod collect;
pub mod copy;
pub mod desk;
mod draw;
pub mod finish;
pub mod histogram;
mod look;
pub mod own;
pub mod verify;

#[cfg(test)]
#[cfg(feature = "ssr")]
mod tests;
