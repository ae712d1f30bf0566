//! Codes of a class.

use leptos::prelude::*;
use tokenyard_lesson::code::Room;

/// Collects them.
#[component]
pub fn Collect(
    /// The room.
    room: RwSignal<Room>,
) -> impl IntoView {
    view! { <p>{move || room.with(Room::learners)}</p> }.into_any()
}
