//! Knobs: name, value, unit, default, reset; slider, number field, minus and plus.

pub mod choice;
pub mod number;

use leptos::prelude::*;
use tokenyard_lab::{Arg, Effect as KnobEffect, Knob, Mark, Msg, Words, msg};
use tokenyard_param::{Kind, ParamError, ParamSpec, Value, Values};

use self::choice::{Free, Options, Toggle};
use self::number::Number;
use super::live::{flag, text};
use crate::frame::Part;
use crate::shell::shell;
use crate::state::Lab;

/// One knob's handle on the state. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
pub struct Handle {
    spec: &'static ParamSpec,
    /// Its words are under this key.
    words: StoredValue<String>,
    /// Names it in the document.
    id: StoredValue<String>,
    value: Signal<Value>,
    /// What it is called back to.
    default: StoredValue<Value>,
    put: Callback<Value>,
    /// What the reader typed that is not allowed.
    error: RwSignal<Option<ParamError>>,
}

impl Handle {
    /// A knob of a parameter: its words are under `words`, `id` names it in the document.
    #[must_use]
    pub fn new(
        spec: &'static ParamSpec,
        (words, id): (String, String),
        value: Signal<Value>,
        put: Callback<Value>,
    ) -> Self {
        let (words, id) = (StoredValue::new(words), StoredValue::new(format!("knob-{id}")));
        let default = StoredValue::new(spec.kind.default_value());
        Self { spec, words, id, value, default, put, error: RwSignal::new(None) }
    }

    /// Where a page starts from another value than the parameter's own.
    #[must_use]
    pub fn from(self, start: Value) -> Self {
        self.default.set_value(start);
        self
    }

    /// A parameter of a lab's model, or a setting of its view.
    fn of_lab(lab: Lab, at: usize, is_view: bool) -> Self {
        let spec: &'static ParamSpec = if is_view { &lab.spec.views[at] } else { &lab.spec.params[at] };
        let value = move || {
            lab.setup.with(|setup| {
                let values: Values = if is_view { setup.view.clone() } else { lab.edited(setup) };
                values.at(at).cloned().unwrap_or_else(|| spec.kind.default_value())
            })
        };
        let put = move |value| if is_view { lab.set_view(at, value) } else { lab.set_param(at, value) };
        let names = (format!("param.{}", spec.key), spec.key.to_owned());
        Self::new(spec, names, Signal::derive(value), Callback::new(put))
    }

    fn value(self) -> Value {
        self.value.get()
    }

    fn set(self, value: Value) {
        self.error.set(None);
        self.put.run(value);
    }

    /// The key of one of its words.
    fn key(self, part: &str) -> String {
        self.words.with_value(|words| format!("{words}.{part}"))
    }

    /// One of its words, following the language.
    fn word(self, part: &str) -> Signal<String> {
        shell().at(&[&self.key(part)])
    }

    fn id(self) -> String {
        self.id.get_value()
    }

    /// A value in words.
    fn told(self, words: &Words, value: &Value) -> String {
        self.words.with_value(|prefix| words.value(prefix, self.spec, value))
    }

    /// Takes what a person typed; a refusal is shown beside the knob and changes nothing.
    fn typed(self, text: &str) {
        match self.spec.parse(&text.replace(',', ".")) {
            Ok(value) => self.set(value),
            Err(error) => self.error.set(Some(error)),
        }
    }

