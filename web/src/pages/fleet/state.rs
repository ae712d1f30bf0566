//! What a reader sets on the fleet page, and what follows from it.

use std::cell::RefCell;
use std::sync::Arc;

use js_sys::Uint8Array;
use leptos::prelude::*;
use tokenyard_fleet::scenario::Problem;
use tokenyard_lab::Table;
use tokenyard_lab::link::Notice;
use tokenyard_study::link::{self, State};
use tokenyard_study::{LaneRun, Study, StudyRun};

use crate::platform::worker::{Job, Jobs, Part};
use crate::state::{Playback, Run};
use crate::study::{self, News};

/// A run that takes longer than this is shown lane by lane.
const SLOW_MS: f64 = 1_500.0;

/// A trace that the reader opened. It never leaves the tab.
#[derive(Clone, Debug)]
pub struct TraceFile {
    /// Its name.
    pub name: String,
    /// Counts the files of this visit, from 1.
    pub number: u32,
    /// What is in it.
    pub bytes: Uint8Array,
}

/// A result by pointer.
#[derive(Clone)]
pub struct Result(pub Arc<StudyRun>);

impl PartialEq for Result {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Everything the page reads and sets. Handles only, so it is `Copy`.
#[derive(Clone, Copy)]
pub struct Fleet {
    /// The settings.
    pub study: RwSignal<Study>,
    /// What the last run of them gave; the one before stays until then.
    pub result: RwSignal<Result>,
    /// The result, played.
    pub play: Playback,
    /// Its summary.
    pub table: Memo<Table>,
    /// Requests that have ended in the run under way.
    pub busy: RwSignal<Option<u32>>,
    /// Why the settings cannot be run.
    pub problems: RwSignal<Vec<Problem>>,
    /// What could not be used of the link.
    pub notices: RwSignal<Vec<Notice>>,
    /// Headline numbers and model version that the link carried.
    pub promised: RwSignal<(Option<Vec<String>>, Option<u32>)>,
    /// A request of the link that the run does not have.
    pub beyond: RwSignal<Option<u32>>,
    /// Number of the trace that is open, 0 for none.
    pub trace: RwSignal<u32>,
    /// The trace itself.
    pub file: StoredValue<Option<TraceFile>, LocalStorage>,
    /// The request that the next result opens on; none for its first key moment.
    wanted: RwSignal<Option<u32>>,
    /// Whether the next result may move the reader.
    opens: RwSignal<bool>,
    jobs: StoredValue<Jobs, LocalStorage>,
}

thread_local! {
    /// The lanes of the page's own link, computed while its first frame was still in view.
    static EARLY: RefCell<Option<(String, Vec<LaneRun>)>> = const { RefCell::new(None) };
}

/// Computes the lanes of a link before the page is built, so that it is never seen without them.
/// `then` is called when they are there or cannot be had.
pub fn ahead(fragment: &str, then: impl FnOnce() + 'static) {
    let (state, _) = link::read(fragment);
    let (fragment, then) = (fragment.to_owned(), RefCell::new(Some(then)));
    let (jobs, lanes) = (Jobs::default(), RefCell::new(Vec::new()));
    let keep = jobs.clone();
    jobs.start(&job(&state.study, None), move |part| {
        let over = match part {
            Part::Rows(rows) => {
                let mut over = false;
                for news in rows.into_iter().filter_map(study::news) {
                    match news {
                        News::Lane(lane) => lanes.borrow_mut().push(lane),
                        News::Problems(_) => over = true,
                        News::Ended(_) => {}
                    }
                }
                over
            }
            Part::Done => {
                EARLY.set(Some((fragment.clone(), lanes.take())));
                true
            }
            Part::Failed(_) => true,
        };
        if over && let Some(then) = then.take() {
            // The worker goes when its last message has been read.
            let _ = &keep;
            then();
        }
    });
}

fn job(study: &Study, file: Option<&TraceFile>) -> Job {
    let number = file.map_or(0, |f| f.number);
    Job { text: study::text(study, 0, number), from: 0, count: u32::MAX, file: file.map(|f| f.bytes.clone()) }
}

impl Fleet {
    /// State from a fragment. Natively it is run at once.
    #[must_use]
    pub fn open(fragment: &str) -> Self {
        let result = RwSignal::new(Result(Arc::default()));
        let run = Memo::new(move |_| result.with(|r| Run(r.0.clone())));
        // The whole run takes twenty seconds at its own pace.
        let step_ms = Signal::derive(move || (20_000 / run.with(|r| r.0.steps()).max(1)).clamp(16, 500));
        let fleet = Self {
            study: RwSignal::new(Study::default()),
            result,
            play: Playback::new(run.into(), true, step_ms),
            table: Memo::new(move |_| result.with(|r| r.0.table())),
            busy: RwSignal::new(None),
            problems: RwSignal::new(Vec::new()),
            notices: RwSignal::new(Vec::new()),
            promised: RwSignal::new((None, None)),
            beyond: RwSignal::new(None),
            trace: RwSignal::new(0),
            file: StoredValue::new_local(None),
            wanted: RwSignal::new(None),
            opens: RwSignal::new(true),
            jobs: StoredValue::new_local(Jobs::default()),
        };
        fleet.load(fragment);
        let early = EARLY.take().filter(|(of, _)| of == fragment).map(|(_, lanes)| lanes);
        let lanes = early.or_else(|| {
            let native = cfg!(feature = "ssr")
                .then(|| fleet.study.with_untracked(|s| tokenyard_study::work::run(s, None)));
            native.and_then(std::result::Result::ok)
        });
        match lanes {
            Some(lanes) => fleet.show(lanes, true),
            None => fleet.run(),
        }
        fleet
    }

