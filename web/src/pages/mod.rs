//! The pages.

pub mod bar;
pub mod below;
pub mod embed;
pub mod fleet;
pub mod home;
pub mod lab;
pub mod proof;
