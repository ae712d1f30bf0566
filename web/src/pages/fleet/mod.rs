//! The fleet page: any workload on any fleet under up to four rules, on the same arrivals.

pub mod breaking;
pub mod card;
pub mod file;
pub mod incidents;
pub mod lanes;
pub mod log;
pub mod settings;
pub mod state;
pub mod summary;

use leptos::prelude::*;
use tokenyard_lab::link::{MAX_CHARS, Notice, promise as promised};
use tokenyard_lab::{Figure, Msg, msg};
use tokenyard_study::{COLUMNS, FIRST, link};

use self::breaking::Breaking;
use self::card::{Card, MOST_TOLD};
use self::file::Files;
use self::incidents::Incidents;
use self::lanes::Lanes;
use self::log::Log;
use self::settings::{Sections, Start};
pub use self::state::{Fleet, ahead};
use self::state::{TraceFile, WORKER};
use self::summary::Summary;
use super::bar::{self, ShareBar, present};
use super::below::Transcript;
use super::lab::pause_out_of_sight;
use crate::page::named_state;
use crate::platform::{clock::Debounce, nav};
use crate::shell::shell;
use crate::study;
use crate::widgets::chart::Chart;
use crate::widgets::live::{drawn, flag, follow, list, text};
use crate::widgets::luck::{Luck, Panel};
use crate::widgets::player::{Announcer, Player, headline};
use crate::widgets::scene::{Say, Scene};
use crate::widgets::task::Task;
use crate::widgets::why::Why;

/// Seeds that "is it luck?" compares with.
const SEEDS: u32 = 50;
/// Charts of a result.
const CHARTS: usize = 3;
/// Milliseconds from the last change of a setting to its run: a dragged slider asks once.
const SETTLE_MS: u64 = 120;

/// The page.
#[component]
pub fn FleetPage() -> impl IntoView {
    let shell = shell();
    let fragment = if cfg!(feature = "ssr") { String::new() } else { nav::fragment() };
    let fleet = Fleet::open(&fragment);
    run_changes(fleet);
    keep_link(fleet);
    follow(move |_| {
        // Somebody edited the address, or went back within the page.
        if let Some(fragment) = shell.fragment.get() {
            shell.fragment.set(None);
            fleet.load(&fragment);
        }
    });
    pause_out_of_sight(fleet.play);
    let headline =
        text(move || shell.words.with(|words| fleet.table.with(|table| headline(&COLUMNS, table, words))));
    let luck = luck(fleet);
    view! {
        <article class="lab fleet">
            <Head fleet />
            <Notices fleet />
            <div class="lab-grid">
                <div class="area-main">
                    <Stage fleet />
                    <Log fleet />
                    <Summary fleet luck />
                    <Luck panel=luck />
                    <Charts fleet />
                    <Breaking fleet />
                    <Incidents fleet />
                </div>
                <div class="area-rail">
                    <Lanes fleet />
                    <Start fleet />
                    <Why play=fleet.play />
                    <Files fleet />
                    <Sections fleet />
                </div>
            </div>
            <div class="below">
                <Card fleet />
                <Transcript run=fleet.play.run most=MOST_TOLD />
            </div>
            <Announcer play=fleet.play headline />
        </article>
    }
    .into_any()
}

/// Name and claim, the way before a class, and the link.
#[component]
fn Head(fleet: Fleet) -> impl IntoView {
    let shell = shell();
    let share = Callback::new(move |full: bool| fleet.link(full));
    let save = Callback::new(move |()| {
        let _ = file::save(fleet);
    });
    view! {
        <header class="lab-head">
            <div>
                <h1 tabindex="-1">{shell.t("title")}</h1>
                <p class="lead">{shell.t("lead")}</p>
            </div>
            <div class="lab-actions">
                {present(move || {
                    fleet.study.track();
                    fleet.play.step.track();
                    named_state(tokenyard_lesson::fleet::NAME, &fleet.link(false).unwrap_or_default())
                })}
                <ShareBar link=share refused=fleet.refused save />
            </div>
        </header>
    }
    .into_any()
}

/// Runs the settings a moment after they last changed.
fn run_changes(fleet: Fleet) {
    let settle = Debounce::new(SETTLE_MS);
    follow(move |first| {
        fleet.study.track();
        fleet.trace.track();
        if !first {
            settle.call(move || fleet.run());
        }
    });
}

/// Writes the state into the address shortly after the last change. One that is too long for a link
/// leaves the address of the last one that was not, and a notice says so.
fn keep_link(fleet: Fleet) {
    let settle = Debounce::new(500);
    follow(move |first| {
        fleet.study.track();
        fleet.play.step.track();
        if !first && !fleet.play.playing.get() {
            settle.call(move || {
                let link = fleet.link(false);
                fleet.unlinked.set(link.as_ref().err().map(|link::TooLong(length)| *length));
                if let Ok(link) = link {
                    nav::replace_fragment(&link);
                }
            });
        }
    });
}

/// Lanes, say line, player, and the way from one parting to the next.
#[component]
fn Stage(fleet: Fleet) -> impl IntoView {
    let shell = shell();
    let cut = move || fleet.result.with(|r| tokenyard_lab::LabRun::cut(&*r.0)).map(|m| shell.now(&m));
    let busy = flag(move || fleet.busy.get().is_some());
    let idle = flag(move || fleet.busy.get().is_none());
    let progress =
        move || fleet.busy.get().map_or_else(String::new, |n| shell.now(&msg("run.ended").with("n", n)));
    view! {
        <section class="card stage" id="stage" aria-label=shell.t("question") aria-busy=text(move || busy.get().to_string())>
            <h2 class="visually-hidden">{shell.t("question")}</h2>
            <p class="differ">{shell.t("differ")}</p>
            <div class="fl-busy" hidden=idle>
                <span role="status">{text(progress)}</span>
                <button type="button" on:click=move |_| fleet.cancel()>{shell.t("luck.cancel")}</button>
            </div>
            <Scene play=fleet.play />
            <Say play=fleet.play />
            <p class="cut" role="status" hidden=flag(move || cut().is_none())>{cut}</p>
            <Player play=fleet.play />
            <Partings fleet />
        </section>
    }
    .into_any()
}

