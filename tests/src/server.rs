//! What the browsers talk to: the site under test, and a wall that stands for everywhere else.

mod wall;

pub use tokenyard_serve::{Options, Request, Server};
pub use wall::Wall;
