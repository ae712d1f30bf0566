//! Guesses of a class.

use leptos::prelude::*;
use tokenyard_lesson::code::Room;

/// How often each was made.
#[component]
pub fn Answers(
    /// The room.
    room: RwSignal<Room>,
    /// What is right, once it is out.
    outcome: Signal<Option<f64>>,
    /// Each guess in words.
    labels: Signal<Vec<String>>,
) -> impl IntoView {
    let said = move || format!("{:?} {:?} {}", room.with(Room::counts), outcome.get(), labels.with(Vec::len));
    view! { <p>{said}</p> }.into_any()
}
