//! The code of a finished task.

use std::sync::Arc;

use leptos::prelude::*;
use tokenyard_lesson::Lesson;
use tokenyard_lesson::code::Finished;

/// Makes it.
#[component]
pub fn Finish(
    /// The lesson.
    lesson: Arc<Lesson>,
    /// Its step.
    step: String,
    /// How it was finished, once it is.
    outcome: Signal<Option<Finished>>,
) -> impl IntoView {
    let _ = (lesson, step);
    view! { <p>{move || format!("{:?}", outcome.get())}</p> }.into_any()
}
