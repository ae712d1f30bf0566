//! Drives Chromium, Firefox and WebKit over WebDriver, and says what a page did in them.
//!
//! A journey is an async function over a [`Tab`]. Pages are served unchanged from the loopback
//! address under their own strict policy: nothing is injected into what is served, console and
//! policy messages are read through each engine's own debugging channel, and every request that
//! tries to leave the machine lands in a listener that records it.
//!
//! What is deliberately absent: retries (a journey that fails once has failed) and any browser
//! download (a missing engine is skipped loudly, or fails under `CI=true`).

mod axe;
mod clock;
mod driver;
mod engine;
mod failure;
mod harness;
pub mod hosts;
mod journey;
mod log;
mod pdf;
mod server;
mod tab;

pub use axe::{AxeOptions, AxeResult, VERSION as AXE_VERSION, Violation, axe};
pub use clock::Stopwatch;
pub use engine::{ALL, Engine};
pub use failure::{Failure, Outcome};
pub use harness::main;
pub use journey::{Journey, Run, Site};
pub use log::{Entry, Level};
pub use pdf::Printed;
pub use server::{Options, Request, Server, Wall};
pub use tab::{By, Emulation, Found, Frame, Tab};
