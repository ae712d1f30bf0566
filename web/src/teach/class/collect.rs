//! The presenter's side: codes pasted, typed or scanned, how many count, and what does not and why.

use leptos::html::{Button, Textarea};
use leptos::prelude::*;
use tokenyard_lab::{Arg, Markup, Msg, Words, msg};
use tokenyard_lesson::code::Room;
use web_sys::{ClipboardEvent, KeyboardEvent};

use super::camera::Camera;
use super::copy::Copy;
use super::desk::{Desk, Log, refusal};
use crate::shell::shell;
use crate::widgets::live::{drawn, flag, live, text};

/// Collects codes into a room.
#[component]
pub fn Collect(
    /// The class's guesses.
    room: RwSignal<Room>,
) -> impl IntoView {
    let shell = shell();
    let desk = Desk::new(room);
    // Set anew even if the words are the same, so that they are spoken again.
    let said = RwSignal::new(Vec::<Msg>::new());
    let learners = move || shell.now(&msg("class.learners").with("n", room.with(Room::learners)));
    let line = move || {
        let sentences: Vec<String> = said.get().iter().map(|m| shell.now(m)).collect();
        view! { <span>{sentences.join(" ")}</span> }
    };
    view! {
        <section class="card collect" aria-label=shell.t("class.collect")>
            <div class="collect-head">
                <h3 class="card-title">{shell.t("class.collect")}</h3>
                <p class="collect-count">{text(learners)}</p>
            </div>
            <Field desk said />
            <p role="status" class="collect-said">{live(line)}</p>
            <Camera desk />
            <Refused desk />
            <Keep desk said />
        </section>
    }
    .into_any()
}

/// Where codes are pasted or typed.
#[component]
fn Field(desk: Desk, said: RwSignal<Vec<Msg>>) -> impl IntoView {
    let shell = shell();
    let field = NodeRef::<Textarea>::new();
    let typed = move || {
        let Some(field) = field.get_untracked() else {
            return;
        };
        let took = desk.take(&field.value());
        // What has a slip is mended where it was typed.
        if took.any() && !took.is_slip() {
            field.set_value("");
        }
        said.set(took.say());
        let _ = field.focus();
    };
    let pasted = move |event: ClipboardEvent| {
        let given = event.clipboard_data().and_then(|data| data.get_data("text/plain").ok());
        let took = desk.take(&given.unwrap_or_default());
        // Without a code in it the text goes into the field, as it would anywhere: half a code, perhaps.
        if took.any() {
            event.prevent_default();
        }
        said.set(took.say());
    };
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            typed();
        }
    };
    view! {
        <label class="collect-field">
            <span>{shell.t("class.paste")}</span>
            <textarea
                node_ref=field
                rows="3"
                spellcheck="false"
                autocomplete="off"
                autocapitalize="characters"
                placeholder="4K7P-9TQX-2MZD"
                on:paste=pasted
                on:keydown=keys
            ></textarea>
        </label>
        <button type="button" class="is-primary" aria-keyshortcuts="Control+Enter Meta+Enter" on:click=move |_| typed()>
            {shell.t("class.add")}
        </button>
    }
    .into_any()
}

/// What was not counted, and why; what was counted before is folded away.
#[component]
fn Refused(desk: Desk) -> impl IntoView {
    let shell = shell();
    let wrong = move || shell.words.with(|words| desk.wrong.with(|log| lines(log, words)));
    let again = move || shell.words.with(|words| desk.again.with(|log| lines(log, words)));
    let repeated = text(move || shell.now(&msg("class.repeated").with("n", desk.room.with(Room::repeated))));
    let clear = move |_| desk.wrong.set(Log::default());
    view! {
        <div class="refused" hidden=flag(move || desk.wrong.with(Log::is_empty))>
            <div class="collect-head">
                <h4>{shell.t("class.refused-title")}</h4>
                <button type="button" class="link-button" on:click=clear>{shell.t("class.clear")}</button>
            </div>
            <div class="refused-box" tabindex="0" role="group" aria-label=shell.t("class.refused-title")>
                {drawn("", wrong)}
            </div>
        </div>
        <details class="refused" hidden=flag(move || desk.again.with(Log::is_empty))>
            <summary>{repeated}</summary>
            <div class="refused-box" tabindex="0" role="group" aria-label=repeated>{drawn("", again)}</div>
        </details>
    }
    .into_any()
}

/// A log as a list.
fn lines(log: &Log, words: &Words) -> String {
    let mut m = Markup::default();
    m.el("ul", &[("class", "refused-list")], |m| {
        for (rejected, times) in log.lines() {
            m.el("li", &[], |m| {
                m.text(&words.say(&refusal(rejected)));
                if *times > 1 {
                    m.text_el(
                        "span",
                        &[("class", "note")],
                        &words.say(&msg("class.times").with("n", *times)),
                    );
                }
            });
        }
    });
    if log.rest() > 0 {
        m.text_el("p", &[("class", "note")], &words.say(&msg("class.rest").with("n", log.rest())));
    }
    m.finish()
}

/// Taking the codes along, and starting over.
#[component]
fn Keep(desk: Desk, said: RwSignal<Vec<Msg>>) -> impl IntoView {
    let shell = shell();
    let asks = RwSignal::new(false);
    let (over, keep) = (NodeRef::<Button>::new(), NodeRef::<Button>::new());
    let codes = text(move || desk.room.with(Room::codes).join("\n"));
    // The button that was pressed goes away; the focus goes where the reader goes on.
    let ask = move |asked: bool| {
        asks.set(asked);
        let next = if asked { keep } else { over };
        request_animation_frame(move || {
            if let Some(button) = next.try_get_untracked().flatten() {
                let _ = button.focus();
            }
        });
    };
    let forget = move |_| {
        desk.clear();
        said.set(vec![msg("class.forgotten")]);
        ask(false);
    };
    let escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            ask(false);
        }
    };
    let empty = flag(move || desk.room.with(|room| room.learners() == 0));
    let question =
        move || shell.now(&msg("class.forget-ask").with("n", Arg::from(desk.room.with(Room::learners))));
    view! {
        <div class="own-actions">
            <span class="own-actions" hidden=empty><Copy name="class.copy-all" what=codes /></span>
            <button type="button" node_ref=over hidden=asks on:click=move |_| ask(true)>{shell.t("class.start-over")}</button>
        </div>
        <div class="collect-ask" role="group" aria-label=shell.t("class.start-over") hidden=flag(move || !asks.get()) on:keydown=escape>
            <p>{text(question)}</p>
            <button type="button" node_ref=keep on:click=move |_| ask(false)>{shell.t("class.keep")}</button>
            <button type="button" class="is-primary" on:click=forget>{shell.t("class.forget")}</button>
        </div>
    }
    .into_any()
}
