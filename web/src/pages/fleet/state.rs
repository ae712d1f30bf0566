//! What a reader sets on the fleet page, and what follows from it.

use std::cell::RefCell;
use std::sync::Arc;

use js_sys::Uint8Array;
use leptos::prelude::*;
use tokenyard_fleet::scenario::Problem;
use tokenyard_lab::Table;
use tokenyard_lab::link::Notice;
use tokenyard_study::link::{self, State, TooLong};
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

impl TraceFile {
    /// The bytes with the number by which jobs name them. Not a copy.
    pub(super) fn numbered(&self) -> (u32, Uint8Array) {
        (self.number, self.bytes.clone())
    }
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
    /// Characters of a state that is too long for the address.
    pub unlinked: RwSignal<Option<usize>>,
    /// Characters of the present state, if it was to be copied as a link and was too long for one.
    pub refused: RwSignal<Option<usize>>,
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

/// Stands in the place of a field where not the settings are wrong but the worker.
pub(super) const WORKER: &str = "#";

/// What is heard of a study at work.
enum Heard<'a> {
    /// So many requests have ended, over all lanes.
    Ended(u32),
    /// One more lane is done; all so far.
    Lane(&'a [LaneRun]),
    /// Every lane.
    All(Vec<LaneRun>),
    /// It cannot be run.
    Problems(Vec<Problem>),
}

/// Runs the lanes of a study, in the place of what these jobs did before.
fn ask(jobs: &Jobs, asked: &Study, file: Option<&TraceFile>, hear: impl Fn(Heard<'_>) + 'static) {
    let lanes = RefCell::new(Vec::new());
    jobs.start(&job(asked, file), move |part| match part {
        Part::Rows(rows) => {
            for news in rows.into_iter().filter_map(study::news) {
                match news {
                    News::Ended(ended) => hear(Heard::Ended(ended)),
                    News::Lane(lane) => {
                        lanes.borrow_mut().push(lane);
                        hear(Heard::Lane(&lanes.borrow()));
                    }
                    News::Problems(problems) => hear(Heard::Problems(problems)),
                }
            }
        }
        Part::Done => {
            let lanes = lanes.take();
            // A study that cannot be run has none.
            if !lanes.is_empty() {
                hear(Heard::All(lanes));
            }
        }
        Part::Failed(why) => {
            let (path, allowed) = (WORKER.to_owned(), String::new());
            hear(Heard::Problems(vec![Problem { path, given: why, allowed }]));
        }
    });
}

/// The lanes of the page's own link, asked for while its first frame was still in view.
struct Early {
    fragment: String,
    jobs: Jobs,
    /// They, once they are there.
    lanes: Option<Vec<LaneRun>>,
}

thread_local! {
    static EARLY: RefCell<Option<Early>> = const { RefCell::new(None) };
}

/// Computes the lanes of a link before the page is built, so that it is never seen without them.
/// `then` is called when they are there or cannot be had.
pub fn ahead(fragment: &str, then: impl Fn() + 'static) {
    let (state, _) = link::read(fragment);
    let jobs = Jobs::default();
    EARLY.set(Some(Early { fragment: fragment.to_owned(), jobs: jobs.clone(), lanes: None }));
    ask(&jobs, &state.study, None, move |heard| match heard {
        Heard::Ended(_) | Heard::Lane(_) => {}
        Heard::Problems(_) => then(),
        Heard::All(lanes) => {
            EARLY.with_borrow_mut(|early| {
                if let Some(early) = early {
                    early.lanes = Some(lanes);
                }
            });
            then();
        }
    });
}

fn job(study: &Study, file: Option<&TraceFile>) -> Job {
    let number = file.map_or(0, |f| f.number);
    Job { text: study::text(study, 0, number), from: 0, count: u32::MAX, file: file.map(TraceFile::numbered) }
}

impl Fleet {
    /// State from a fragment. Natively it is run at once.
    #[must_use]
    pub fn open(fragment: &str) -> Self {
        let early = EARLY.take();
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
            unlinked: RwSignal::new(None),
            refused: RwSignal::new(None),
            trace: RwSignal::new(0),
            file: StoredValue::new_local(None),
            wanted: RwSignal::new(None),
            opens: RwSignal::new(true),
            // The worker that was asked early goes on with the page's own runs.
            jobs: StoredValue::new_local(early.as_ref().map(|early| early.jobs.clone()).unwrap_or_default()),
        };
        fleet.load(fragment);
        let early = early.filter(|early| early.fragment == fragment).and_then(|early| early.lanes);
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
        self.refused.set(None);
        self.wanted.set(state.at);
        self.opens.set(true);
        self.study.set(state.study);
    }

    /// Changes the settings; a run of the new ones has to be asked for with [`Self::run`].
    pub fn change(self, change: impl FnOnce(&mut Study)) {
        self.promised.set((None, None));
        self.refused.set(None);
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
        let hear = move |heard: Heard<'_>| match heard {
            Heard::Ended(ended) => drop(self.busy.try_set(Some(ended))),
            // Lanes of a long run are shown as they are done.
            Heard::Lane(lanes) if js_sys::Date::now() - started > SLOW_MS => self.show(lanes.to_vec(), false),
            Heard::Lane(_) => {}
            Heard::All(lanes) => {
                let _ = self.busy.try_set(None);
                self.show(lanes, true);
            }
            Heard::Problems(problems) => {
                let _ = self.busy.try_set(None);
                let _ = self.problems.try_set(problems);
            }
        };
        self.jobs.with_value(|jobs| ask(jobs, &study, file.as_ref(), hear));
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
    ///
    /// # Errors
    /// It takes more characters than a link may have.
    pub fn link(self, full: bool) -> std::result::Result<String, TooLong> {
        let step = self.play.step.get_untracked();
        let state = State {
            study: self.study.get_untracked(),
            at: (step != self.play.opening()).then_some(step),
            version: full.then_some(link::MODEL_VERSION),
            headline: full.then(|| self.result.with_untracked(|r| r.0.headline())),
        };
        link::share(&state)
    }
}
