//! Widgets: one per file, none of which knows a lab by name.

pub mod chart;
pub mod copy;
pub mod file;
pub mod icon;
pub mod knob;
pub mod live;
pub mod luck;
pub mod open;
pub mod paper;
pub mod player;
pub mod predict;
pub mod rich;
pub mod scene;
pub mod share;
pub mod table;
pub mod task;
pub mod why;
