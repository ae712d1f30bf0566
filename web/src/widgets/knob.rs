//! Knobs: name, value, unit, default, reset; slider, number field, minus and plus.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Effect as KnobEffect, Knob, Msg, Words, msg};
use tokenyard_models::param::{Kind, ParamError, ParamSpec, Value, Values};

use super::live::text;
use crate::shell::shell;
use crate::state::Lab;

/// Where a knob's value lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// A parameter of the model.
    Param,
    /// A setting of the view.
    View,
}

/// One knob's handle on the state.
#[derive(Clone, Copy)]
struct Handle {
    lab: Lab,
    home: Home,
    at: usize,
    spec: &'static ParamSpec,
    /// What the reader typed that is not allowed.
    error: RwSignal<Option<ParamError>>,
}

impl Handle {
    fn value(self) -> Value {
        self.lab.setup.with(|setup| {
            let values: Values = match self.home {
                Home::Param => self.lab.edited(setup),
                Home::View => setup.view.clone(),
            };
            values.at(self.at).cloned().unwrap_or_else(|| self.spec.kind.default_value())
        })
    }

    fn set(self, value: Value) {
        self.error.set(None);
        match self.home {
            Home::Param => self.lab.set_param(self.at, value),
            Home::View => self.lab.set_view(self.at, value),
        }
    }

    /// Takes what a person typed; a refusal is shown beside the knob and changes nothing.
    fn typed(self, text: &str) {
        match self.spec.parse(&text.replace(',', ".")) {
            Ok(value) => self.set(value),
            Err(error) => self.error.set(Some(error)),
        }
    }

    fn at_default(self) -> bool {
        self.value() == self.spec.kind.default_value()
    }
}

/// All knobs of a lab: the first ones in sight, the rest behind "More settings".
#[component]
pub fn Knobs(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell = shell();
    let open = RwSignal::new(false);
    let (first, rest) = lab.spec.knobs.split_at(lab.spec.visible.min(lab.spec.knobs.len()));
    let knobs = move |from: usize, knobs: &'static [Knob]| {
        knobs.iter().enumerate().map(|(i, knob)| view! { <ParamKnob lab at=from + i knob /> }).collect_view()
    };
    let views = lab.spec.views.iter().enumerate().map(|(at, spec)| {
        let handle = Handle { lab, home: Home::View, at, spec, error: RwSignal::new(None) };
        view! { <div class="knob"><Named handle /><Options handle /></div> }
    });
    view! {
        <section class="card knobs" aria-labelledby="knobs-title">
            <h2 id="knobs-title" class="card-title">{shell.t("knobs.title")}</h2>
            {knobs(0, first)}
            <div class="knob-actions">
                <button type="button" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|o| *o = !*o)>
                    {shell.t("knobs.more")}
                </button>
                <button type="button" on:click=move |_| lab.replace(lab.spec.defaults())>
                    {shell.t("knobs.reset-all")}
                </button>
            </div>
            <div class="more" hidden=move || !open.get()>
                {knobs(first.len(), rest)}
                <h3 class="more-title" hidden=lab.spec.views.is_empty()>{shell.t("knobs.view")}</h3>
                {views.collect_view()}
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn ParamKnob(lab: Lab, at: usize, knob: &'static Knob) -> impl IntoView {
    let shell = shell();
    let spec = &lab.spec.params[at];
    let handle = Handle { lab, home: Home::Param, at, spec, error: RwSignal::new(None) };
    let effect = match knob.effect {
        KnobEffect::Live => "knobs.live",
        KnobEffect::Restarts => "knobs.restarts",
    };
    let control = match spec.kind {
        Kind::Int { .. } | Kind::OptInt { .. } | Kind::Real { .. } => {
            view! { <Number handle knob /> }.into_any()
        }
        Kind::Choice { .. } => view! { <Options handle /> }.into_any(),
        Kind::Switch { .. } => view! { <Toggle handle /> }.into_any(),
        Kind::Text { .. } => view! { <Free handle /> }.into_any(),
    };
    let trouble =
        text(move || handle.error.get().map_or_else(String::new, |e| shell.now(&refusal(spec, &e))));
    view! {
        <div class="knob" data-knob=spec.key>
            <Named handle />
            {control}
            <p class="knob-help">
                {shell.at(&["param", spec.key, "help"])} " " <span class="knob-effect">{shell.t(effect)}</span>
            </p>
            <p class="knob-error" role="alert" hidden=move || handle.error.get().is_none()>{trouble}</p>
        </div>
    }
    .into_any()
}

/// The refusal in the reader's language: the field, the value, what is allowed.
fn refusal(spec: &ParamSpec, error: &ParamError) -> Msg {
    msg("knobs.bad")
        .with("name", Arg::Key(format!("param.{}.name", spec.key)))
        .with("given", error.given.clone())
        .with("allowed", allowed(spec))
}

