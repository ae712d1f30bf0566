//! The pages.

pub mod bar;
pub mod below;
pub mod home;
pub mod lab;
pub mod proof;
