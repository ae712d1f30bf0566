//! The player: one component everywhere, by button, by scrubber and by key.

use leptos::prelude::*;
use tokenyard_lab::{Column, Table, Words, msg};
use tokenyard_param::number::read;

use super::icon::{Icon, Shape};
use super::live::{flag, follow, live, text};
use crate::platform::clock::Debounce;
use crate::shell::{Shell, shell};
use crate::state::Playback;

/// Playback speeds.
const SPEEDS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];
/// Milliseconds that playback stays at a key moment, so that its cue can be read.
const DWELL_MS: f64 = 1500.0;

/// Player controls. `small` leaves out all but play, scrubber and position.
#[component]
pub fn Player(
    /// What is played.
    play: Playback,
    /// For the home page's scene.
    #[prop(optional)]
    small: bool,
) -> impl IntoView {
    let shell = shell();
    playback(play);
    let help = RwSignal::new(false);
    view! {
        <div
            class="player"
            class:is-small=small
            role="group"
            tabindex="0"
            aria-label=shell.t("player.name")
            on:keydown=move |event| key(play, help, &event)
        >
            <div class="player-row" dir="ltr">
                {(!small)
                    .then(|| view! {
                        <PlayerButton key="player.restart" shape=Shape::Restart act=move || { play.playing.set(false); play.seek(0) } />
                        <PlayerButton key="player.back" shape=Shape::Back act=move || play.nudge(-1) />
                    })}
                <PlayButton play />
                {(!small)
                    .then(|| view! { <PlayerButton key="player.forward" shape=Shape::Forward act=move || play.nudge(1) /> })}
                <Scrubber play />
                // Not an `output`: that would be announced at every step of playback.
                <span class="position">
                    {text(move || {
                        let at = msg("player.position").with("at", play.step.get() + 1);
                        shell.now(&at.with("of", play.steps()))
                    })}
                </span>
                {(!small).then(|| view! { <Pace play help /> })}
            </div>
            <p class="player-keys" hidden=flag(move || !help.get())>
                {shell.t("player.keys")}
            </p>
        </div>
    }
    .into_any()
}

#[component]
fn PlayerButton(key: &'static str, shape: Shape, act: impl Fn() + 'static) -> impl IntoView {
    let shell = shell();
    view! {
        <button type="button" class="player-button" aria-label=shell.t(key) title=shell.t(key) on:click=move |_| act()>
            <Icon shape />
        </button>
    }
    .into_any()
}

#[component]
fn PlayButton(play: Playback) -> impl IntoView {
    let shell = shell();
    let name = move || shell.t(if play.playing.get() { "player.pause" } else { "player.play" }).get();
    let shape = Signal::derive(move || if play.playing.get() { Shape::Pause } else { Shape::Play });
    view! {
        <button type="button" class="player-button is-main" aria-label=name title=name on:click=move |_| play.toggle()>
            <Icon shape />
        </button>
    }
    .into_any()
}

/// The scrubber: a native range with the key moments marked under it.
#[component]
fn Scrubber(play: Playback) -> impl IntoView {
    let shell = shell();
    let value_text = move || {
        let step = play.step.get();
        let say = play.run.with(|run| run.0.say(step));
        shell.now(&msg("player.value").with("at", step + 1).with("of", play.steps()).with("say", say))
    };
    let marks = move || {
        let last = f64::from(play.steps().max(2) - 1);
        let mark = |m: &tokenyard_lab::Moment| {
            let at = (f64::from(m.step) / last * 1000.0).to_string();
            view! { <circle class="moment" cx=at cy="6" r="5"></circle> }
        };
        play.moments.with(|all| all.iter().map(mark).collect_view())
    };
    view! {
        <div class="scrubber">
            <input
                type="range"
                min="1"
                max=text(move || play.steps().to_string())
                step="1"
                prop:value=text(move || (play.step.get() + 1).to_string())
                value=text(move || (play.step.get_untracked() + 1).to_string())
                aria-label=shell.t("player.scrubber")
                aria-valuetext=value_text
                on:input:target=move |event| {
                    play.playing.set(false);
                    play.seek(event.target().value().parse::<i64>().unwrap_or(1) - 1);
                }
            />
            <svg class="moments" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
                {live(marks)}
            </svg>
        </div>
    }
    .into_any()
}

