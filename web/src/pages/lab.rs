//! A lab page, top to bottom, for any lab.

use leptos::prelude::*;
use tokenyard_lab::{Arg, Figure, Guide, LabSpec, link, msg, sweep};

use super::bar::{Fork, Notices, present};
use super::below::Below;
use crate::frame::Part;
use crate::job;
use crate::page::{self, Kind};
use crate::platform::{clock::Debounce, dom, nav, sight::Sight};
use crate::shell::shell;
use crate::state::{Lab, Playback};
use crate::widgets::chart::Chart;
use crate::widgets::knob::Knobs;
use crate::widgets::live::{flag, follow, text};
use crate::widgets::luck::{self, Luck};
use crate::widgets::player::{Announcer, Player, headline};
use crate::widgets::predict::Predict;
use crate::widgets::rich::Rich;
use crate::widgets::scene::{Say, Scene};
use crate::widgets::share::Share;
use crate::widgets::table::Summary;
use crate::widgets::task::TaskBar;
use crate::widgets::why::Why;

/// The page of a lab.
#[component]
pub fn LabPage(
    /// Which lab.
    spec: &'static LabSpec,
) -> impl IntoView {
    let shell = shell();
    let kind = shell.page.with_untracked(|page| page.kind);
    let lab = opened(spec, kind);
    keep_link(lab, kind);
    follow(move |_| {
        // Somebody edited the address, or went back within the page.
        if let Some(fragment) = shell.fragment.get() {
            shell.fragment.set(None);
            lab.load(if fragment.is_empty() { kind.state() } else { fragment }.as_str());
        }
    });
    pause_out_of_sight(lab.play);
    view! {
        <article class="lab">
            <header class="lab-head">
                <div>
                    <h1 tabindex="-1">{shell.t("title")}</h1>
                    <p class="lead"><Rich text=shell.t("lead") /></p>
                </div>
                <div class="lab-actions">
                    {present(move || {
                        lab.track();
                        page::lab_state(lab.spec, &lab.link(false))
                    })}
                    <Share lab />
                </div>
            </header>
            {visited(kind)}
            <Notices lab />
            <div class="lab-grid">
                <div class="area-predict"><Predict lab start=player_start(lab) /></div>
                <div class="area-main"><Stage lab /><Figures lab /><Summary lab /></div>
                <div class="area-rail">
                    <Knobs lab />
                    {spec.has_seed().then(|| view! { <Luck panel=luck::of_lab(lab) /> })}
                    <Why play=lab.play />
                </div>
                <Below lab />
            </div>
            <Announcer play=lab.play headline=outcome(lab) />
        </article>
    }
    .into_any()
}

/// The state of the address; a preset's page has one of its own where the address has none.
fn opened(spec: &'static LabSpec, kind: Kind) -> Lab {
    let fragment = if cfg!(feature = "ssr") { String::new() } else { nav::fragment() };
    let own = fragment.is_empty() && matches!(kind, Kind::Preset(..));
    let lab = Lab::open(spec, if own { kind.state() } else { fragment }.as_str());
    if own {
        // A preset shows what it says; nobody is asked first.
        lab.revealed.set(true);
    }
    lab
}

/// Which preset a page opened on, and the way to the lab as it is without.
fn visited(kind: Kind) -> Option<AnyView> {
    let Kind::Preset(spec, preset) = kind else {
        return None;
    };
    let shell = shell();
    let word = move |part: &str| shell.at(&["preset", preset.key, part]);
    Some(
        view! {
            <p class="visited">
                <strong>{word("name")}</strong> " " {word("text")} " "
                <a data-go href=text(move || shell.page.with(|page| page.href(&Kind::Lab(spec))))>{shell.t("lab.plain")}</a>
            </p>
        }
        .into_any(),
    )
}

/// Plays from the start, unless the reader asked for less motion: what an answer does.
pub(crate) fn player_start(lab: Lab) -> Callback<()> {
    Callback::new(move |()| {
        if !dom::reduced_motion() {
            lab.seek(0);
            lab.playing.set(true);
        }
    })
}

/// The row in view as a sentence.
pub(crate) fn outcome(lab: Lab) -> Signal<String> {
    let shell = shell();
    text(move || shell.words.with(|words| lab.table.with(|table| headline(lab.spec.columns, table, words))))
}

