//! What the browsers talk to: the site under test, and a wall that stands for everywhere else.

mod files;
mod wall;

pub use files::{Options, Request, Server};
pub use wall::Wall;
