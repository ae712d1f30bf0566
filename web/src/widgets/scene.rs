//! The stage: lanes, drawn by the lab, with the say line under them.

use leptos::prelude::*;

use super::live::{drawn, flag, text};
use crate::shell::shell;
use crate::state::Playback;

/// The scene at the present step.
#[component]
pub fn Scene(
    /// What is played.
    play: Playback,
) -> impl IntoView {
    let shell = shell();
    drawn("scene", move || {
        let (step, covered) = (play.step.get(), play.covered());
        play.run.with(|run| shell.words.with(|words| run.0.scene(step, covered, words)))
    })
}

/// The transcript's current sentence, with the cue of a key moment before it.
#[component]
pub fn Say(
    /// What is played.
    play: Playback,
) -> impl IntoView {
    let shell = shell();
    let sentence = Memo::new(move |_| {
        let step = play.step.get();
        shell.now(&play.run.with(|run| run.0.say(step)))
    });
    let cue = move || play.moment().map(|m| shell.now(&m.cue));
    view! {
        <p class="say">{sentence}</p>
        <p class="cue" class:is-quiet=flag(move || cue().is_none())>
            {text(move || cue().unwrap_or_else(|| "\u{a0}".to_owned()))}
        </p>
    }
    .into_any()
}
