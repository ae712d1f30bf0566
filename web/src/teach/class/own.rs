//! A learner's own code.

use leptos::prelude::*;
use tokenyard_lesson::code::Code;

use crate::widgets::live::text;

/// The code.
#[component]
pub fn OwnCode(
    /// The code, if there is one.
    code: Signal<Option<Code>>,
    /// What it is the code of.
    name: Signal<String>,
) -> impl IntoView {
    let shown = text(move || code.get().map_or(String::new(), |code| code.write()));
    view! { <p>{name} " " <strong>{shown}</strong></p> }.into_any()
}
