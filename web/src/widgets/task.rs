//! Long work in the worker: a button that starts it, progress, cancel, and what went wrong.
//! "Is it luck?" and the simulated points of a lab are both such a task.

use leptos::prelude::*;
use tokenyard_lab::msg;

use super::live::{flag, text};
use crate::platform::worker::{Job, Jobs, Part};
use crate::shell::shell;

/// A task and the rows it has so far. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
pub struct Task {
    /// Rows in order.
    pub rows: RwSignal<Vec<Vec<f64>>>,
    /// Whether it is at work.
    pub running: RwSignal<bool>,
    failed: RwSignal<Option<String>>,
    count: u32,
    /// As many as the task has ever been shared among.
    jobs: StoredValue<Vec<Jobs>, LocalStorage>,
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Task")
    }
}

impl Task {
    /// A task of so many rows that has not been started.
    #[must_use]
    pub fn new(count: u32) -> Self {
        Self {
            rows: RwSignal::new(Vec::new()),
            running: RwSignal::new(false),
            failed: RwSignal::new(None),
            count,
            jobs: StoredValue::new_local(Vec::new()),
        }
    }

    /// Whether every row is there.
    #[must_use]
    pub fn done(self) -> bool {
        !self.running.get() && self.rows.with(|r| r.len() >= self.count as usize)
    }

    /// Why it stopped, if it did not stop by itself.
    #[must_use]
    pub fn failed(self) -> Option<String> {
        self.failed.get()
    }

    /// Starts over with this job's text, from this number on.
    pub fn start(self, text: String, from: u32) {
        self.start_with(text, from, self.count, None);
    }

    /// Starts over; the job may take `calls` rows, empty ones included, and a file goes with it.
    pub fn start_with(self, text: String, from: u32, calls: u32, file: Option<(u32, js_sys::Uint8Array)>) {
        self.start_all(vec![Job { text, from, count: calls, file }]);
    }

    /// Starts over; each job has a worker of its own, and rows come as they are done.
    pub fn start_all(self, all: Vec<Job>) {
        self.cancel();
        self.rows.set(Vec::new());
        self.failed.set(None);
        self.running.set(true);
        self.jobs.update_value(|jobs| {
            jobs.resize_with(jobs.len().max(all.len()), Jobs::default);
            jobs.iter().zip(&all).for_each(|(jobs, job)| jobs.start(job, move |part| self.take(part)));
        });
    }

    fn take(self, part: Part) {
        match part {
            Part::Rows(rows) => {
                let done = self.rows.try_update(|all| {
                    // A row without numbers says that a longer one is on its way.
                    all.extend(rows.into_iter().filter(|row| !row.is_empty()));
                    all.len()
                });
                if done.is_some_and(|n| n >= self.count as usize) {
                    self.running.try_set(false);
                }
            }
            Part::Done => {}
            Part::Failed(why) => self.fail(why),
        }
    }

    /// Stops for a reason; the rows so far stay.
    pub fn fail(self, why: String) {
        self.jobs.try_with_value(|jobs| jobs.iter().for_each(Jobs::cancel));
        self.failed.try_set(Some(why));
        self.running.try_set(false);
    }

    /// Stops; the rows so far stay.
    pub fn cancel(self) {
        self.jobs.with_value(|jobs| jobs.iter().for_each(Jobs::cancel));
        self.running.set(false);
    }

    /// Stops and forgets.
    pub fn clear(self) {
        self.cancel();
        self.rows.set(Vec::new());
        self.failed.set(None);
    }
}

/// Start, progress, cancel.
#[component]
pub fn TaskBar(
    /// The task.
    task: Task,
    /// Words of the button that starts it.
    name: &'static str,
    /// Words of its progress, with `done` and `of`.
    progress: &'static str,
    /// Starts it.
    start: Callback<()>,
) -> impl IntoView {
    let shell = shell();
    let done = move || task.rows.with(Vec::len);
    let name = text(move || shell.words.with(|w| w.fill_key(name, &[("n", task.count.into())])));
    view! {
        <div class="task">
            <button type="button" class="is-wide" hidden=flag(move || task.running.get()) on:click=move |_| start.run(())>
                {name}
            </button>
            <p class="task-progress" hidden=flag(move || !task.running.get())>
                <progress
                    max=task.count.to_string()
                    prop:value=text(move || done().to_string())
                    aria-label=name
                ></progress>
                {text(move || shell.now(&msg(progress).with("done", done()).with("of", task.count)))}
            </p>
            <button type="button" hidden=flag(move || !task.running.get()) on:click=move |_| task.cancel()>
                {shell.t("luck.cancel")}
            </button>
            <p class="knob-error" role="alert" hidden=flag(move || task.failed.get().is_none())>
                {text(move || task.failed.get().map_or_else(String::new, |why| shell.now(&msg("luck.failed").with("why", why))))}
            </p>
        </div>
    }
    .into_any()
}
