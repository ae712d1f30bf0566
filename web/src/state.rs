//! Signals and memos of one lab page: what a person sets, and what follows from it.

use std::sync::Arc;

use leptos::prelude::*;
use tokenyard_lab::link::{self, Notice, State};
use tokenyard_lab::{Effect as KnobEffect, Fork, LabRun, LabSpec, Moment, Setup, Table};
use tokenyard_param::{Value, Values};

use crate::widgets::task::Task;

/// A run shared by pointer; two handles are equal if they are the same run.
#[derive(Clone)]
pub struct Run(pub Arc<dyn LabRun>);

impl std::fmt::Debug for Run {
    /// Not the run itself: printing one would bring every record of every model into the module.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Run")
    }
}

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A run that is played, and where in it the reader is. Handles only, so it is `Copy`.
#[derive(Clone, Copy, Debug)]
pub struct Playback {
    /// The run; made anew only when the settings change.
    pub run: Signal<Run>,
    /// Key moments of the run.
    pub moments: Memo<Vec<Moment>>,
    /// Present step, from 0; always inside the run.
    pub step: RwSignal<u32>,
    /// Playback.
    pub playing: RwSignal<bool>,
    /// Playback speed: 1 is the run's own pace.
    pub speed: RwSignal<f64>,
    /// Whether playback starts over at the end.
    pub repeat: RwSignal<bool>,
    /// Whether what answers a prediction is uncovered.
    pub revealed: RwSignal<bool>,
    /// Milliseconds of a step at the run's own pace.
    pub step_ms: Signal<u32>,
}

impl Playback {
    /// Stands on the first step of a run.
    #[must_use]
    pub fn new(run: Signal<Run>, revealed: bool, step_ms: Signal<u32>) -> Self {
        Self {
            run,
            moments: Memo::new(move |_| run.with(|r| r.0.moments())),
            step: RwSignal::new(0),
            playing: RwSignal::new(false),
            speed: RwSignal::new(1.0),
            repeat: RwSignal::new(false),
            revealed: RwSignal::new(revealed),
            step_ms,
        }
    }

    /// Number of steps.
    #[must_use]
    pub fn steps(self) -> u32 {
        self.run.with(|r| r.0.steps().max(1))
    }

    fn last(self) -> u32 {
        self.run.with_untracked(|r| r.0.steps().max(1) - 1)
    }

    /// The step a fresh page opens on: the first key moment.
    #[must_use]
    pub fn opening(self) -> u32 {
        self.moments.with_untracked(|m| m.first().map_or(0, |m| m.step))
    }

    /// Whether what answers the prediction is covered.
    #[must_use]
    pub fn covered(self) -> bool {
        !self.revealed.get()
    }

    /// The key moment at the present step.
    #[must_use]
    pub fn moment(self) -> Option<Moment> {
        let step = self.step.get();
        self.moments.with(|all| all.iter().find(|m| m.step == step).cloned())
    }

    /// Moves to a step; past the end is the end.
    pub fn seek(self, step: i64) {
        let to = u32::try_from(step.max(0)).unwrap_or(u32::MAX).min(self.last());
        if self.step.get_untracked() != to {
            self.step.set(to);
        }
    }

    /// Moves by so many steps and pauses.
    pub fn nudge(self, by: i64) {
        self.playing.set(false);
        self.seek(i64::from(self.step.get_untracked()) + by);
    }

    /// Play or pause; at the end play starts over.
    pub fn toggle(self) {
        let playing = !self.playing.get_untracked();
        if playing && self.step.get_untracked() >= self.last() {
            self.step.set(0);
        }
        self.playing.set(playing);
    }

    /// One step of playback; stops (or starts over) at the end.
    pub fn advance(self) {
        let step = self.step.get_untracked();
        if step < self.last() {
            self.step.set(step + 1);
        } else if self.repeat.get_untracked() {
            self.step.set(0);
        } else {
            self.playing.set(false);
        }
    }
}

