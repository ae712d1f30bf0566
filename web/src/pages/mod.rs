//! The pages.

pub mod home;
pub mod lab;
mod below;
mod bar;
pub mod proof;
