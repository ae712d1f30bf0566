//! The rules side by side, each with its parameters.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Msg, msg};
use tokenyard_param::Values;
use tokenyard_policy::{Age, RulePreset, RuleSpec, measured};
use tokenyard_study::{MOST_LANES, rules};
use wasm_bindgen::JsCast;

use super::Fleet;
use crate::platform::dom;
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
    // Made anew when a rule is added or taken away: a list whose rule has moved would not tell of the
    // same choice twice in every engine.
    let lanes = move || {
        let count = ids.with(Vec::len);
        (0..(count + 1).min(MOST_LANES)).map(move |lane| (count, lane)).collect::<Vec<_>>()
    };
    let make = move |(_, lane): (usize, usize)| view! { <Lane fleet lane ids /> }.into_any();
    view! {
        <section class="card knobs fl-rules" aria-labelledby="rules-title">
            <h2 id="rules-title" class="card-title">{shell.t("rules.title")}</h2>
            <For each=lanes key=|one| *one children=make />
        </section>
    }
    .into_any()
}

#[component]
fn Lane(fleet: Fleet, lane: usize, ids: Memo<Vec<&'static str>>) -> impl IntoView {
    let shell = shell();
    let rule = Memo::new(move |_| ids.with(|ids| ids.get(lane).copied()));
    let option = |id: &'static str| {
        view! { <option value=id selected=flag(move || rule.get() == Some(id))>{shell.at(&["rule", id, "name"])}</option> }
    };
    let options = rules().iter().map(|spec| option(spec.id)).collect_view();
    let choose = move |id: String| {
        let rule = rules().iter().copied().find(|spec| spec.id == id);
        let before = ids.with_untracked(Vec::len);
        fleet.change(|study| study.set_rule(lane, rule));
        if ids.with_untracked(Vec::len) != before {
            // Reading goes on where it was.
            request_animation_frame(move || {
                focus(lane);
            });
        }
    };
    let name = text(move || shell.now(&msg("rules.lane").with("n", lane + 1)));
    let none = if rule.get_untracked().is_some() { "rules.remove" } else { "rules.none" };
    view! {
        <div class=format!("fl-rule style-{}", lane + 1)>
            <select aria-label=name on:change:target=move |event| choose(event.target().value())>
                <option value="" selected=flag(move || rule.get().is_none())>{shell.t(none)}</option>
                {options}
            </select>
            {live(move || rule.get().map(|id| view! { <About fleet lane id /> }))}
        </div>
    }
    .into_any()
}

/// Puts the focus on a lane's list.
fn focus(lane: usize) -> Option<()> {
    let list = dom::document()?.query_selector(&format!(".fl-rule.style-{} select", lane + 1)).ok()??;
    list.dyn_into::<web_sys::HtmlElement>().ok()?.focus().ok()
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
        let params = (0..spec.params.len()).map(|place| view! { <Param fleet lane spec place /> });
        let source = spec.source;
        Some(view! {
            <p class="fl-rule-text">{shell.at(&["rule", id, "compares"])} " " {shell.at(&["rule", id, "text"])}</p>
            <Facts spec />
            <Presets fleet lane spec />
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

/// How old its signals are, when it decides, and what a decision costs.
#[component]
fn Facts(spec: &'static RuleSpec) -> impl IntoView {
    let shell = shell();
    let age = move || shell.now(&age(spec.signals_age));
    let cost = measured::cost(spec.id).map(|cost| {
        let told = msg("rules.cost")
            .with("few", cost.at_16)
            .with("many", cost.at_256)
            .with("date", Arg::Text(measured::date().to_owned()));
        view! { <li>{text(move || shell.now(&told))}</li> }
    });
    view! {
        <ul class="note fl-facts">
            <li>{text(age)}</li>
            <li>{shell.t("rules.before")}</li>
            {cost}
        </ul>
    }
    .into_any()
}

fn age(age: Age) -> Msg {
    match age {
        Age::None => msg("rules.age-none"),
        Age::Current => msg("rules.age-instant"),
        Age::Polled { ms: 0 } => msg("rules.age-asked"),
        Age::Polled { ms } => msg("rules.age-polled").with("ms", ms),
        Age::Events { ms: 0 } => msg("rules.age-events"),
        Age::Events { ms } => msg("rules.age-gathered").with("ms", ms),
        Age::Window { s } => msg("rules.age-window").with("s", s),
    }
}

/// Buttons that set all parameters of the lane, where a rule has named settings.
#[component]
fn Presets(fleet: Fleet, lane: usize, spec: &'static RuleSpec) -> impl IntoView {
    let shell = shell();
    let button = move |values: Values| {
        let same = values.clone();
        let pressed = text(move || {
            fleet.study.with(|s| s.lanes().get(lane).is_some_and(|lane| lane.params == same)).to_string()
        });
        let put = move |_| {
            fleet.change(|study| {
                let places = (0..spec.params.len()).filter_map(|at| Some((at, values.at(at)?.clone())));
                places.for_each(|(at, value)| study.set_rule_param(lane, at, value));
            });
        };
        (pressed, put)
    };
    let preset = move |preset: &'static RulePreset| {
        let (pressed, put) = button(preset.values(spec.params));
        view! {
            <li>
                <button type="button" aria-pressed=pressed on:click=put>{preset.name}</button>
                " " <span class="note">{preset.source}</span>
            </li>
        }
    };
    let (pressed, put) = button(Values::defaults(spec.params));
    let list = move || {
        view! {
            <ul class="fl-presets" aria-label=shell.t("rules.presets")>
                <li><button type="button" aria-pressed=pressed on:click=put>{shell.t("rules.defaults")}</button></li>
                {spec.presets.iter().map(preset).collect_view()}
            </ul>
        }
    };
    (!spec.presets.is_empty()).then(list).into_any()
}

/// One parameter, and what upstream calls it.
#[component]
fn Param(fleet: Fleet, lane: usize, spec: &'static RuleSpec, place: usize) -> impl IntoView {
    let shell = shell();
    let param = spec.params.get(place)?;
    let value = move || {
        let value = fleet.study.with(|s| s.lanes().get(lane)?.params.at(place).cloned());
        value.unwrap_or_else(|| param.kind.default_value())
    };
    let put = move |value| fleet.change(|study| study.set_rule_param(lane, place, value));
    let words = (format!("rule.{}.param.{}", spec.id, param.key), format!("{}.{}", lane + 1, param.key));
    let handle = Handle::new(param, words, Signal::derive(value), Callback::new(put));
    let upstream = spec.upstream.get(place).copied().filter(|name| !name.is_empty()).map(|name| {
        let told = msg("rules.upstream").with("name", Arg::Text(name.to_owned()));
        view! { <p class="note fl-upstream">{text(move || shell.now(&told))}</p> }
    });
    Some(view! { <Setting handle /> {upstream} }.into_any())
}
