//! The page around an embed: what it asks for, and what it is told.
//!
//! The first frame's script (`site/embed.js`) owns the wire: it checks who speaks, reports the
//! height, and keeps what was said before the application listened. Version 1 of the messages is
//! in `docs/embedding.md`.

use js_sys::{Function, Object, Reflect};
use leptos::prelude::*;
use tokenyard_lab::{Arg, Msg, msg};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use super::clock::Debounce;
use super::{dom, store};
use crate::shell::{Colours, Shell};
use crate::state::Lab;
use crate::widgets::live::follow;

/// Tells of every settled change, of a guess, of the end of the run and of what could not be taken over
/// of an address or a state, and does what is asked. Without a script of ours in the page it does nothing.
pub fn speak(shell: Shell, lab: Lab, refused: impl Fn() -> Vec<Msg> + 'static) {
    if cfg!(feature = "ssr") {
        return;
    }
    tell_state(lab);
    tell_refused(shell, lab, refused);
    tell_events(lab);
    let heard = Closure::<dyn FnMut(JsValue)>::new(move |message: JsValue| hear(shell, lab, &message));
    if let Some((wire, listen)) = wire("listen") {
        let _ = listen.call1(&wire, heard.as_ref());
    }
    heard.forget();
    let moved = window_event_listener_untyped("hashchange", move |_| lab.load(&super::nav::fragment()));
    on_cleanup(move || moved.remove());
}

/// The script's side, and one of its functions.
fn wire(name: &str) -> Option<(JsValue, Function)> {
    let wire = Reflect::get(&web_sys::window()?.into(), &"embed".into()).ok()?;
    let function = Reflect::get(&wire, &name.into()).ok()?.dyn_into().ok()?;
    Some((wire, function))
}

fn tell(kind: &str, field: &str, value: &str) {
    if let Some((wire, say)) = wire("say") {
        let rest = Object::new();
        let _ = Reflect::set(&rest, &field.into(), &value.into());
        let _ = say.call2(&wire, &kind.into(), &rest);
    }
}

fn tell_state(lab: Lab) {
    let settle = Debounce::new(400);
    let last = StoredValue::new(lab.link(false));
    follow(move |first| {
        lab.track();
        if first || lab.playing.get() {
            return;
        }
        settle.call(move || {
            let link = lab.link(false);
            if last.get_value() != link {
                tell("state", "link", &link);
                last.set_value(link);
            }
        });
    });
}

/// Who wrote the page has a console and not the lab before their eyes. What stands there instead is told
/// too.
fn tell_refused(shell: Shell, lab: Lab, refused: impl Fn() -> Vec<Msg> + 'static) {
    for (key, allowed) in [("theme", themes()), ("lang", languages(shell))] {
        if let Some(given) = store::query(key).filter(|given| !allowed.contains(given)) {
            refuse(shell, key, &given, allowed);
        }
    }
    let mut told = Vec::new();
    follow(move |_| {
        let all = refused();
        let news: Vec<&Msg> = all.iter().filter(|why| !told.contains(*why)).collect();
        if !news.is_empty() {
            news.into_iter().for_each(|why| say_error(shell, why));
            tell("state", "link", &untrack(|| lab.link(false)));
        }
        told = all;
    });
}

fn tell_events(lab: Lab) {
    follow(move |first| {
        lab.guesses.track();
        if !first {
            tell("event", "name", "predicted");
        }
    });
    let ended = Memo::new(move |_| lab.step.get() + 1 == lab.steps());
    follow(move |first| {
        if ended.get() && !first {
            tell("event", "name", "completed");
        }
    });
}

/// What the page around asks for. Keys that are not in the contract are ignored, values that are not
/// allowed are answered with an error that names them.
fn hear(shell: Shell, lab: Lab, message: &JsValue) {
    let text = |key: &str| Reflect::get(message, &key.into()).ok().and_then(|value| value.as_string());
    match text("type").as_deref() {
        Some("play") if !lab.playing.get_untracked() => lab.toggle(),
        Some("pause") => lab.playing.set(false),
        Some("focus") => focus(),
        Some("set") => {
            if let Some(theme) = text("theme") {
                set_theme(shell, &theme);
            }
            if let Some(lang) = text("lang") {
                set_lang(shell, &lang);
            }
            if let Some(state) = text("state") {
                lab.load(state.trim_start_matches('#'));
            }
        }
        _ => {}
    }
}

fn set_theme(shell: Shell, theme: &str) {
    let to = Colours::parse(theme);
    if to.id().unwrap_or("system") == theme {
        shell.colours.set(to);
    } else {
        refuse(shell, "theme", theme, themes());
    }
}

fn set_lang(shell: Shell, lang: &str) {
    let known = languages(shell);
    if known.iter().any(|code| code == lang) {
        shell.lang.set(lang.to_owned());
    } else {
        refuse(shell, "lang", lang, known);
    }
}

fn themes() -> Vec<String> {
    ["light", "dark", "system"].map(str::to_owned).into()
}

fn languages(shell: Shell) -> Vec<String> {
    shell.page.with_untracked(|page| page.languages.iter().map(|(code, _)| code.clone()).collect())
}

fn refuse(shell: Shell, key: &str, given: &str, allowed: Vec<String>) {
    let allowed = Arg::List(allowed.into_iter().map(Arg::Text).collect());
    let why = msg("frame.value").with("key", key.to_owned()).with("given", given.to_owned());
    say_error(shell, &why.with("allowed", allowed));
}

fn say_error(shell: Shell, why: &Msg) {
    tell("error", "message", &shell.words.with_untracked(|words| words.say(why)));
}

/// The player, or the first thing there is to press.
fn focus() {
    let Some(document) = dom::document() else {
        return;
    };
    let found = [".player", ".embed :is(a, button, input)"];
    let found = found.iter().find_map(|pick| document.query_selector(pick).ok().flatten());
    if let Some(found) = found.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Some engines give an element the focus only where its frame has it.
        let _ = web_sys::window().map(|window| window.focus());
        let _ = found.focus();
    }
}