/// Speed, repeat and help.
#[component]
fn Pace(play: Playback, help: RwSignal<bool>) -> impl IntoView {
    let shell = shell();
    let options = SPEEDS.map(|speed| {
        view! {
            <option value=speed.to_string() selected=flag(move || play.speed.get() == speed)>
                {format!("{speed}×")}
            </option>
        }
    });
    view! {
        <select
            class="speed"
            aria-label=shell.t("player.speed")
            on:change:target=move |event| play.speed.set(read(&event.target().value()).unwrap_or(1.0))
        >
            {options.collect_view()}
        </select>
        <button
            type="button"
            class="player-button"
            aria-label=shell.t("player.loop")
            title=shell.t("player.loop")
            aria-pressed=text(move || play.repeat.get().to_string())
            on:click=move |_| play.repeat.update(|r| *r = !*r)
        >
            <Icon shape=Shape::Repeat />
        </button>
        <button
            type="button"
            class="player-button"
            aria-label=shell.t("player.help")
            aria-expanded=text(move || help.get().to_string())
            on:click=move |_| help.update(|h| *h = !*h)
        >
            "?"
        </button>
    }
    .into_any()
}

/// Keys while the player or anything in it has the focus.
fn key(play: Playback, help: RwSignal<bool>, event: &web_sys::KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let name = crate::platform::keys::target_tag(event);
    let (on_button, on_select) = (name == "BUTTON", name == "SELECT");
    let stride = if event.shift_key() { 10 } else { 1 };
    match event.key().as_str() {
        // Space on a button presses that button, and arrows on a list move in the list.
        " " if on_button || on_select => return,
        "ArrowLeft" | "ArrowDown" | "ArrowRight" | "ArrowUp" | "Home" | "End" if on_select => return,
        " " | "k" | "K" => play.toggle(),
        "ArrowLeft" | "ArrowDown" => play.nudge(-stride),
        "ArrowRight" | "ArrowUp" => play.nudge(stride),
        "Home" => play.nudge(-i64::from(u32::MAX)),
        "End" => play.nudge(i64::from(u32::MAX)),
        "<" | "," => change_speed(play, -1),
        ">" | "." => change_speed(play, 1),
        "?" => help.update(|h| *h = !*h),
        "Escape" => crate::platform::keys::leave(event),
        _ => return,
    }
    event.prevent_default();
}

fn change_speed(play: Playback, by: i32) {
    let now = SPEEDS.iter().position(|s| *s == play.speed.get_untracked()).unwrap_or(2) as i32;
    let to = usize::try_from((now + by).max(0)).unwrap_or(0).min(SPEEDS.len() - 1);
    play.speed.set(SPEEDS[to]);
}

/// Steps while playing. Paced by a timer per step, never by differences of the wall clock: a
/// page that was hidden for an hour goes on where it was.
fn playback(play: Playback) {
    let timer = Debounce::new(0);
    follow(move |_| {
        if !play.playing.get() {
            timer.cancel();
            return;
        }
        let pause = if play.moment().is_some() { DWELL_MS } else { 0.0 };
        let wait = (f64::from(play.step_ms.get()) + pause) / play.speed.get();
        // The end of the run is looked at through `advance`, so nothing else is tracked here.
        timer.call_in(wait as u64, move || play.advance());
    });
}

/// Announces the settled sentence, never during playback and never per tick of a slider.
#[component]
pub fn Announcer(
    /// What is played.
    play: Playback,
    /// The outcome in one sentence.
    headline: Signal<String>,
) -> impl IntoView {
    let shell: Shell = shell();
    let said = RwSignal::new(String::new());
    let settle = Debounce::new(700);
    follow(move |first| {
        let step = play.step.get();
        headline.track();
        let playing = play.playing.get();
        if playing {
            // What was about to be said of the step before would be said while it plays.
            settle.cancel();
        }
        if playing || first {
            return;
        }
        settle.call(move || {
            let say = play.run.with_untracked(|run| run.0.say(step));
            let headline = headline.get_untracked();
            said.set(format!("{} {headline}", shell.words.with_untracked(|w| w.say(&say))));
        });
    });
    view! {
        <div class="visually-hidden" aria-live="polite" role="status" id="announcer">
            {said}
        </div>
    }
    .into_any()
}

/// The row in view as a sentence.
#[must_use]
pub fn headline(columns: &[Column], table: &Table, words: &Words) -> String {
    let Some(row) = table.headline() else {
        return String::new();
    };
    let figure = |(c, v): (&Column, &f64)| {
        format!("{} {}", words.at(&["col", c.key]), super::table::cell(words, c, *v))
    };
    let figures: Vec<String> = columns.iter().zip(&row.cells).map(figure).collect();
    format!("{}: {}.", words.say(&row.name), figures.join(words.get("number.list")))
}
