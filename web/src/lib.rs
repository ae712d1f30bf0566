//! The page: Leptos components over the plain data of `tokenyard-lab`.
//!
//! One set of components serves three times: in the browser (`csr`), natively as the first
//! frame of every page's file (`ssr`), and, without its chrome, in embeds. No component knows a
//! lab by name. All of `web-sys` is used from event handlers and effects, which do not run
//! natively.

#![recursion_limit = "256"]

pub mod app;
pub mod frame;
pub mod job;
pub mod page;
pub mod pages;
pub mod platform;
pub mod shell;
pub mod start;
pub mod state;
pub mod study;
pub mod teach;
pub mod tools;
pub mod widgets;

#[cfg(feature = "ssr")]
pub mod site;