/// Buttons that go to requests that two rules send to different replicas.
#[component]
fn Partings(fleet: Fleet) -> impl IntoView {
    let shell = shell();
    let parting = move |forward: bool, from: u32| fleet.result.with(|r| r.0.parting(from, forward));
    let go = move |to: Option<u32>| {
        if let Some(to) = to {
            fleet.play.playing.set(false);
            fleet.play.seek(i64::from(to));
        }
    };
    let first = move || fleet.result.with(|r| if r.0.parts(0) { Some(0) } else { r.0.parting(0, true) });
    let none = flag(move || first().is_none());
    let last = flag(move || parting(true, fleet.play.step.get()).is_none());
    let start = flag(move || parting(false, fleet.play.step.get()).is_none());
    view! {
        <div class="fl-partings" role="group" aria-label=shell.t("parting.name")>
            <button type="button" class="is-first" disabled=none on:click=move |_| go(untrack(first))>{shell.t("parting.first")}</button>
            <button type="button" disabled=start on:click=move |_| go(untrack(|| parting(false, fleet.play.step.get())))>
                {shell.t("parting.back")}
            </button>
            <button type="button" disabled=last on:click=move |_| go(untrack(|| parting(true, fleet.play.step.get())))>
                {shell.t("parting.on")}
            </button>
        </div>
    }
    .into_any()
}

/// The charts of a result, with the linked cursor.
#[component]
fn Charts(fleet: Fleet) -> impl IntoView {
    let all = Memo::new(move |_| {
        let step = fleet.play.step.get();
        fleet.play.run.with(|run| run.0.figures(step))
    });
    let figure = move |i: usize| -> Signal<Figure> {
        Memo::new(move |_| all.with(|all| all[i.min(all.len() - 1)].clone())).into()
    };
    view! { {(0..CHARTS).map(|i| view! { <Chart figure=figure(i) /> }).collect_view()} }.into_any()
}

/// Bands over seeds for the panel "is it luck?".
fn luck(fleet: Fleet) -> Panel {
    let task = Task::new(SEEDS);
    follow(move |first| {
        fleet.study.track();
        fleet.trace.track();
        if !first {
            task.clear();
        }
    });
    let start = move |()| {
        let file = fleet.file.get_value();
        let number = file.as_ref().map_or(0, |f| f.number);
        let job = fleet.study.with_untracked(|study| study::text(study, SEEDS, number));
        task.start_with(job, 0, u32::MAX, file.as_ref().map(TraceFile::numbered));
    };
    let seed = move || fleet.study.with(|s| s.base.seed);
    Panel {
        columns: &COLUMNS,
        table: fleet.table.into(),
        task,
        column: RwSignal::new(FIRST),
        seed: text(move || seed().to_string()),
        covered: Signal::stored(false),
        range: Signal::derive(move || (seed().to_string(), (seed() + u64::from(SEEDS) - 1).to_string())),
        renew: Callback::new(move |seed: u32| fleet.change(|study| study.base.seed = u64::from(seed))),
        start: Callback::new(start),
    }
}

/// What the link could not say, what keeps the settings from being run, and whether headline
/// numbers still hold.
#[component]
fn Notices(fleet: Fleet) -> impl IntoView {
    let shell = shell();
    let all = Memo::new(move |_| -> Vec<Msg> {
        let problems = fleet.problems.get().into_iter().map(|p| {
            if p.path == WORKER {
                msg("luck.failed").with("why", p.given)
            } else {
                problem(p.path, p.given, p.allowed)
            }
        });
        let notices = fleet.notices.with(|notices| notices.iter().map(notice).collect::<Vec<_>>());
        let beyond = fleet.beyond.get().map(|n| msg("link.request").with("n", n));
        let unlinked =
            fleet.unlinked.get().map(|n| msg("link.unlinked").with("n", n).with("most", MAX_CHARS));
        problems.chain(notices).chain(beyond).chain(promise(fleet)).chain(unlinked).collect()
    });
    let lines = move || all.with(|all| list("ul", all.iter().map(|m| shell.now(m))));
    let empty = flag(move || all.with(Vec::is_empty));
    view! { <div class="notices" role="status" hidden=empty>{drawn("", lines)}</div> }.into_any()
}

/// A field, what it was given and what is allowed. Clamped values and refused ones read the same
/// here: the setting says which.
fn problem(path: String, given: String, allowed: String) -> Msg {
    msg("problem").with("path", path).with("given", given).with("allowed", allowed)
}

fn notice(notice: &Notice) -> Msg {
    bar::told(notice, link::MODEL_VERSION, |e| problem(e.key.clone(), e.given.clone(), e.allowed.clone()))
}

/// Same or differs, when the link carries headline numbers; older models are named. Nothing is
/// compared while the run is under way.
fn promise(fleet: Fleet) -> Vec<Msg> {
    let (was, version) = fleet.promised.get();
    let was = was.filter(|_| fleet.busy.get().is_none());
    let now = was.is_some().then(|| fleet.result.with(|r| r.0.headline()));
    promised(version, link::MODEL_VERSION, was.as_deref().zip(now.as_deref()))
}