/// What a parameter allows, in the reader's language.
#[must_use]
pub fn allowed(spec: &ParamSpec) -> Arg {
    let range = |key, min, max| msg(key).with("min", min).with("max", max);
    Arg::Msg(match spec.kind {
        Kind::Int { min, max, .. } => range("knobs.range", Arg::Int(min), Arg::Int(max)),
        Kind::OptInt { min, max, .. } => range("knobs.range-none", Arg::Int(min), Arg::Int(max)),
        Kind::Real { min, max, digits, .. } => {
            range("knobs.range", Arg::Fixed(min, digits), Arg::Fixed(max, digits))
        }
        Kind::Switch { .. } => msg("knobs.switch"),
        Kind::Text { max_chars, .. } => msg("knobs.text").with("n", u32::from(max_chars)),
        // Links carry identifiers, which are the same in every language.
        Kind::Choice { options, .. } => {
            return Arg::List(options.iter().map(|o| Arg::Text((*o).to_owned())).collect());
        }
    })
}

/// The value in words: `10 ticks`, `none`, `aligned`.
#[must_use]
pub fn value_text(words: &Words, spec: &ParamSpec, value: &Value) -> String {
    let digits = if let Kind::Real { digits, .. } = spec.kind { digits } else { 0 };
    let number = match value {
        Value::Nothing => return words.at(&["knobs.none"]),
        Value::Switch(on) => return words.at(&[if *on { "knobs.on" } else { "knobs.off" }]),
        Value::Choice(_) => return words.at(&["param", spec.key, &spec.kind.write(value)]),
        Value::Text(text) => return text.clone(),
        Value::Int(v) => Arg::Int(*v),
        Value::Real(v) => Arg::Fixed(*v, digits),
    };
    let unit_key = format!("param.{}.unit", spec.key);
    // The unit may bend with the number, so it is filled with the number as its argument.
    let unit = words.fill_key(&unit_key, &[("n", number.clone())]);
    let text = msg("knobs.value").with("n", number).with("unit", unit);
    words.say(&text).trim_end().to_owned()
}

/// Name, value, default and reset, in one line.
#[component]
fn Named(handle: Handle) -> impl IntoView {
    let shell = shell();
    let spec = handle.spec;
    let value = move || shell.words.with(|w| value_text(w, spec, &handle.value()));
    let default = move || {
        shell
            .words
            .with(|w| w.say(&msg("knobs.default").with("n", value_text(w, spec, &spec.kind.default_value()))))
    };
    let reset_name =
        move || shell.now(&msg("knobs.reset").with("name", Arg::Key(format!("param.{}.name", spec.key))));
    view! {
        <div class="knob-head">
            <span class="knob-name" id=format!("knob-{}", spec.key)>{shell.at(&["param", spec.key, "name"])}</span>
            <span class="knob-value">{text(value)}</span>
        </div>
        <div class="knob-default">
            <span>{text(default)}</span>
            <button
                type="button"
                class="link-button"
                aria-label=reset_name
                disabled=move || handle.at_default()
                on:click=move |_| handle.set(spec.kind.default_value())
            >
                "↺"
            </button>
        </div>
    }
    .into_any()
}

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
        return Value::Real(text.parse().unwrap_or(number));
    }
    Value::Int(number.round() as i64)
}

#[component]
fn Number(handle: Handle, knob: &'static Knob) -> impl IntoView {
    let shell = shell();
    let spec = handle.spec;
    let (min, max, step, _, _) = range(&spec.kind);
    let name = move || Arg::Key(format!("param.{}.name", spec.key));
    let label = move |key: &'static str| move || shell.now(&msg(key).with("name", name()));
    let number = move || handle.value().number();
    let nudge = move |by: f64| handle.set(make(&spec.kind, number().unwrap_or(min) + by * step));
    let wide = (max - min) / step <= 10_000.0;
    let optional = matches!(spec.kind, Kind::OptInt { .. });
    view! {
        <div class="knob-row" dir="ltr">
            <button type="button" class="step-button" aria-label=label("knobs.less") on:click=move |_| nudge(-1.0)>"−"</button>
            {wide.then(|| view! { <Slider handle knob /> })}
            <button type="button" class="step-button" aria-label=label("knobs.more-of") on:click=move |_| nudge(1.0)>"+"</button>
            <input
                type="text"
                inputmode="decimal"
                class="number"
                class:is-wide=!wide
                autocomplete="off"
                aria-label=label("knobs.number")
                prop:value=move || spec.kind.write(&handle.value())
                value=move || spec.kind.write(&handle.lab.setup.with_untracked(|_| handle.value()))
                on:change:target=move |event| handle.typed(&event.target().value())
            />
        </div>
        {(!knob.marks.is_empty()).then(|| view! { <MarkText handle knob /> })}
        {optional.then(|| view! { <NoneBox handle /> })}
    }
    .into_any()
}

