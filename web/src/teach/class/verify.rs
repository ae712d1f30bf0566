//! Codes of finished tasks.

use std::sync::Arc;

use leptos::prelude::*;
use tokenyard_lesson::Lesson;

/// Verifies them.
#[component]
pub fn Verify(
    /// The lesson.
    lesson: Arc<Lesson>,
    /// Its step.
    step: String,
) -> impl IntoView {
    view! { <p>{format!("{} {step}", lesson.id)}</p> }.into_any()
}
