//! A learner finished a task: a word of their own, and the code for the instructor.

use std::sync::Arc;

use leptos::prelude::*;
use tokenyard_lab::{Arg, msg};
use tokenyard_lesson::Lesson;
use tokenyard_lesson::code::{Finished, finished};

use super::own::OwnCode;
use crate::shell::shell;
use crate::widgets::live::{flag, text};

/// Asks for a word and gives the code; nothing before the task is finished.
#[component]
pub fn Finish(
    /// The lesson.
    lesson: Arc<Lesson>,
    /// The step whose task it is.
    step: String,
    /// How the task was finished; `None` before it is.
    outcome: Signal<Option<Finished>>,
) -> impl IntoView {
    let shell = shell();
    let word = RwSignal::new(String::new());
    // A word of blanks alone would be none.
    let given = move || word.get().split_whitespace().collect::<Vec<_>>().join(" ");
    let code = Signal::derive(move || {
        let word = given();
        let outcome = outcome.get().filter(|_| !word.is_empty());
        outcome.map(|outcome| finished(&lesson, &step, &word, outcome))
    });
    let name = text(move || shell.now(&msg("class.finished-name").with("word", Arg::Text(given()))));
    view! {
        <section class="card finish" aria-label=shell.t("class.finish") hidden=flag(move || outcome.get().is_none())>
            <h3 class="card-title">{shell.t("class.finish")}</h3>
            <label class="finish-field">
                <span>{shell.t("class.word")}</span>
                <input
                    type="text"
                    maxlength="40"
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    prop:value=word
                    on:input:target=move |event| word.set(event.target().value())
                />
            </label>
            <p class="note">{shell.t("class.word-help")}</p>
            <OwnCode code name />
        </section>
    }
    .into_any()
}
