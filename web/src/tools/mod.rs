//! What few readers open: sharing and embedding, exports, files that reopen a state.
//!
//! A program of its own (`web/src/bin/tools.rs`), asked for when a reader opens the dialog or drops a
//! file: what it holds would be a burden to every lab page. The page and it share no memory; what the
//! page knows crosses as a [`Request`].

pub mod export;
pub mod handout;
pub mod open;
pub mod panel;
pub mod place;
pub mod png;
pub mod request;

use std::cell::RefCell;

use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::Render;
use web_sys::HtmlElement;

use crate::page::Program;
use crate::shell::{Colours, Shell};

pub use request::Request;

type Shown = UnmountHandle<<AnyView as Render>::State>;

thread_local! {
    /// What is in the dialog now.
    static SHOWN: RefCell<Option<Shown>> = const { RefCell::new(None) };
}

/// Fills the dialog's body. What it showed before is taken away.
pub fn open(place: HtmlElement, request: Request) {
    close();
    let Request { page, lang, state, sweep } = request;
    let shown = mount_to(place, move || {
        let shell = Shell::new(Program::Labs, page, lang, Colours::System);
        provide_context(shell);
        let lab = shell.page.with_untracked(|page| page.kind.lab());
        lab.map(|lab| view! { <panel::Panel lab state sweep /> }).into_any()
    });
    SHOWN.with_borrow_mut(|old| *old = Some(shown));
}

/// Empties the dialog.
pub fn close() {
    SHOWN.with_borrow_mut(|shown| drop(shown.take()));
}