/// The native slider. A dragged slider snaps to the values that matter, keys never do.
#[component]
fn Slider(handle: Handle, knob: &'static Knob) -> impl IntoView {
    let shell = shell();
    let spec = handle.spec;
    let (min, max, step, page, _) = range(&spec.kind);
    let dragging = RwSignal::new(false);
    let valuetext = text(move || shell.words.with(|w| value_text(w, spec, &handle.value())));
    let input = move |raw: f64| {
        let near = knob.marks.iter().find(|m| (m.at - raw).abs() <= step && (max - min) / step > 30.0);
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
                prop:value=move || handle.value().number().unwrap_or(max).to_string()
                value=move || handle.lab.setup.with_untracked(|_| handle.value()).number().unwrap_or(max).to_string()
                aria-labelledby=format!("knob-{}", spec.key)
                aria-valuetext=valuetext
                on:pointerdown=move |_| dragging.set(true)
                on:pointerup=move |_| dragging.set(false)
                on:lostpointercapture=move |_| dragging.set(false)
                on:keydown=key
                on:input:target=move |event| input(event.target().value().parse().unwrap_or(min))
            />
            {(!knob.marks.is_empty()).then(|| view! { <Marks knob min max /> })}
        </span>
    }
    .into_any()
}

/// Names the value the knob stands on, where it is one that matters.
#[component]
fn MarkText(handle: Handle, knob: &'static Knob) -> impl IntoView {
    let shell = shell();
    let named = move || {
        let now = handle.value().number();
        let here = knob.marks.iter().find(|m| Some(m.at) == now);
        here.map_or_else(|| "\u{a0}".to_owned(), |m| shell.at(&["mark", m.word]).get())
    };
    view! { <p class="mark-text">{text(named)}</p> }.into_any()
}

/// Small ticks under the track where a value matters.
#[component]
fn Marks(knob: &'static Knob, min: f64, max: f64) -> impl IntoView {
    let ticks = knob.marks.iter().map(|m| {
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
                prop:checked=move || handle.value() == Value::Nothing
                on:change:target=move |event| handle.set(if event.target().checked() { Value::Nothing } else { back() })
            />
            {shell.t("knobs.none")}
        </label>
    }
    .into_any()
}

#[component]
fn Toggle(handle: Handle) -> impl IntoView {
    let shell = shell();
    view! {
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || handle.value() == Value::Switch(true)
                checked=handle.lab.setup.with_untracked(|_| handle.spec.kind.default_value()) == Value::Switch(true)
                on:change:target=move |event| handle.set(Value::Switch(event.target().checked()))
            />
            {shell.at(&["param", handle.spec.key, "name"])}
        </label>
    }
    .into_any()
}

/// A choice: buttons side by side while there are few, a list otherwise.
#[component]
fn Options(handle: Handle) -> impl IntoView {
    let shell = shell();
    let spec = handle.spec;
    let Kind::Choice { options, .. } = spec.kind else {
        return ().into_any();
    };
    let label = format!("knob-{}", spec.key);
    let chosen = move |i: usize| handle.value() == Value::Choice(i as u8);
    if options.len() > 3 {
        let items = options.iter().enumerate().map(|(i, option)| {
            view! {
                <option value=i.to_string() selected=move || chosen(i)>{shell.at(&["param", spec.key, option])}</option>
            }
        });
        let change = move |text: String| handle.set(Value::Choice(text.parse().unwrap_or(0)));
        return view! {
            <select aria-labelledby=label on:change:target=move |event| change(event.target().value())>
                {items.collect_view()}
            </select>
        }
        .into_any();
    }
    let items = options.iter().enumerate().map(|(i, option)| {
        view! {
            <button
                type="button"
                aria-pressed=move || chosen(i).to_string()
                on:click=move |_| handle.set(Value::Choice(i as u8))
            >
                {shell.at(&["param", spec.key, option])}
            </button>
        }
    });
    view! { <div class="segments" role="group" aria-labelledby=label>{items.collect_view()}</div> }.into_any()
}

#[component]
fn Free(handle: Handle) -> impl IntoView {
    let Kind::Text { max_chars, .. } = handle.spec.kind else {
        return ().into_any();
    };
    view! {
        <input
            type="text"
            class="free"
            autocomplete="off"
            maxlength=max_chars.to_string()
            aria-labelledby=format!("knob-{}", handle.spec.key)
            prop:value=move || handle.spec.kind.write(&handle.value())
            on:change:target=move |event| handle.typed(&event.target().value())
        />
    }
    .into_any()
}