    /// Takes over the state of a fragment.
    pub fn load(self, fragment: &str) {
        let (state, notices) = link::read(fragment);
        self.play.playing.set(false);
        self.notices.set(notices);
        self.promised.set((state.headline, state.version));
        self.wanted.set(state.at);
        self.opens.set(true);
        self.study.set(state.study);
    }

    /// Changes the settings; a run of the new ones has to be asked for with [`Self::run`].
    pub fn change(self, change: impl FnOnce(&mut Study)) {
        self.promised.set((None, None));
        self.study.update(change);
    }

    /// Runs the settings in the worker.
    pub fn run(self) {
        let study = self.study.get_untracked();
        let file = self.file.get_value();
        // With a trace the worker knows more.
        let problems = if file.is_some() { Vec::new() } else { study.problems(None) };
        self.problems.set(problems.clone());
        if !problems.is_empty() {
            self.jobs.with_value(Jobs::cancel);
            self.busy.set(None);
            return;
        }
        self.busy.set(Some(0));
        let started = js_sys::Date::now();
        let lanes = RefCell::new(Vec::new());
        let job = job(&study, file.as_ref());
        self.jobs.with_value(|jobs| {
            jobs.start(&job, move |part| match part {
                Part::Rows(rows) => {
                    let before = lanes.borrow().len();
                    rows.into_iter().filter_map(study::news).for_each(|news| self.hear(news, &lanes));
                    // Lanes of a long run are shown as they are done.
                    let done = lanes.borrow().len();
                    if done > before && js_sys::Date::now() - started > SLOW_MS {
                        self.show(lanes.borrow().clone(), false);
                    }
                }
                Part::Done => {
                    let _ = self.busy.try_set(None);
                    let lanes = lanes.take();
                    if !lanes.is_empty() && self.problems.try_with_untracked(Vec::is_empty) == Some(true) {
                        self.show(lanes, true);
                    }
                }
                Part::Failed(why) => {
                    let _ = self.busy.try_set(None);
                    let (path, allowed) = ("#".to_owned(), String::new());
                    let _ = self.problems.try_set(vec![Problem { path, given: why, allowed }]);
                }
            });
        });
    }

    fn hear(self, news: News, lanes: &RefCell<Vec<LaneRun>>) {
        match news {
            News::Ended(ended) => drop(self.busy.try_set(Some(ended))),
            News::Lane(lane) => lanes.borrow_mut().push(lane),
            News::Problems(problems) => drop(self.problems.try_set(problems)),
        }
    }

    /// Stops the run under way; the last result stays.
    pub fn cancel(self) {
        self.jobs.with_value(Jobs::cancel);
        self.busy.set(None);
    }

    /// Shows lanes; `whole` unless more of them are on their way.
    fn show(self, lanes: Vec<LaneRun>, whole: bool) {
        let run = self.study.with_untracked(|study| StudyRun::new(study, lanes));
        let last = run.requests().saturating_sub(1);
        self.result.set(Result(Arc::new(run)));
        let wanted = self.wanted.get_untracked();
        let opens = self.opens.get_untracked();
        self.beyond.set(wanted.filter(|n| opens && *n > last));
        let here = self.play.step.get_untracked();
        let to = if opens { wanted.unwrap_or_else(|| self.play.opening()) } else { here };
        self.play.step.set(to.min(last));
        self.opens.set(opens && !whole);
    }

    /// The state for a link, now; not followed. `full` adds model version and headline numbers.
    #[must_use]
    pub fn link(self, full: bool) -> String {
        let step = self.play.step.get_untracked();
        let lanes: Vec<LaneRun> = if full {
            self.result.with_untracked(|r| r.0.sides().iter().map(|s| s.run.clone()).collect())
        } else {
            Vec::new()
        };
        let state = State {
            study: self.study.get_untracked(),
            at: (step != self.play.opening()).then_some(step),
            version: full.then_some(link::MODEL_VERSION),
            headline: full.then(|| link::headline(&lanes)),
        };
        link::write(&state)
    }
}
