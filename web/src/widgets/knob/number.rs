//! A number: slider, minus and plus, number field, and "none" where it may be absent.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Mark, msg};
use tokenyard_param::number::read;
use tokenyard_param::{Kind, Value};

use super::Handle;
use crate::shell::shell;
use crate::widgets::live::{flag, text};

/// Range of a number: smallest, largest, step, page, decimals.
fn range(kind: &Kind) -> (f64, f64, f64, f64, u8) {
    match *kind {
        Kind::Int { min, max, step, page, .. } | Kind::OptInt { min, max, step, page, .. } => {
            (min as f64, max as f64, step as f64, page as f64, 0)
        }
        Kind::Real { min, max, step, page, digits, .. } => (min, max, step, page, digits),
        _ => (0.0, 1.0, 1.0, 1.0, 0),
    }
}

fn make(kind: &Kind, number: f64) -> Value {
    let (min, max, step, _, digits) = range(kind);
    let number = number.clamp(min, max);
    if let Kind::Real { .. } = kind {
        // On the grid of steps, and printable with the parameter's own decimals.
        let snapped = (number / step).round() * step;
        let text = tokenyard_det::format::fixed(snapped, usize::from(digits));
        return Value::Real(read(&text).unwrap_or(number));
    }
    Value::Int(number.round() as i64)
}

/// The number's controls.
#[component]
pub fn Number(
    /// The parameter.
    handle: Handle,
    /// Values that matter.
    marks: &'static [Mark],
) -> impl IntoView {
    let shell = shell();
    let spec = handle.spec;
    let (min, max, step, _, _) = range(&spec.kind);
    let name = move || Arg::Key(handle.key("name"));
    let label = move |key: &'static str| move || shell.now(&msg(key).with("name", name()));
    let number = move || handle.value().number();
    let nudge = move |by: f64| handle.set(make(&spec.kind, number().unwrap_or(min) + by * step));
    let wide = (max - min) / step <= 10_000.0;
    let optional = matches!(spec.kind, Kind::OptInt { .. });
    view! {
        <div class="knob-row" dir="ltr">
            <button type="button" class="step-button" aria-label=label("knobs.less") on:click=move |_| nudge(-1.0)>"−"</button>
            {wide.then(|| view! { <Slider handle marks /> })}
            <button type="button" class="step-button" aria-label=label("knobs.more-of") on:click=move |_| nudge(1.0)>"+"</button>
            <input
                type="text"
                inputmode="decimal"
                class="number"
                class:is-wide=!wide
                autocomplete="off"
                aria-label=label("knobs.number")
                prop:value=text(move || spec.kind.write(&handle.value()))
                value=text(move || spec.kind.write(&untrack(|| handle.value())))
                on:change:target=move |event| handle.typed(&event.target().value())
            />
        </div>
        {(!marks.is_empty()).then(|| view! { <MarkText handle marks /> })}
        {optional.then(|| view! { <NoneBox handle /> })}
    }
    .into_any()
}

/// The native slider. A dragged slider snaps to the values that matter, keys never do.
#[component]
fn Slider(handle: Handle, marks: &'static [Mark]) -> impl IntoView {
    let shell = shell();
    let spec = handle.spec;
    let (min, max, step, page, _) = range(&spec.kind);
    let dragging = RwSignal::new(false);
    let valuetext = text(move || shell.words.with(|w| handle.told(w, &handle.value())));
    let input = move |raw: f64| {
        let near = marks.iter().find(|m| (m.at - raw).abs() <= step && (max - min) / step > 30.0);
        let number = near.filter(|_| dragging.get_untracked()).map_or(raw, |m| m.at);
        handle.set(make(&spec.kind, number));
    };
    let key = move |event: web_sys::KeyboardEvent| {
        let by = match event.key().as_str() {
            "PageUp" => page,
            "PageDown" => -page,
            _ => return,
        };
        event.prevent_default();
        handle.set(make(&spec.kind, handle.value().number().unwrap_or(min) + by));
    };
    view! {
        <span class="slider">
            <input
                type="range"
                min=min.to_string()
                max=max.to_string()
                step=step.to_string()
                prop:value=text(move || handle.value().number().unwrap_or(max).to_string())
                value=text(move || untrack(|| handle.value()).number().unwrap_or(max).to_string())
                aria-labelledby=handle.id()
                aria-valuetext=valuetext
                on:pointerdown=move |_| dragging.set(true)
                on:pointerup=move |_| dragging.set(false)
                on:lostpointercapture=move |_| dragging.set(false)
                on:keydown=key
                on:input:target=move |event| input(read(&event.target().value()).unwrap_or(min))
            />
            {(!marks.is_empty()).then(|| view! { <Marks marks min max /> })}
        </span>
    }
    .into_any()
}

/// Names the value the knob stands on, where it is one that matters.
#[component]
fn MarkText(handle: Handle, marks: &'static [Mark]) -> impl IntoView {
    let shell = shell();
    let named = move || {
        let now = handle.value().number();
        let here = marks.iter().find(|m| Some(m.at) == now);
        here.map_or_else(|| "\u{a0}".to_owned(), |m| shell.at(&["mark", m.word]).get())
    };
    view! { <p class="mark-text">{text(named)}</p> }.into_any()
}

/// Small ticks under the track where a value matters.
#[component]
fn Marks(marks: &'static [Mark], min: f64, max: f64) -> impl IntoView {
    let ticks = marks.iter().map(|m| {
        let x = ((m.at - min) / (max - min) * 1000.0).to_string();
        view! { <rect x=x y="0" width="6" height="8"></rect> }
    });
    view! {
        <svg class="marks" viewBox="0 0 1006 8" preserveAspectRatio="none" aria-hidden="true">
            {ticks.collect_view()}
        </svg>
    }
    .into_any()
}

/// "None" beside a number that may be absent.
#[component]
fn NoneBox(handle: Handle) -> impl IntoView {
    let shell = shell();
    let (min, ..) = range(&handle.spec.kind);
    let back = move || match handle.spec.kind {
        Kind::OptInt { default: Some(d), .. } => Value::Int(d),
        _ => Value::Int(min as i64),
    };
    view! {
        <label class="check">
            <input
                type="checkbox"
                prop:checked=flag(move || handle.value() == Value::Nothing)
                on:change:target=move |event| handle.set(if event.target().checked() { Value::Nothing } else { back() })
            />
            {shell.t("knobs.none")}
        </label>
    }
    .into_any()
}
