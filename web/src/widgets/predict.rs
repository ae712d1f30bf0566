//! Predict first: a guess, then the run, then guess and outcome together.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Ask, Markup, msg};
use tokenyard_param::number::read;

use super::live::{drawn, live, text};
use crate::shell::shell;
use crate::state::Lab;

/// The prediction card. Always skippable; `start` is called once it is answered or skipped.
#[component]
pub fn Predict(
    /// State of the lab page.
    lab: Lab,
    /// Plays the run.
    start: Callback<()>,
) -> impl IntoView {
    let shell = shell();
    let question = move || lab.setup.with(|s| shell.now(&(lab.spec.prediction.question)(s)));
    let answer = move |guess: Option<f64>| {
        lab.answer(guess);
        start.run(());
    };
    let form = move || match lab.spec.prediction.ask {
        Ask::Number { min, max, step, start, .. } => {
            let name = shell.t("predict.unit");
            view! { <NumberForm range=(min, max, step) start name answer=Callback::new(answer) /> }.into_any()
        }
        Ask::Choice(options) => {
            let options = (0..options).map(|i| shell.at(&["predict.option", &i.to_string()])).collect();
            view! { <ChoiceForm options answer=Callback::new(answer) /> }.into_any()
        }
    };
    view! {
        <section class="card predict" aria-labelledby="predict-title">
            <h2 id="predict-title" class="card-title">{shell.t("predict.title")}</h2>
            <p class="predict-ask">{text(question)}</p>
            {live(move || if lab.revealed.get() { view! { <Outcome lab /> }.into_any() } else { form() })}
        </section>
    }
    .into_any()
}

/// A number that is guessed.
#[component]
pub fn NumberForm(
    /// Smallest, largest, and from one to the next.
    range: (f64, f64, f64),
    /// Where it starts.
    start: f64,
    /// What it is.
    name: Signal<String>,
    /// Called with the guess, or with none.
    answer: Callback<Option<f64>>,
) -> impl IntoView {
    let shell = shell();
    let (min, max, step) = range;
    let guess = RwSignal::new(start);
    let nudge = move |by: f64| guess.update(|g| *g = (*g + by * step).clamp(min, max));
    let label = move |key: &'static str| move || shell.now(&msg(key).with("name", Arg::Text(name.get())));
    view! {
        <div class="knob-row" dir="ltr">
            <button type="button" class="step-button" aria-label=label("knobs.less") on:click=move |_| nudge(-1.0)>"−"</button>
            <span class="slider">
                <input
                    type="range"
                    id="guess"
                    min=min.to_string()
                    max=max.to_string()
                    step=step.to_string()
                    value=start.to_string()
                    prop:value=text(move || guess.get().to_string())
                    aria-label=name
                    on:input:target=move |event| guess.set(read(&event.target().value()).unwrap_or(start))
                />
            </span>
            <button type="button" class="step-button" aria-label=label("knobs.more-of") on:click=move |_| nudge(1.0)>"+"</button>
            <span class="guess-value">{text(move || guess.get().to_string())}</span>
        </div>
        <div class="predict-actions">
            <button type="button" class="is-primary" on:click=move |_| answer.run(Some(guess.get_untracked()))>
                {shell.t("predict.guess")}
            </button>
            <button type="button" class="link-button" on:click=move |_| answer.run(None)>{shell.t("predict.skip")}</button>
        </div>
    }
    .into_any()
}

/// One of several options that is guessed.
#[component]
pub fn ChoiceForm(
    /// Their words.
    options: Vec<Signal<String>>,
    /// Called with the number of an option, or with none.
    answer: Callback<Option<f64>>,
) -> impl IntoView {
    let shell = shell();
    let buttons = options.into_iter().enumerate().map(|(i, option)| {
        view! { <button type="button" on:click=move |_| answer.run(Some(i as f64))>{option}</button> }
    });
    view! {
        <div class="predict-options">{buttons.collect_view()}</div>
        <div class="predict-actions">
            <button type="button" class="link-button" on:click=move |_| answer.run(None)>{shell.t("predict.skip")}</button>
        </div>
    }
    .into_any()
}

/// Guess and outcome, one drawn over the other, and the reason.
#[component]
fn Outcome(lab: Lab) -> impl IntoView {
    let shell = shell();
    let outcome = Memo::new(move |_| lab.setup.with(|s| (lab.spec.prediction.outcome)(s)));
    let said = move || {
        let (guess, outcome) = (lab.guess.get(), outcome.get());
        let arg = |v: f64| match lab.spec.prediction.ask {
            Ask::Number { digits, .. } => Arg::Fixed(v, digits),
            Ask::Choice(_) => Arg::Key(format!("predict.option.{v}")),
        };
        let key = match guess {
            None => "predict.skipped",
            Some(g) if arg(g) == arg(outcome) => "predict.exact",
            Some(_) => "predict.said",
        };
        let guess = arg(guess.unwrap_or(outcome));
        shell.now(&msg(key).with("guess", guess).with("outcome", arg(outcome)))
    };
    let bars = move || match (lab.spec.prediction.ask, lab.guess.get()) {
        (Ask::Number { max, .. }, Some(guess)) => bars(guess, outcome.get(), max),
        _ => String::new(),
    };
    view! {
        <p class="predict-said" role="status">{text(said)}</p>
        {drawn("", bars)}
        <label class="predict-why">
            {shell.t("predict.why-you")}
            <textarea rows="2"></textarea>
        </label>
        <details>
            <summary>{shell.t("predict.why-us")}</summary>
            <p>{shell.t("predict.why")}</p>
        </details>
        <button type="button" class="link-button" on:click=move |_| { lab.revealed.set(false); lab.guess.set(None) }>
            {shell.t("predict.again")}
        </button>
    }
    .into_any()
}

/// The outcome as a bar, the guess as a line over it, on one scale.
fn bars(guess: f64, outcome: f64, max: f64) -> String {
    let scale = 280.0 / max.max(outcome).max(guess).max(f64::MIN_POSITIVE);
    let (end, mark) = ((outcome * scale).to_string(), (guess * scale + 2.0).to_string());
    let mut m = Markup::default();
    m.el("svg", &[("class", "bars"), ("viewBox", "0 0 288 28"), ("aria-hidden", "true")], |m| {
        for (class, width) in [("bar-track", "284"), ("bar-outcome", &*end)] {
            let shape =
                [("class", class), ("x", "0"), ("y", "8"), ("width", width), ("height", "12"), ("rx", "3")];
            m.shape("rect", &shape);
        }
        m.shape("line", &[("class", "bar-guess"), ("x1", &mark), ("x2", &mark), ("y1", "2"), ("y2", "26")]);
    });
    m.finish()
}