/// Scene, say line and player: what the reader looks at.
#[component]
pub(crate) fn Stage(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let shell = shell();
    let (shape, _) = shell.shape.get_value();
    let cut = move || lab.run.with(|run| run.0.cut()).map(|m| shell.now(&m));
    view! {
        <section class="card stage" id="stage" aria-label=shell.t("question")>
            <p class="differ">{shell.t("differ")}</p>
            <Scene play=lab.play />
            <Say play=lab.play />
            <p class="cut" role="status" hidden=flag(move || cut().is_none())>{cut}</p>
            {shape.shows(Part::Player).then(|| view! { <div data-part=Part::Player.id()><Player play=lab.play /></div> })}
            {(lab.spec.forks() && shape.shows(Part::Fork)).then(|| view! { <div data-part=Part::Fork.id()><Fork lab /></div> })}
        </section>
    }
    .into_any()
}

/// The charts of the present step; simulated points are drawn over theirs as they arrive.
#[component]
pub(crate) fn Figures(
    /// State of the lab page.
    lab: Lab,
) -> impl IntoView {
    let count = lab.run.with_untracked(|run| run.0.figures(0).len());
    follow(move |first| {
        lab.setup.track();
        if !first {
            lab.sweep.clear();
        }
    });
    // Made once for a step: caption, picture, sentence and table of each chart read the same.
    let all = Memo::new(move |_| figures(lab));
    let figure = move |i: usize| -> Signal<Figure> {
        Memo::new(move |_| all.with(|all| all[i.min(all.len() - 1)].clone())).into()
    };
    view! {
        {(0..count).map(|i| view! { <Chart figure=figure(i) /> }).collect_view()}
        {lab.spec.sweep.is_some().then(|| view! { <SweepBar lab /> })}
    }
    .into_any()
}

/// The charts of the present step with the reader's guess, without what is covered.
fn figures(lab: Lab) -> Vec<Figure> {
    let (step, covered, guess) = (lab.step.get(), lab.covered(), lab.guess.get());
    let all = lab.setup.with(|setup| {
        lab.sweep.rows.with(|rows| lab.run.with(|run| sweep::figures(lab.spec, setup, &*run.0, step, rows)))
    });
    let finish = |mut figure: Figure| {
        if let Some(y) = guess.filter(|_| lab.spec.prediction.guide_on == Some(figure.id)) {
            let label = msg("predict.yours").with("n", Arg::Fixed(y, 0));
            figure.guides.push(Guide { y, label });
        }
        if covered { figure.covered() } else { figure }
    };
    all.into_iter().map(finish).collect()
}

/// Starts the simulation whose points belong over a chart.
#[component]
fn SweepBar(lab: Lab) -> impl IntoView {
    let shell = shell();
    let start = Callback::new(move |()| {
        lab.sweep.start(job::text(job::Kind::Sweep, lab.spec, &lab.setup.get_untracked()), 0);
    });
    view! {
        <section class="card sweep">
            <TaskBar task=lab.sweep name="sweep.run" progress="sweep.running" start />
            <p class="note">{shell.t("sweep.note")}</p>
        </section>
    }
    .into_any()
}

/// Writes the state into the address: at most once a second, and shortly after the last change.
///
/// A preset's page has an address for its own state, so there the lab as it is without is written out,
/// by its model version.
fn keep_link(lab: Lab, kind: Kind) {
    let is_preset = matches!(kind, Kind::Preset(..));
    let link = move || match lab.link(false) {
        link if link.is_empty() && is_preset => {
            let version = Some(lab.spec.model_version);
            link::write(lab.spec, &link::State { version, ..link::State::fresh(lab.spec) })
        }
        link if is_preset && link == kind.state() => String::new(),
        link => link,
    };
    let settle = Debounce::new(400);
    let last = StoredValue::new(0.0_f64);
    follow(move |first| {
        lab.track();
        if first || lab.playing.get() {
            return;
        }
        let since = js_sys::Date::now() - last.get_value();
        settle.call_in((1000.0 - since).clamp(400.0, 1000.0) as u64, move || {
            last.set_value(js_sys::Date::now());
            nav::replace_fragment(&link());
        });
    });
}

/// Playback stops when the page is hidden or the stage is out of sight.
pub(crate) fn pause_out_of_sight(play: Playback) {
    if cfg!(feature = "ssr") {
        return;
    }
    let hidden = window_event_listener_untyped("visibilitychange", move |_| {
        if dom::document().is_some_and(|d| d.hidden()) {
            play.playing.set(false);
        }
    });
    let sight = StoredValue::new_local(None::<Sight>);
    follow(move |_| {
        let stage = dom::document().and_then(|d| d.query_selector(".stage, .live").ok().flatten());
        sight.set_value(stage.and_then(|stage| {
            Sight::of(&stage, "0px", move |seen| {
                if !seen {
                    let _ = play.playing.try_set(false);
                }
            })
        }));
    });
    on_cleanup(move || hidden.remove());
}