    fn at_default(self) -> bool {
        self.default.with_value(|default| self.value() == *default)
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
    let (shape, _) = shell.shape.get_value();
    let knobs = lab.spec.knobs;
    let link = |i: usize| lab.spec.params.get(i).map_or("", |spec| spec.link);
    // Those that an embed's address lists stand in sight; else the first ones do.
    let is_first = |i: usize| match shape.picks_knobs() {
        true => shape.knob(link(i)),
        false => i < lab.spec.visible,
    };
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..knobs.len()).partition(|i| is_first(*i));
    let show = move |which: Vec<usize>| {
        which.into_iter().map(|at| view! { <ParamKnob lab at knob=&knobs[at] /> }).collect_view()
    };
    let view_of = |at: usize| {
        let handle = Handle::of_lab(lab, at, true);
        let link = lab.spec.views[at].link;
        view! { <div class="knob" data-link=link><Named handle /><Options handle /></div> }
    };
    let (picked, other): (Vec<usize>, Vec<usize>) =
        (0..lab.spec.views.len()).partition(|i| shape.picks_knobs() && shape.knob(lab.spec.views[*i].link));
    let more = shape.shows(Part::More).then(|| {
        view! {
            <div data-part=Part::More.id()>
                <div class="knob-actions">
                    <button type="button" aria-expanded=text(move || open.get().to_string()) on:click=move |_| open.update(|o| *o = !*o)>
                        {shell.t("knobs.more")}
                    </button>
                    <button type="button" on:click=move |_| lab.replace(lab.spec.defaults())>
                        {shell.t("knobs.reset-all")}
                    </button>
                </div>
                <div class="more" hidden=flag(move || !open.get())>
                    {show(rest)}
                    <h3 class="more-title" hidden=other.is_empty()>{shell.t("knobs.view")}</h3>
                    {other.into_iter().map(view_of).collect_view()}
                </div>
            </div>
        }
    });
    view! {
        <section class="card knobs" aria-labelledby="knobs-title">
            <h2 id="knobs-title" class="card-title">{shell.t("knobs.title")}</h2>
            {show(first)}
            {picked.into_iter().map(view_of).collect_view()}
            {more}
        </section>
    }
    .into_any()
}

#[component]
fn ParamKnob(lab: Lab, at: usize, knob: &'static Knob) -> impl IntoView {
    let handle = Handle::of_lab(lab, at, false);
    let effect = match knob.effect {
        KnobEffect::Live => "knobs.live",
        KnobEffect::Restarts => "knobs.restarts",
    };
    view! { <Setting handle marks=knob.marks effect /> }
}

/// A knob: name, value, default, controls, help, and what is wrong with what was typed.
#[component]
pub fn Setting(
    /// The parameter.
    handle: Handle,
    /// Values that matter.
    #[prop(optional)]
    marks: &'static [Mark],
    /// Words that say what moving it does.
    #[prop(optional)]
    effect: &'static str,
) -> impl IntoView {
    let shell = shell();
    let spec = handle.spec;
    let control = match spec.kind {
        Kind::Int { .. } | Kind::OptInt { .. } | Kind::Real { .. } => {
            view! { <Number handle marks /> }.into_any()
        }
        Kind::Choice { .. } => view! { <Options handle /> }.into_any(),
        Kind::Switch { .. } => view! { <Toggle handle /> }.into_any(),
        Kind::Text { .. } => view! { <Free handle /> }.into_any(),
    };
    let trouble =
        text(move || handle.error.get().map_or_else(String::new, |e| shell.now(&refusal(handle, &e))));
    view! {
        <div class="knob" data-knob=handle.id().trim_start_matches("knob-").to_owned() data-link=spec.link>
            <Named handle />
            {control}
            <p class="knob-help">
                {handle.word("help")} " "
                {(!effect.is_empty()).then(|| view! { <span class="knob-effect">{shell.t(effect)}</span> })}
            </p>
            <p class="knob-error" role="alert" hidden=flag(move || handle.error.get().is_none())>{trouble}</p>
        </div>
    }
    .into_any()
}

/// The refusal in the reader's language: the field, the value, what is allowed.
fn refusal(handle: Handle, error: &ParamError) -> Msg {
    msg("knobs.bad")
        .with("name", Arg::Key(handle.key("name")))
        .with("given", error.given.clone())
        .with("allowed", allowed(handle.spec))
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

/// Name, value, default and reset, in one line.
#[component]
fn Named(handle: Handle) -> impl IntoView {
    let shell = shell();
    let value = move || shell.words.with(|w| handle.told(w, &handle.value()));
    let start = move |w: &Words| handle.default.with_value(|default| handle.told(w, default));
    let default = move || shell.words.with(|w| w.say(&msg("knobs.default").with("n", start(w))));
    let reset_name = move || shell.now(&msg("knobs.reset").with("name", Arg::Key(handle.key("name"))));
    view! {
        <div class="knob-head">
            <span class="knob-name" id=handle.id()>{handle.word("name")}</span>
            <span class="knob-value">{text(value)}</span>
        </div>
        <div class="knob-default">
            <span>{text(default)}</span>
            <button
                type="button"
                class="link-button"
                aria-label=reset_name
                disabled=flag(move || handle.at_default())
                on:click=move |_| handle.set(handle.default.get_value())
            >
                "↺"
            </button>
        </div>
    }
    .into_any()
}
