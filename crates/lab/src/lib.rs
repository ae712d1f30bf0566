//! The labs without a browser: what each one asks, runs, shows and says, as plain data.
//!
//! A lab is one [`LabSpec`] in the list [`labs::LABS`]. It turns settings into a [`LabRun`], and
//! a run answers everything a page needs for any step. The page, the command line, the worker
//! and the page generator know no lab by name.
//!
//! There are no sentences in this crate: it returns [`Msg`]s, keys with arguments, and
//! [`Words`] turns them into a language.

#[cfg(feature = "catalogues")]
pub mod catalogue;
pub mod digest;
pub mod dots;
pub mod figure;
pub mod labs;
pub mod link;
pub mod luck;
pub mod markup;
pub mod msg;
pub mod pseudo;
pub mod run;
pub mod spec;
pub mod sweep;
pub mod task;
pub mod words;

pub use figure::{Axis, Figure, Guide, Pin, Series, Shape};
pub use markup::Markup;
pub use msg::{Arg, Msg, msg};
pub use run::{Decision, Grid, GridRow, LabRun, Moment, Row, Table};
pub use spec::{
    Ask, Challenge, Column, Effect, Fork, Goal, Knob, LabSpec, Mark, Prediction, Preset, Section, Setup,
};
pub use sweep::Sweep;
pub use task::Task;
pub use words::Words;
