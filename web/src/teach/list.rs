//! The lessons that ship, a file of one's own, and where everything for a workshop is.

use leptos::prelude::*;
use tokenyard_lab::{Msg, msg};
use tokenyard_lesson::{Lesson, Text, read, shipped};

use super::address::{Address, Origin, View};
use crate::page::Kind;
use crate::shell::{Shell, shell};
use crate::widgets::file::ChooseFile;
use crate::widgets::live::{drawn, flag, list, text};

/// The list.
#[component]
pub fn List(
    /// What is wrong with what the address or a file asked for; nothing if it asked for nothing.
    faults: Vec<Msg>,
    /// Opens a file.
    open: Callback<web_sys::File>,
) -> impl IntoView {
    let shell = shell();
    let lessons = shipped::FILES.iter().filter_map(|text| read(text).ok());
    view! {
        <div class="teach">
            <header class="teach-head">
                <h1 tabindex="-1">{shell.t("title")}</h1>
                <p class="lead">{shell.t("lead")}</p>
            </header>
            {faulty(shell, faults)}
            <ul class="teach-lessons">{lessons.map(|lesson| card(shell, lesson)).collect_view()}</ul>
            <section class="card" aria-labelledby="own-title">
                <h2 id="own-title" class="card-title">{shell.t("teach.own")}</h2>
                <p>{shell.t("teach.own-text")}</p>
                <ChooseFile name=shell.t("teach.own-open") class="button" accept=".toml,text/plain" take=open />
            </section>
            <section class="card" aria-labelledby="how-title">
                <h2 id="how-title" class="card-title">{shell.t("teach.how")}</h2>
                {drawn("", move || list("ol", HOW.iter().map(|key| shell.t(key).get())))}
            </section>
        </div>
    }
    .into_any()
}

/// What a workshop is made of, in the order of a day.
const HOW: [&str; 4] = ["teach.how-choose", "teach.how-present", "teach.how-guess", "teach.how-task"];

/// What could not be opened, and why: every fault with its line.
fn faulty(shell: Shell, faults: Vec<Msg>) -> AnyView {
    let none = faults.is_empty();
    let lines = move || list("ul", faults.iter().map(|fault| shell.now(fault)));
    view! {
        <section class="card teach-faults" role="alert" hidden=none>
            <h2 class="card-title">{shell.t("teach.faults")}</h2>
            {drawn("", lines)}
        </section>
    }
    .into_any()
}

fn card(shell: Shell, lesson: Lesson) -> AnyView {
    let (id, minutes) = (lesson.id.clone(), lesson.minutes);
    let to = move |view: View| {
        let origin = Some(Origin::Shipped(id.clone()));
        let fragment = Address { origin, step: None, view }.write();
        text(move || shell.page.with(|page| page.link(&Kind::Teach, &fragment)))
    };
    let (learn, present) = (to(View::Learn), to(View::Present));
    let lesson = StoredValue::new(lesson);
    let said = move |of: fn(&Lesson) -> &Text| {
        text(move || lesson.with_value(|l| of(l).at(l.language(&shell.lang.get())).to_owned()))
    };
    let steps = move || {
        lesson.with_value(|l| {
            let at = l.language(&shell.lang.get());
            list("ol", l.steps.iter().map(|step| step.title.at(at).to_owned()))
        })
    };
    let paper = move |what: &'static str| {
        text(move || {
            let (root, lang) = (shell.page.with(|page| page.root.clone()), shell.lang.get());
            lesson.with_value(|l| {
                let lang = l.languages[l.language(&lang)].clone();
                format!("{root}teach/{}/{what}.{lang}.html", l.id)
            })
        })
    };
    // A single file has no other files beside it.
    let single = shell.page.with_untracked(|page| page.single);
    view! {
        <li class="card">
            <h2><a href=learn>{said(|l| &l.title)}</a></h2>
            <p>{said(|l| &l.about)}</p>
            <p class="note">{shell.say(msg("teach.minutes").with("n", minutes))}</p>
            <details>
                <summary>{shell.t("teach.steps")}</summary>
                {drawn("", steps)}
                <p>
                    <strong>{shell.t("teach.goal")}</strong> " "
                    {said(|l| &l.goal)}
                </p>
            </details>
            <p class="teach-actions">
                <a class="button is-primary" href=learn>{shell.t("teach.learn")}</a>
                <a class="button" href=present>{shell.t("teach.present")}</a>
                <a hidden=flag(move || single) href=paper("handout")>{shell.t("teach.handout")}</a>
                <a hidden=flag(move || single) href=paper("notes")>{shell.t("teach.notes-page")}</a>
            </p>
        </li>
    }
    .into_any()
}
