//! Parts of a view that change, with one type for all of them.
//!
//! Every closure in a view has a type of its own, and the framework's machinery is compiled once
//! for each. Text goes through `Signal<String>` and everything else through here, which keeps the
//! module a third smaller.

use leptos::prelude::*;

/// A part of the view that is drawn anew when what it reads changes.
pub fn live<V: IntoView + 'static>(part: impl Fn() -> V + Send + 'static) -> AnyView {
    erased(Box::new(move || part().into_any()))
}

fn erased(part: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
    (move || part()).into_any()
}

/// Text that changes.
pub fn text(text: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(text)
}
