//! The player: one component everywhere, by button, by scrubber and by key.

use leptos::prelude::*;
use tokenyard_lab::msg;

use super::icon::{Icon, Shape};
use super::live::{flag, follow, live, text};
use crate::platform::clock::Debounce;
use crate::shell::{Shell, shell};
use crate::state::Lab;

/// Playback speeds.
const SPEEDS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];
/// Milliseconds that playback stays at a key moment, so that its cue can be read.
const DWELL_MS: f64 = 1500.0;

/// Player controls. `small` leaves out all but play, scrubber and position.
#[component]
pub fn Player(
    /// State of the lab page.
    lab: Lab,
    /// For the home page's scene.
    #[prop(optional)]
    small: bool,
) -> impl IntoView {
    let shell = shell();
    playback(lab);
    let help = RwSignal::new(false);
    view! {
        <div
            class="player"
            class:is-small=small
            role="group"
            tabindex="0"
            aria-label=shell.t("player.name")
            on:keydown=move |event| key(lab, help, &event)
        >
            <div class="player-row" dir="ltr">
                {(!small)
                    .then(|| view! {
                        <PlayerButton key="player.restart" shape=Shape::Restart act=move || { lab.playing.set(false); lab.seek(0) } />
                        <PlayerButton key="player.back" shape=Shape::Back act=move || lab.nudge(-1) />
                    })}
                <PlayButton lab />
                {(!small)
                    .then(|| view! { <PlayerButton key="player.forward" shape=Shape::Forward act=move || lab.nudge(1) /> })}
                <Scrubber lab />
                // Not an `output`: that would be announced at every step of playback.
                <span class="position">
                    {text(move || {
                        let at = msg("player.position").with("at", lab.step.get() + 1);
                        shell.now(&at.with("of", lab.steps()))
                    })}
                </span>
                {(!small).then(|| view! { <Pace lab help /> })}
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
fn PlayButton(lab: Lab) -> impl IntoView {
    let shell = shell();
    let name = move || shell.t(if lab.playing.get() { "player.pause" } else { "player.play" }).get();
    let shape = Signal::derive(move || if lab.playing.get() { Shape::Pause } else { Shape::Play });
    view! {
        <button type="button" class="player-button is-main" aria-label=name title=name on:click=move |_| lab.toggle()>
            <Icon shape />
        </button>
    }
    .into_any()
}

/// The scrubber: a native range with the key moments marked under it.
#[component]
fn Scrubber(lab: Lab) -> impl IntoView {
    let shell = shell();
    let value_text = move || {
        let step = lab.step.get();
        let say = lab.run.with(|run| run.0.say(step));
        shell.now(&msg("player.value").with("at", step + 1).with("of", lab.steps()).with("say", say))
    };
    let marks = move || {
        let last = f64::from(lab.steps().max(2) - 1);
        let mark = |m: &tokenyard_lab::Moment| {
            let at = (f64::from(m.step) / last * 1000.0).to_string();
            view! { <circle class="moment" cx=at cy="6" r="5"></circle> }
        };
        lab.moments.with(|all| all.iter().map(mark).collect_view())
    };
    view! {
        <div class="scrubber">
            <input
                type="range"
                min="1"
                max=text(move || lab.steps().to_string())
                step="1"
                prop:value=text(move || (lab.step.get() + 1).to_string())
                value=text(move || (lab.step.get_untracked() + 1).to_string())
                aria-label=shell.t("player.scrubber")
                aria-valuetext=value_text
                on:input:target=move |event| {
                    lab.playing.set(false);
                    lab.seek(event.target().value().parse::<i64>().unwrap_or(1) - 1);
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
fn Pace(lab: Lab, help: RwSignal<bool>) -> impl IntoView {
    let shell = shell();
    let options = SPEEDS.map(|speed| {
        view! {
            <option value=speed.to_string() selected=flag(move || lab.speed.get() == speed)>
                {format!("{speed}×")}
            </option>
        }
    });
    view! {
        <select
            class="speed"
            aria-label=shell.t("player.speed")
            on:change:target=move |event| lab.speed.set(event.target().value().parse().unwrap_or(1.0))
        >
            {options.collect_view()}
        </select>
        <button
            type="button"
            class="player-button"
            aria-label=shell.t("player.loop")
            title=shell.t("player.loop")
            aria-pressed=text(move || lab.repeat.get().to_string())
            on:click=move |_| lab.repeat.update(|r| *r = !*r)
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
fn key(lab: Lab, help: RwSignal<bool>, event: &web_sys::KeyboardEvent) {
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
        " " | "k" | "K" => lab.toggle(),
        "ArrowLeft" | "ArrowDown" => lab.nudge(-stride),
        "ArrowRight" | "ArrowUp" => lab.nudge(stride),
        "Home" => lab.nudge(-i64::from(u32::MAX)),
        "End" => lab.nudge(i64::from(u32::MAX)),
        "<" | "," => change_speed(lab, -1),
        ">" | "." => change_speed(lab, 1),
        "?" => help.update(|h| *h = !*h),
        "Escape" => crate::platform::keys::leave(event),
        _ => return,
    }
    event.prevent_default();
}

fn change_speed(lab: Lab, by: i32) {
    let now = SPEEDS.iter().position(|s| *s == lab.speed.get_untracked()).unwrap_or(2) as i32;
    let to = usize::try_from((now + by).max(0)).unwrap_or(0).min(SPEEDS.len() - 1);
    lab.speed.set(SPEEDS[to]);
}

/// Steps while playing. Paced by a timer per step, never by differences of the wall clock: a
/// page that was hidden for an hour goes on where it was.
fn playback(lab: Lab) {
    let timer = Debounce::new(0);
    follow(move |_| {
        if !lab.playing.get() {
            timer.cancel();
            return;
        }
        let pause = if lab.moment().is_some() { DWELL_MS } else { 0.0 };
        let wait = (f64::from(lab.spec.step_ms) + pause) / lab.speed.get();
        // The end of the run is looked at through `advance`, so nothing else is tracked here.
        timer.call_in(wait as u64, move || lab.advance());
    });
}

/// Announces the settled sentence, never during playback and never per tick of a slider.
#[component]
pub fn Announcer(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell: Shell = shell();
    let said = RwSignal::new(String::new());
    let settle = Debounce::new(700);
    follow(move |first| {
        let step = lab.step.get();
        lab.table.track();
        let playing = lab.playing.get();
        if playing {
            // What was about to be said of the step before would be said while it plays.
            settle.cancel();
        }
        if playing || first {
            return;
        }
        settle.call(move || {
            let say = lab.run.with_untracked(|run| run.0.say(step));
            let headline = lab.table.with_untracked(|t| headline(lab, t, shell));
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
fn headline(lab: Lab, table: &tokenyard_lab::Table, shell: Shell) -> String {
    let Some(row) = table.headline() else {
        return String::new();
    };
    shell.words.with_untracked(|words| {
        let figure = |(c, v): (&tokenyard_lab::Column, &f64)| {
            format!("{} {}", words.at(&["col", c.key]), super::table::cell(words, c, *v))
        };
        let figures: Vec<String> = lab.spec.columns.iter().zip(&row.cells).map(figure).collect();
        format!("{}: {}.", words.say(&row.name), figures.join(words.get("number.list")))
    })
}
