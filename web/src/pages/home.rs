//! Home: a claim, one live scene, and the labs in reading order.

use leptos::prelude::*;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::{LabSpec, Section, msg};

use crate::page::Kind;
use crate::platform::{clock::Debounce, dom};
use crate::shell::{Shell, shell};
use crate::state::Lab;
use crate::widgets::live::{follow, text};
use crate::widgets::player::{Announcer, Player, headline};
use crate::widgets::scene::Scene;

/// The home page.
#[component]
pub fn Home() -> impl IntoView {
    let shell = shell();
    let live = LABS.iter().copied().find(|l| l.on_home);
    let start = live.map(|lab| {
        view! {
            <a class="button is-primary" data-go href=text(move || shell.page.with(|p| p.href(&Kind::Lab(lab))))>
                {shell.t("start")}
            </a>
        }
    });
    view! {
        <div class="home">
            <div class="hero">
                <div class="hero-words">
                    <h1 tabindex="-1">{shell.t("title")}</h1>
                    <p class="lead">{shell.t("lead")}</p>
                    <p class="hero-actions">
                        {start}
                        <a class="button" href="#labs">{shell.t("labs")}</a>
                    </p>
                    <p class="note">{shell.t("private")}</p>
                </div>
                {live.map(|spec| view! { <Live spec /> })}
            </div>
            <div id="labs" class="catalogue" tabindex="-1">
                {Section::ALL.iter().filter_map(|s| section(shell, *s)).collect_view()}
            </div>
        </div>
    }
    .into_any()
}

/// The live scene: plays once by itself, not at all under reduced motion.
#[component]
fn Live(spec: &'static LabSpec) -> impl IntoView {
    let shell = shell();
    let lab = Lab::open(spec, "");
    lab.revealed.set(true);
    let soon = Debounce::new(900);
    follow(move |_| {
        if !dom::reduced_motion() && !dom::framed() {
            soon.call(move || {
                lab.seek(0);
                lab.playing.set(true);
            });
        }
    });
    super::lab::pause_out_of_sight(lab.play);
    let headline =
        text(move || shell.words.with(|words| lab.table.with(|table| headline(spec.columns, table, words))));
    view! {
        <section class="card live" aria-labelledby="live-title">
            <h2 id="live-title" class="visually-hidden">{shell.at(&["labs", spec.id, "question"])}</h2>
            <Scene play=lab.play />
            <p class="say">{shell.t("scene")}</p>
            <Player play=lab.play small=true />
            <Announcer play=lab.play headline />
        </section>
    }
    .into_any()
}

/// A group of labs with their one-line questions.
fn section(shell: Shell, section: Section) -> Option<impl IntoView> {
    let labs: Vec<&'static LabSpec> = LABS.iter().copied().filter(|l| l.section == section).collect();
    let minutes: u32 = labs.iter().map(|l| u32::from(l.minutes)).sum();
    let count = msg("nav.count").with("n", labs.len()).with("m", minutes);
    let cards = labs.iter().map(|lab| lab_card(shell, lab)).collect_view();
    (!labs.is_empty()).then(|| {
        view! {
            <section class="group">
                <div class="group-head">
                    <h2>{shell.t(section.key())}</h2>
                    <p class="note">{shell.say(count)}</p>
                </div>
                <ul class="group-labs">{cards}</ul>
            </section>
        }
    })
}

fn lab_card(shell: Shell, lab: &'static LabSpec) -> impl IntoView {
    view! {
        <li>
            <a class="card lab-card" data-go href=text(move || shell.page.with(|p| p.href(&Kind::Lab(lab))))>
                <strong>{shell.at(&["labs", lab.id, "question"])}</strong>
                <span>{shell.at(&["labs", lab.id, "teaser"])}</span>
            </a>
        </li>
    }
    .into_any()
}
