//! "How much load until it breaks?": a sweep over loads and seeds in two workers, drawn as it
//! arrives.

use leptos::prelude::*;
use tokenyard_lab::{Figure, msg};
use tokenyard_study::Study;
use tokenyard_study::sweep::{CHARTS, ITEMS, LOADS, MOST_REQUESTS, SEEDS, figures};

use super::problem;
use super::state::{Fleet, TraceFile};
use crate::platform::worker::Job;
use crate::shell::shell;
use crate::study::{self, News};
use crate::widgets::chart::Chart;
use crate::widgets::live::{flag, follow, live, text};
use crate::widgets::task::{Task, TaskBar};

/// Workers that share a sweep, each with an instance of its own.
const WORKERS: u32 = 2;
/// Milliseconds between two drawings of the rows so far.
const DRAW_MS: f64 = 250.0;

/// The panel.
#[component]
pub fn Breaking(
    /// State of the page.
    fleet: Fleet,
) -> impl IntoView {
    let shell = shell();
    let task = Task::new(ITEMS);
    forget_with_settings(fleet, task);
    let shown = drawn_now_and_then(task);
    let start = move |()| {
        task.start_all(fleet.study.with_untracked(|study| shares(study, fleet.file.get_value().as_ref())))
    };
    let help = move || {
        let told = msg("breaking.help").with("loads", LOADS).with("seeds", SEEDS);
        shell.now(&told.with("most", MOST_REQUESTS))
    };
    let none = flag(move || shown.with(Vec::is_empty));
    view! {
        <section class="card fl-breaking" aria-labelledby="breaking-title">
            <h2 id="breaking-title" class="card-title">{shell.t("breaking.title")}</h2>
            <p class="knob-help">{text(help)}</p>
            <TaskBar task name="breaking.run" progress="breaking.running" start=Callback::new(start) />
            {live(move || (!none.get()).then(|| view! { <Charts fleet shown /> }))}
        </section>
    }
    .into_any()
}

/// A job for each worker.
fn shares(study: &Study, file: Option<&TraceFile>) -> Vec<Job> {
    let number = file.map_or(0, |f| f.number);
    let share = |which| Job {
        text: study::sweep_text(study, (which, WORKERS), number),
        from: 0,
        count: u32::MAX,
        file: file.map(TraceFile::numbered),
    };
    (0..WORKERS).map(share).collect()
}

/// Rows belong to the settings that they were made with.
fn forget_with_settings(fleet: Fleet, task: Task) {
    follow(move |first| {
        fleet.study.track();
        fleet.trace.track();
        if !first {
            task.clear();
        }
    });
}

/// The rows so far, a few times a second: two charts take longer to draw than rows to come. What
/// keeps a share from being run ends them all.
fn drawn_now_and_then(task: Task) -> RwSignal<Vec<Vec<f64>>> {
    let shell = shell();
    let shown = RwSignal::new(Vec::new());
    let last = StoredValue::new(0.0);
    follow(move |_| {
        let running = task.running.get();
        let refused = task.rows.with(|rows| rows.iter().find(|row| row[0] < 0.0).cloned());
        if let Some(News::Problems(problems)) = refused.and_then(study::news) {
            let first = problems.into_iter().next();
            let told = first.map(|p| untrack(|| shell.now(&problem(p.path, p.given, p.allowed))));
            task.rows.set(Vec::new());
            task.fail(told.unwrap_or_default());
            return;
        }
        let now = js_sys::Date::now();
        if !running || now - last.get_value() > DRAW_MS {
            last.set_value(now);
            task.rows.with(|rows| shown.set(rows.clone()));
        }
    });
    shown
}

#[component]
fn Charts(fleet: Fleet, shown: RwSignal<Vec<Vec<f64>>>) -> impl IntoView {
    let all = Memo::new(move |_| fleet.study.with(|study| shown.with(|rows| figures(study, rows))));
    let figure =
        move |i: usize| -> Signal<Figure> { Memo::new(move |_| all.with(|all| all[i].clone())).into() };
    (0..CHARTS).map(|i| view! { <Chart figure=figure(i) /> }).collect_view()
}
