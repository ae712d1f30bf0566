//! The 200 seeds that texts and tasks are about, from a worker, one set-up after another.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use tokenyard_lab::LabSpec;
use tokenyard_lab::luck::SEEDS;
use tokenyard_lab::spec::Setup;
use tokenyard_lesson::Samples;

use crate::job;
use crate::widgets::live::follow;
use crate::widgets::task::Task;

/// Samples by the text of the job that made them. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
pub struct Numbers {
    known: RwSignal<BTreeMap<String, Samples>>,
    /// Jobs that wait, first come first served, with the first seed of each.
    waiting: RwSignal<Vec<(String, u32)>>,
    present: StoredValue<Option<String>>,
    task: Task,
}

impl Numbers {
    /// Nothing is computed before it is asked for.
    #[must_use]
    pub fn none() -> Self {
        let numbers = Self {
            known: RwSignal::new(BTreeMap::new()),
            waiting: RwSignal::new(Vec::new()),
            present: StoredValue::new(None),
            task: Task::new(SEEDS),
        };
        follow(move |_| numbers.go_on());
        numbers
    }

    /// The samples of a set-up, whatever its seed; asked for if they are not there. Followed.
    #[must_use]
    pub fn get(self, lab: &'static LabSpec, setup: &Setup) -> Option<Samples> {
        let first = lab.luck.0;
        let job = job::text(job::Kind::Luck, lab, &setup.clone().with_seed(first));
        let known = self.known.with(|known| known.get(&job).cloned());
        if known.is_none() {
            let is_new = self.present.with_value(|present| present.as_ref() != Some(&job))
                && self.waiting.with_untracked(|waiting| waiting.iter().all(|(other, _)| *other != job));
            if is_new {
                // Not while somebody reads: whoever asks is being drawn.
                let waiting = self.waiting;
                let ask = move || {
                    let _ = waiting.try_update(|waiting| waiting.push((job, first)));
                };
                set_timeout(ask, Duration::ZERO);
            }
        }
        known
    }

    /// Why the last ones could not be computed, if so. Followed.
    #[must_use]
    pub fn failed(self) -> Option<String> {
        self.task.failed()
    }

    /// Takes what is done, and starts what waits.
    fn go_on(self) {
        let (running, waits) = (self.task.running.get(), self.waiting.with(|waiting| !waiting.is_empty()));
        if running {
            return;
        }
        let present = self.present.try_update_value(Option::take).flatten();
        if let Some(job) = present.filter(|_| self.task.done()) {
            let rows = self.task.rows.get_untracked();
            self.known.update(|known| {
                known.insert(job, Arc::new(rows));
            });
        }
        if waits {
            let next = self.waiting.try_update(|waiting| (!waiting.is_empty()).then(|| waiting.remove(0)));
            if let Some((job, first)) = next.flatten() {
                let is_known = self.known.with_untracked(|known| known.contains_key(&job));
                if !is_known {
                    self.present.set_value(Some(job.clone()));
                    self.task.start(job, first);
                }
            }
        }
    }
}