/// Everything a lab page reads and sets. Handles only, so it is `Copy`.
#[derive(Clone, Copy, Debug)]
pub struct Lab {
    /// The lab.
    pub spec: &'static LabSpec,
    /// Settings, views and fork.
    pub setup: RwSignal<Setup>,
    /// The run of the lanes, played.
    pub play: Playback,
    /// Whether the reader is asked for a guess; where nobody asks nothing is covered.
    asks: RwSignal<bool>,
    /// The reader's guess.
    pub guess: RwSignal<Option<f64>>,
    /// How many guesses were made here; one that came with a link was not.
    pub guesses: RwSignal<u32>,
    /// What could not be used of the link.
    pub notices: RwSignal<Vec<Notice>>,
    /// A step of the link that lies past the end of the run.
    pub beyond: RwSignal<Option<u32>>,
    /// Headline numbers and model version that the link carried.
    pub promised: RwSignal<(Option<Vec<String>>, Option<u32>)>,
    /// The summary table of all variants.
    pub table: Memo<Table>,
    /// The lab's sweep: results too long in the making for a knob drag.
    pub sweep: Task,
}

impl std::ops::Deref for Lab {
    type Target = Playback;

    fn deref(&self) -> &Playback {
        &self.play
    }
}

impl Lab {
    /// State from a fragment. Natively and for a lab nobody touched the fragment is empty.
    #[must_use]
    pub fn open(spec: &'static LabSpec, fragment: &str) -> Self {
        let setup = RwSignal::new(spec.defaults());
        let run = Memo::new(move |_| setup.with(|s| Run(Arc::from(spec.run(s)))));
        let play = Playback::new(run.into(), false, Signal::stored(spec.step_ms));
        let lab = Self {
            spec,
            setup,
            play,
            asks: RwSignal::new(true),
            guess: RwSignal::new(None),
            guesses: RwSignal::new(0),
            notices: RwSignal::new(Vec::new()),
            beyond: RwSignal::new(None),
            promised: RwSignal::new((None, None)),
            table: Memo::new(move |_| setup.with(|s| spec.table(s))),
            sweep: Task::new(spec.sweep.as_ref().map_or(0, |s| s.items)),
        };
        lab.load(fragment);
        lab
    }

    /// Nobody is asked here, now and whatever is loaded later.
    pub fn ask_nothing(self) {
        self.asks.set(false);
        self.revealed.set(true);
    }

    /// Takes over the state of a fragment.
    pub fn load(self, fragment: &str) {
        let (state, notices) = link::read(self.spec, fragment);
        let State { setup, step, guess, version, headline } = state;
        self.playing.set(false);
        self.setup.set(setup);
        self.promised.set((headline, version));
        self.guess.set(guess);
        self.revealed.set(guess.is_some() || !self.asks.get_untracked());
        self.beyond.set(step.filter(|s| *s > self.last()));
        self.step.set(step.map_or_else(|| self.opening(), |s| s.min(self.last())));
        self.notices.set(notices);
    }

    /// The values that the knobs edit: those after the fork, where there is one.
    #[must_use]
    pub fn edited(self, setup: &Setup) -> Values {
        setup.fork.as_ref().map_or(&setup.values, |f| &f.values).clone()
    }

    /// Sets a parameter. After a fork a knob that forks changes the future only; any other knob
    /// changes the whole run.
    pub fn set_param(self, position: usize, value: Value) {
        let Some(knob) = self.spec.params.get(position).and_then(|p| self.spec.knob(p.key)) else {
            return;
        };
        self.setup.update(|setup| {
            let both = !knob.forks;
            if let Some(fork) = &mut setup.fork {
                fork.values.set(position, value.clone());
            }
            if setup.fork.is_none() || both {
                setup.values.set(position, value);
            }
        });
        self.promised.set((None, None));
        match knob.effect {
            KnobEffect::Live => self.seek(i64::from(self.step.get_untracked())),
            KnobEffect::Restarts => self.seek(i64::from(self.opening())),
        }
    }

    /// Sets a view: nothing is recomputed that changes a result.
    pub fn set_view(self, position: usize, value: Value) {
        self.setup.update(|setup| {
            setup.view.set(position, value);
        });
        self.seek(i64::from(self.step.get_untracked()));
    }

    /// Replaces all settings, for presets, challenges and resets.
    pub fn replace(self, setup: Setup) {
        self.playing.set(false);
        self.setup.set(setup);
        self.promised.set((None, None));
        self.seek(i64::from(self.opening()));
    }

    /// From the present step on the knobs change the future only.
    pub fn fork(self) {
        let step = self.step.get_untracked();
        self.playing.set(false);
        self.setup.update(|setup| setup.fork = Some(Fork { step, values: setup.values.clone() }));
    }

    /// Back to one past.
    pub fn unfork(self) {
        self.setup.update(|setup| setup.fork = None);
        self.seek(i64::from(self.step.get_untracked()));
    }

