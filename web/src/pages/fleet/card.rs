//! What the fleet page's model holds and leaves out, and its reading without JavaScript.

use leptos::prelude::*;
use tokenyard_fleet::presets::{self, PRESETS};
use tokenyard_fleet::scenario::Section;
use tokenyard_lab::{Arg, Msg, msg};
use tokenyard_study::{Study, rules};

use super::Fleet;
use crate::shell::shell;
use crate::widgets::live::text;

/// Requests that a transcript tells of at most: a page with tens of thousands of lines is no help.
pub const MOST_TOLD: u32 = 1_000;

/// The model card.
#[component]
pub fn Card(
    /// State of the page.
    fleet: Fleet,
) -> impl IntoView {
    let shell = shell();
    let inside = Memo::new(move |_| fleet.study.with(inside));
    view! {
        <details class="card">
            <summary class="card-title">{shell.t("lab.card")}</summary>
            <h3>{shell.t("lab.card-in")}</h3>
            <p>{text(move || inside.with(|told| shell.now(told)))}</p>
            <h3>{shell.t("lab.card-out")}</h3>
            <p>{text(move || shell.now(&outside()))}</p>
        </details>
    }
    .into_any()
}

/// What is in the model of a study.
fn inside(study: &Study) -> Msg {
    let fleet = study.base.section(Section::Fleet);
    let preset = presets::at(usize::from(fleet.choice("preset")));
    let fitted = PRESETS.iter().filter(|preset| preset.fit.is_some()).count();
    let told = msg(if preset.fit.is_some() { "card.in" } else { "card.in-plain" })
        .with("replicas", fleet.u32("replicas"))
        .with("rules", rules().len())
        .with("presets", fitted)
        .with("preset", Arg::Text(preset.name.to_owned()));
    match preset.fit {
        Some(fit) => told.with("mean", Arg::Fixed(fit.mean, 1)),
        None => told,
    }
}

fn outside() -> Msg {
    msg("card.out").with("context", presets::FIT_CONTEXT)
}

/// Partings that are told without JavaScript.
#[cfg(feature = "ssr")]
const PARTINGS: usize = 8;

/// The page without JavaScript: the summary of the scenario that it starts from, its key moments and
/// first partings, and the model card.
#[cfg(feature = "ssr")]
pub fn reading(m: &mut tokenyard_lab::Markup, words: &tokenyard_lab::Words) {
    use tokenyard_lab::{LabRun, Markup};
    use tokenyard_study::{StudyRun, work};
    let study = Study::default();
    let Ok(lanes) = work::run(&study, None) else { return };
    let run = StudyRun::new(&study, lanes);
    m.text_el("p", &[], &words.at(&["reading.text"]));
    m.text_el("h2", &[], &words.at(&["table.title"]));
    super::summary::summary(m, &run.table(), None, words);
    let list = |m: &mut Markup, title: &str, lines: Vec<String>| {
        m.text_el("h2", &[], &words.at(&[title]));
        m.el("ul", &[], |m| lines.iter().for_each(|line| m.text_el("li", &[], line)));
    };
    list(m, "reading.moments", run.moments().iter().map(|moment| words.say(&moment.cue)).collect());
    let parts = (0..run.requests()).filter(|request| run.parts(*request)).take(PARTINGS);
    list(m, "parting.name", parts.map(|request| words.say(&run.say(request))).collect());
    list(m, "lab.card", vec![words.say(&inside(&study)), words.say(&outside())]);
}
