//! Under the stage: challenges, presets, model card, notes, closing card, transcript.

use leptos::prelude::*;
use tokenyard_lab::labs::IDS;
use tokenyard_lab::{Challenge, Preset, msg, spec};

use crate::shell::shell;
use crate::state::{Lab, Run};
use crate::widgets::live::{drawn, flag, list, text};
use crate::widgets::rich::Rich;

/// Everything below the grid.
#[component]
pub fn Below(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    view! {
        <div class="below">
            <Challenges lab />
            <Presets lab />
            <Card />
            <Notes />
            <Closing lab />
            <Transcript run=lab.run />
        </div>
    }
    .into_any()
}

#[component]
fn Challenges(lab: Lab) -> impl IntoView {
    let shell = shell();
    let items = lab.spec.challenges.iter().map(|c| view! { <Task lab challenge=c /> });
    view! {
        <section class="card" aria-labelledby="challenges-title">
            <h2 id="challenges-title" class="card-title">{shell.t("lab.challenges")}</h2>
            <ol class="challenges">{items.collect_view()}</ol>
        </section>
    }
    .into_any()
}

/// A task that ticks itself when its outcome holds. It starts when the reader says so, so that
/// free play is never judged.
#[component]
fn Task(lab: Lab, challenge: &'static Challenge) -> impl IntoView {
    let shell = shell();
    let started = RwSignal::new(false);
    let solved =
        Memo::new(move |_| started.get() && lab.setup.with(|s| spec::solved(lab.spec, challenge, s)));
    let word = move |part: &str| shell.at(&["challenge", challenge.key, part]);
    let state = move || match (started.get(), solved.get()) {
        (false, _) => String::new(),
        (true, false) => shell.t("lab.open").get(),
        (true, true) => shell.t("lab.solved").get(),
    };
    let begin = move |_| {
        lab.replace(lab.spec.with(challenge.start));
        lab.revealed.set(true);
        started.set(true);
    };
    view! {
        <li class="challenge" class:is-solved=flag(move || solved.get())>
            <p>{word("task")} " " <span class="note">{shell.say(msg("lab.changed").with("n", u32::from(challenge.max_changes)))}</span></p>
            <p class="challenge-row">
                <button type="button" on:click=begin>{shell.t("lab.start")}</button>
                <strong role="status">{text(state)}</strong>
            </p>
            <p hidden=flag(move || !solved.get())>{word("done")}</p>
            <details><summary>{shell.t("lab.hint")}</summary><p>{word("hint")}</p></details>
        </li>
    }
    .into_any()
}

#[component]
fn Presets(lab: Lab) -> impl IntoView {
    let shell = shell();
    let item = move |preset: &'static Preset| {
        let go = move |_| {
            lab.replace(lab.spec.with(preset.set));
            lab.revealed.set(true);
        };
        view! {
            <li>
                <button type="button" on:click=go>{shell.at(&["preset", preset.key, "name"])}</button>
                <span>{shell.at(&["preset", preset.key, "text"])}</span>
                {preset.flip.then(|| view! { <span class="flip">{shell.t("lab.flip")}</span> })}
            </li>
        }
    };
    view! {
        <section class="card" aria-labelledby="presets-title">
            <h2 id="presets-title" class="card-title">{shell.t("lab.presets")}</h2>
            <ul class="presets">{lab.spec.presets.iter().map(item).collect_view()}</ul>
        </section>
    }
    .into_any()
}

#[component]
fn Card() -> impl IntoView {
    let shell = shell();
    view! {
        <details class="card">
            <summary class="card-title">{shell.t("lab.card")}</summary>
            <h3>{shell.t("lab.card-in")}</h3>
            <p><Rich text=shell.t("card.in") /></p>
            <h3>{shell.t("lab.card-out")}</h3>
            <p><Rich text=shell.t("card.out") /></p>
        </details>
    }
    .into_any()
}

#[component]
fn Notes() -> impl IntoView {
    let shell = shell();
    let misses = move || {
        shell.words.with(|w| {
            let keys = (1..20).map(|i| format!("notes.miss-{i}")).take_while(|k| w.has(k));
            list("ul", keys.map(|k| w.at(&[&k])))
        })
    };
    view! {
        <details class="card">
            <summary class="card-title">{shell.t("lab.notes")}</summary>
            <h3>{shell.t("lab.goal")}</h3>
            <p>{shell.t("notes.goal")}</p>
            <h3>{shell.t("lab.minutes")}</h3>
            <p>{shell.t("notes.minutes")}</p>
            <h3>{shell.t("lab.misconceptions")}</h3>
            {drawn("", misses)}
            <h3>{shell.t("lab.answers")}</h3>
            <p>{shell.t("notes.answer")}</p>
        </details>
    }
    .into_any()
}

/// The three questions to ask of any routing feature, one question from elsewhere, where real
/// routers have this knob, and the next lab.
#[component]
fn Closing(lab: Lab) -> impl IntoView {
    let shell = shell();
    let real = lab.spec.real.iter().map(|(name, url)| {
        view! { <li><a href=*url rel="noreferrer">{*name}</a></li> }
    });
    let at = IDS.iter().position(|id| *id == lab.spec.id).unwrap_or(0);
    let next = IDS.get(at + 1).copied().map(|next| {
        let title = move || shell.at(&["labs", next, "question"]).get();
        view! {
            <p>
                <a class="button" data-go href=text(move || shell.page.with(|p| p.lab(next)))>
                    {text(move || shell.now(&msg("nav.next").with("title", title())))}
                </a>
            </p>
        }
    });
    view! {
        <section class="card closing" aria-labelledby="closing-title">
            <h2 id="closing-title" class="card-title">{shell.t("lab.closing")}</h2>
            <ol>
                <li>{shell.t("ask.compared")}</li>
                <li>{shell.t("ask.age")}</li>
                <li>{shell.t("ask.first-token")}</li>
            </ol>
            <p>{shell.t("ask.transfer")}</p>
            <h3>{shell.t("lab.real")}</h3>
            <ul class="real">{real.collect_view()}</ul>
            {next}
        </section>
    }
    .into_any()
}

/// Every step in one sentence; made when it is opened or printed.
#[component]
pub fn Transcript(
    /// The run.
    run: Signal<Run>,
    /// Steps that are told at most.
    #[prop(default = u32::MAX)]
    most: u32,
) -> impl IntoView {
    let shell = shell();
    let open = RwSignal::new(false);
    let print = (!cfg!(feature = "ssr"))
        .then(|| window_event_listener_untyped("beforeprint", move |_| open.set(true)));
    on_cleanup(move || {
        if let Some(print) = print {
            print.remove();
        }
    });
    let lines = move || {
        let (words, run) = (shell.words.get(), run.get().0);
        let steps = if open.get() { run.steps().min(most) } else { 0 };
        list("ol", (0..steps).map(|step| words.say(&run.say(step))))
    };
    view! {
        <details class="card transcript" prop:open=flag(move || open.get()) on:toggle:target=move |event| open.set(event.target().open())>
            <summary class="card-title">{shell.t("player.transcript")}</summary>
            {drawn("", lines)}
        </details>
    }
    .into_any()
}