    /// Takes a guess, or none, uncovers the answer and shows it from the start.
    pub fn answer(self, guess: Option<f64>) {
        self.guess.set(guess);
        self.setup.update(|setup| {
            setup.apply(self.spec.prediction.reveal);
        });
        self.revealed.set(true);
        if guess.is_some() {
            self.guesses.update(|n| *n += 1);
        }
    }

    /// Follows everything that a link says.
    pub fn track(self) {
        self.step.track();
        self.setup.track();
        self.guess.track();
    }

    /// The state for a link, now; not followed. `full` adds model version and headline numbers.
    #[must_use]
    pub fn link(self, full: bool) -> String {
        let step = self.step.get_untracked();
        let state = State {
            setup: self.setup.get_untracked(),
            step: (step != self.opening()).then_some(step),
            guess: self.guess.get_untracked(),
            version: full.then_some(self.spec.model_version),
            headline: full.then(|| self.table.with_untracked(link::headline)),
        };
        link::write(self.spec, &state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lab::labs::LABS;

    fn open(fragment: &str) -> (Owner, Lab) {
        let owner = Owner::new();
        let spec = LABS.iter().copied().find(|l| l.forks()).unwrap();
        let lab = owner.with(|| Lab::open(spec, fragment));
        (owner, lab)
    }

    #[test]
    fn a_fresh_page_opens_on_its_first_key_moment() {
        let (_owner, lab) = open("");
        assert_eq!(lab.step.get_untracked(), lab.moments.get_untracked()[0].step);
        assert_eq!(lab.link(false), "");
    }

    #[test]
    fn seeking_past_the_end_is_the_end_and_play_starts_over() {
        let (_owner, lab) = open("");
        lab.seek(1_000_000);
        assert_eq!(lab.step.get_untracked() + 1, lab.steps());
        lab.toggle();
        assert_eq!((lab.step.get_untracked(), lab.playing.get_untracked()), (0, true));
        lab.nudge(-5);
        assert_eq!((lab.step.get_untracked(), lab.playing.get_untracked()), (0, false));
    }

    #[test]
    fn moving_the_cursor_does_not_run_the_simulation_again() {
        let (_owner, lab) = open("");
        let before = lab.run.get_untracked();
        lab.seek(50);
        assert_eq!(before, lab.run.get_untracked());
        lab.set_param(0, Value::Int(3));
        assert_ne!(before, lab.run.get_untracked());
    }

    #[test]
    fn a_link_restores_what_it_was_made_from() {
        let (_owner, lab) = open("");
        lab.set_param(0, Value::Int(5));
        lab.seek(40);
        lab.answer(Some(12.0));
        lab.seek(41);
        let link = lab.link(true);
        let (_other, again) = open(&link);
        assert_eq!(again.setup.get_untracked(), lab.setup.get_untracked());
        assert_eq!((again.step.get_untracked(), again.guess.get_untracked()), (41, Some(12.0)));
        assert!(again.revealed.get_untracked() && again.notices.get_untracked().is_empty());
        assert_eq!(again.promised.get_untracked().0, Some(link::headline(&again.table.get_untracked())));
    }

    #[test]
    fn where_nobody_asks_nothing_is_covered_whatever_is_loaded() {
        let (_owner, lab) = open("");
        assert!(!lab.revealed.get_untracked());
        lab.ask_nothing();
        for fragment in ["interval=5", "guess=3", ""] {
            lab.load(fragment);
            assert!(lab.revealed.get_untracked(), "{fragment}");
        }
    }

    #[test]
    fn after_a_fork_a_knob_changes_the_future_only() {
        let (_owner, lab) = open("");
        lab.seek(30);
        lab.fork();
        lab.set_param(0, Value::Int(1));
        let setup = lab.setup.get_untracked();
        assert_eq!((setup.values.int("scrape_interval"), lab.edited(&setup).int("scrape_interval")), (10, 1));
        lab.unfork();
        assert_eq!(lab.setup.get_untracked(), lab.spec.defaults());
    }

    #[test]
    fn hostile_links_leave_a_whole_page() {
        for text in ["step=99999999", "step=-1", "fork=4000000000&then.interval=1", "h=1&v=7", "%%%"] {
            let (_owner, lab) = open(text);
            assert!(lab.step.get_untracked() < lab.steps(), "{text}");
            assert!(!lab.table.get_untracked().rows.is_empty());
        }
    }
}
