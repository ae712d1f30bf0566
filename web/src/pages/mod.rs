//! The pages.

mod bar;
mod below;
pub mod home;
pub mod lab;
pub mod proof;
