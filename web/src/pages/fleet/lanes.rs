//! The rules side by side, each with its parameters.

use leptos::prelude::*;
use tokenyard_lab::{Arg, msg};
use tokenyard_study::{MOST_LANES, rules};

use super::Fleet;
use crate::shell::shell;
use crate::widgets::knob::{Handle, Setting};
use crate::widgets::live::{flag, live, text};

/// One picker a lane.
#[component]
pub fn Lanes(
    /// State of the page.
    fleet: Fleet,
) -> impl IntoView {
    let shell = shell();
    // Parameters change without the pickers being made anew.
    let ids = Memo::new(move |_| {
        fleet.study.with(|s| s.lanes().iter().map(|lane| lane.rule.id).collect::<Vec<_>>())
    });
    let lanes = move || {
        let count = ids.with(Vec::len);
        let shown = (count + 1).min(MOST_LANES);
        (0..shown)
            .map(|lane| view! { <Lane fleet lane rule=ids.with(|ids| ids.get(lane).copied()) /> })
            .collect_view()
    };
    view! {
        <section class="card knobs fl-rules" aria-labelledby="rules-title">
            <h2 id="rules-title" class="card-title">{shell.t("rules.title")}</h2>
            {live(lanes)}
        </section>
    }
    .into_any()
}

#[component]
fn Lane(fleet: Fleet, lane: usize, rule: Option<&'static str>) -> impl IntoView {
    let shell = shell();
    let option = |id: &'static str| {
        view! { <option value=id selected=rule == Some(id)>{shell.at(&["rule", id, "name"])}</option> }
    };
    let options = rules().iter().map(|spec| option(spec.id)).collect_view();
    let choose = move |id: String| {
        let rule = rules().iter().copied().find(|spec| spec.id == id);
        fleet.change(|study| study.set_rule(lane, rule));
    };
    let name = text(move || shell.now(&msg("rules.lane").with("n", lane + 1)));
    let none = if rule.is_some() { "rules.remove" } else { "rules.none" };
    view! {
        <div class=format!("fl-rule style-{}", lane + 1)>
            <select aria-label=name on:change:target=move |event| choose(event.target().value())>
                <option value="" selected=rule.is_none()>{shell.t(none)}</option>
                {options}
            </select>
            {rule.map(|id| view! { <About fleet lane id /> })}
        </div>
    }
    .into_any()
}

/// What a rule does, and its parameters; built when it is opened.
#[component]
fn About(fleet: Fleet, lane: usize, id: &'static str) -> impl IntoView {
    let shell = shell();
    let open = RwSignal::new(false);
    let spec = rules().iter().copied().find(|spec| spec.id == id);
    let title = text(move || {
        let name = Arg::Key(format!("rule.{id}.name"));
        shell.now(&msg("rules.about").with("name", name))
    });
    let inside = move || {
        let spec = spec.filter(|_| open.get())?;
        let params = spec.params.iter().enumerate().map(|(place, param)| {
            let value = move || {
                let value = fleet.study.with(|s| s.lanes().get(lane)?.params.at(place).cloned());
                value.unwrap_or_else(|| param.kind.default_value())
            };
            let put = move |value| fleet.change(|study| study.set_rule_param(lane, place, value));
            let words = (format!("rule.{id}.param.{}", param.key), format!("{}.{}", lane + 1, param.key));
            let handle = Handle::new(param, words, Signal::derive(value), Callback::new(put));
            view! { <Setting handle /> }
        });
        let source = spec.source;
        Some(view! {
            <p class="fl-rule-text">{shell.at(&["rule", id, "compares"])} " " {shell.at(&["rule", id, "text"])}</p>
            {params.collect_view()}
            <p class="note">{text(move || shell.now(&msg("rules.source").with("source", Arg::Text(source.to_owned()))))}</p>
        })
    };
    view! {
        <details on:toggle=move |_| open.set(true)>
            <summary aria-label=title>{shell.t("rules.settings")}</summary>
            <div hidden=flag(move || !open.get())>{live(inside)}</div>
        </details>
    }
    .into_any()
}
