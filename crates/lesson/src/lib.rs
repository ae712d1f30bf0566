//! Lessons: a file that anybody can write by hand, checked down to its numbers, and the short codes
//! of a class without a server.
//!
//! [`read`] turns a file into a [`Lesson`] or into all of its [`Fault`]s; [`write()`] is its canonical
//! form. [`Facts`] computes the numbers that texts name. [`trial::faults`] tries tasks with 200 seeds.
//! [`code`] has the codes of guesses and of finished tasks, and [`code::Room`] counts them.
//!
//! As in `tokenyard-lab` there are no sentences here: faults and answers are messages, keys of the
//! catalogue `lesson` with arguments.

pub mod code;
mod facts;
mod fault;
pub mod fleet;
mod formula;
pub mod handout;
pub mod link;
mod model;
mod place;
pub mod prose;
pub mod qr;
mod question;
mod read;
pub mod say;
pub mod shipped;
mod toml;
pub mod trial;
mod write;

pub use facts::{Facts, Samples, Source};
pub use fault::{Fault, Line, shorten};
pub use formula::{Formula, Reference, Relation, Side, Stat};
pub use model::{Fleet, Goal, Lesson, Misconception, Predict, Predicted, Step, Task, Text};
pub use place::Place;
pub use question::{Asked, Question};
pub use read::{Limit, MAX_STEPS, read};
pub use toml::MAX_BYTES;
pub use write::write;
