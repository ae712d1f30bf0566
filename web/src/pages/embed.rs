//! A lab inside somebody else's page: the parts that the address asks for, in one column or two.

use leptos::prelude::*;
use tokenyard_lab::LabSpec;

use super::bar::{Notices, refused};
use super::below::Below;
use super::lab::{Figures, Stage, outcome, pause_out_of_sight, player_start};
use crate::frame::Part;
use crate::page::Kind;
use crate::platform::{host, nav};
use crate::shell::{Shell, shell};
use crate::state::Lab;
use crate::widgets::icon::{Icon, Shape as Drawing};
use crate::widgets::knob::Knobs;
use crate::widgets::live::text;
use crate::widgets::luck::{self, Luck};
use crate::widgets::player::Announcer;
use crate::widgets::predict::Predict;
use crate::widgets::rich::Rich;
use crate::widgets::share::Share;
use crate::widgets::table::Summary;
use crate::widgets::why::Why;

/// The embed of a lab.
#[component]
pub fn EmbedPage(
    /// Which lab.
    spec: &'static LabSpec,
) -> impl IntoView {
    let shell = shell();
    let (shape, _) = shell.shape.get_value();
    let fragment = if cfg!(feature = "ssr") { String::new() } else { nav::fragment() };
    let lab = Lab::open(spec, &fragment);
    if !shape.asks {
        lab.ask_nothing();
    }
    host::speak(shell, lab, move || refused(shell, lab));
    pause_out_of_sight(lab.play);
    // Each part is named, so that the first frame's script can hide it as the address asks.
    let part = |part: Part, view: AnyView| {
        shape.shows(part).then(|| view! { <div class="part" data-part=part.id()>{view}</div> })
    };
    let any = |parts: &[Part]| parts.iter().any(|part| shape.shows(*part));
    let has_rail = any(&[Part::Knobs, Part::Luck, Part::Why]);
    let has_more = any(&[Part::Charts, Part::Table]);
    let rail = [
        part(Part::Knobs, view! { <Knobs lab /> }.into_any()),
        spec.has_seed()
            .then(|| part(Part::Luck, view! { <Luck panel=luck::of_lab(lab) /> }.into_any()))
            .flatten(),
        part(Part::Why, view! { <Why play=lab.play /> }.into_any()),
    ];
    view! {
        <article class="lab embed">
            <header class="embed-head">
                <h1 tabindex="-1">{shell.t("title")}</h1>
                {part(Part::Link, view! { <Share lab /> }.into_any())}
                {part(Part::Open, view! { <Open shell lab /> }.into_any())}
                {part(Part::Lead, view! { <p class="lead"><Rich text=shell.t("lead") /></p> }.into_any())}
            </header>
            <Notices lab />
            {part(Part::Predict, view! { <Predict lab start=player_start(lab) /> }.into_any())}
            <div class="embed-grid" class:has-rail=has_rail>
                <div class="embed-stage">
                    // The lanes of a scene have headings of the third level.
                    <h2 class="visually-hidden">{shell.t("question")}</h2>
                    <Stage lab />
                </div>
                <div class="embed-rail" hidden=!has_rail>{rail.into_iter().flatten().collect_view()}</div>
                <div class="embed-more" hidden=!has_more>
                    {part(Part::Charts, view! { <Figures lab /> }.into_any())}
                    {part(Part::Table, view! { <Summary lab /> }.into_any())}
                </div>
            </div>
            {part(Part::Below, view! { <Below lab /> }.into_any())}
            <Announcer play=lab.play headline=outcome(lab) />
        </article>
    }
    .into_any()
}

/// Leads to the lab's own page, at the same state.
#[component]
fn Open(shell: Shell, lab: Lab) -> impl IntoView {
    let href = move || {
        lab.track();
        shell.page.with(|page| page.link(&Kind::Lab(lab.spec), &lab.link(false)))
    };
    view! {
        <a class="embed-open" target="_blank" rel="noopener" href=text(href)>
            {shell.t("frame.open")} <Icon shape=Drawing::Out />
        </a>
    }
    .into_any()
}
