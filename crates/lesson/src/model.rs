//! A lesson as it was understood: every field in range, every state readable.

use tokenyard_lab::spec::Setup;
use tokenyard_lab::task;

use crate::fault::Line;
use crate::place::Place;

/// A text in every language of its lesson, in the order of the lesson's list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// One for each language; never empty.
    pub by: Vec<String>,
    /// Where each stands.
    pub lines: Vec<Line>,
}

impl Text {
    /// The text in the language at a position of the lesson's list; the first one past its end.
    #[must_use]
    pub fn at(&self, language: usize) -> &str {
        self.by.get(language).or_else(|| self.by.first()).map_or("", String::as_str)
    }
}

/// A lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Names it in codes and addresses.
    pub id: String,
    /// Minutes in all: the sum over its steps.
    pub minutes: u32,
    /// Where they stand.
    pub line: Line,
    /// Codes of its languages, at least one; the first is the one it was written in.
    pub languages: Vec<String>,
    /// Its name.
    pub title: Text,
    /// What it is about, for a list of lessons.
    pub about: Text,
    /// What learners can do afterwards: for the instructor.
    pub goal: Text,
    /// At least one.
    pub steps: Vec<Step>,
}

/// One step: a slide, with a lab or the fleet page in a state beside it if it has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Names it within the lesson.
    pub id: String,
    /// Where it begins.
    pub line: Line,
    /// Minutes that it takes.
    pub minutes: u32,
    /// The lab that is shown.
    pub state: Option<Place>,
    /// The fleet page that is shown instead: its fragment, without the `#`. What it says is not looked at
    /// here, because that takes the simulator: see [`crate::fleet`].
    pub fleet: Option<Fleet>,
    /// Heading of the slide.
    pub title: Text,
    /// What the slide says.
    pub text: Text,
    /// What is asked before anything moves.
    pub predict: Option<Predict>,
    /// What is to be reached.
    pub task: Option<Task>,
    /// What stays hidden until the presenter reveals it.
    pub reveal: Option<Text>,
    /// For the instructor's eyes.
    pub notes: Option<Text>,
    /// What learners may say, and what to answer.
    pub misconceptions: Vec<Misconception>,
}

/// The fleet page in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    /// As after the `#` of the page's address: plain ASCII without blanks, quotes and angles.
    pub fragment: String,
    /// Where it stands.
    pub line: Line,
}

impl Fleet {
    /// The state as it is read.
    #[must_use]
    pub fn write(&self) -> String {
        format!("#{}", self.fragment)
    }
}

/// What learners may say, and what to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misconception {
    /// What they say.
    pub says: Text,
    /// What to answer.
    pub answer: Text,
}

/// A question that is answered by the state of its step.
#[derive(Clone, Debug, PartialEq)]
pub struct Predict {
    /// What is asked for.
    pub ask: Predicted,
    /// The question in words; the lab's own question has its own.
    pub text: Option<Text>,
    /// Where it stands.
    pub line: Line,
}

/// What a guess is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicted {
    /// What the lab itself asks.
    Lab,
    /// A figure of the summary table.
    Figure {
        /// Row identifier, or the row of the lane in view.
        row: Option<String>,
        /// Position of the column.
        column: usize,
        /// Smallest guess.
        min: i64,
        /// Largest guess.
        max: i64,
        /// From one guess to the next; at most 256 fit.
        step: i64,
        /// The figure of the state's own seed, not the median over 200.
        pinned: bool,
    },
    /// Which row has the smallest or the largest figure of a column.
    Extreme {
        /// Position of the column.
        column: usize,
        /// The smallest.
        lowest: bool,
        /// By the figures of the state's own seed, not by medians over 200.
        pinned: bool,
    },
}

/// A bound as it was written, and as it is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// What is checked; a share is a share, not a percentage.
    pub bound: task::Bound,
    /// Where it stands.
    pub line: Line,
}

/// A task checked by its outcome. It starts from the state of its step.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What must hold, all of it.
    pub goals: Vec<Goal>,
    /// How many settings may differ from the start.
    pub changes: u8,
    /// Keys of settings that must stay.
    pub keep: Vec<&'static str>,
    /// The seed of the start is part of the task. Otherwise the seed is free, and the task is solved
    /// when the goals hold in nearly all of 200 seeds.
    pub pinned: bool,
    /// A set-up that solves it.
    pub solution: Setup,
    /// Where the solution stands.
    pub solution_line: Line,
    /// What is to be done, in words.
    pub text: Text,
    /// Three hints, each saying more than the one before.
    pub hints: [Text; 3],
    /// What is said when it is done.
    pub done: Text,
    /// Where it stands.
    pub line: Line,
}

impl Task {
    /// The task as the labs check it.
    #[must_use]
    pub fn check(&self, start: &Place) -> task::Task {
        task::Task {
            start: start.state.setup.clone(),
            keep: self.keep.clone(),
            max_changes: self.changes,
            any_seed: !self.pinned,
            bounds: self.goals.iter().map(|goal| goal.bound.clone()).collect(),
        }
    }
}

impl Lesson {
    /// The step of an identifier.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.id == id)
    }

    /// Whether a state has everything that the solution of a task of the lesson changes. On a handout, which
    /// goes out before the lesson, it would give the task away.
    #[must_use]
    pub fn gives_away(&self, place: &Place) -> bool {
        let solved = |step: &Step| {
            let (Some(start), Some(task)) = (&step.state, &step.task) else { return false };
            let (from, to, here) = (&start.state.setup, &task.solution, &place.state.setup);
            let all = [(&from.values, &to.values, &here.values), (&from.view, &to.view, &here.view)];
            start.lab.id == place.lab.id
                && all.into_iter().all(|(from, to, here)| {
                    let mut changed = (0..to.specs().len()).filter(|i| to.at(*i) != from.at(*i));
                    changed.all(|i| here.at(i) == to.at(i))
                })
        };
        self.steps.iter().any(solved)
    }

    /// The step after one, from 0, that asks about the same lab in the same settings, if one does: what would
    /// answer there must not be seen before.
    #[must_use]
    pub fn asked_later(&self, step: usize) -> Option<usize> {
        let here = self.steps.get(step)?.state.as_ref()?;
        let asks = |other: &Step| {
            let there = other.state.as_ref().filter(|_| other.predict.is_some());
            there.is_some_and(|there| there.lab.id == here.lab.id && there.state.setup == here.state.setup)
        };
        (step + 1..self.steps.len()).find(|later| asks(&self.steps[*later]))
    }

    /// Position of a language in the lesson's list; the first if it has no such language, so that a
    /// lesson in another language can be shown in its own.
    #[must_use]
    pub fn language(&self, code: &str) -> usize {
        self.languages.iter().position(|language| language == code).unwrap_or(0)
    }
}
