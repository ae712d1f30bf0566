//! What a lab declares about itself.

use tokenyard_param::{ParamSpec, Value, Values};

use crate::msg::Msg;
use crate::run::{LabRun, Table};
use crate::sweep::Sweep;
use crate::task::Task;

/// One lab, in one value. The list of all of them is [`crate::labs::LABS`].
#[derive(Debug)]
pub struct LabSpec {
    /// Identifier in addresses, on the command line and in the names of its folders.
    pub id: &'static str,
    /// Group on the home page.
    pub section: Section,
    /// Reading time in minutes.
    pub minutes: u8,
    /// Raised when the lab's results change, so that old links can say so.
    pub model_version: u32,
    /// Parameters of the model, in the order of the knobs.
    pub params: &'static [ParamSpec],
    /// Settings of the view that change no result: which rules stand in the lanes.
    pub views: &'static [ParamSpec],
    /// How parameters are shown, in the order of `params`.
    pub knobs: &'static [Knob],
    /// How many knobs are in sight before "More settings"; at most three.
    pub visible: usize,
    /// Columns of the summary table.
    pub columns: &'static [Column],
    /// First of the 200 seeds of "is it luck?", and the column compared first.
    pub luck: (u32, usize),
    /// Milliseconds per step of the first play, so that the whole run takes at most 20 s.
    pub step_ms: u32,
    /// The question asked before anything moves.
    pub prediction: Prediction,
    /// Tasks checked by outcome.
    pub challenges: &'static [Challenge],
    /// Settings worth a visit; `flip` is the one in which the conclusion flips.
    pub presets: &'static [Preset],
    /// Where real routers have this knob: name and public address.
    pub real: &'static [(&'static str, &'static str)],
    /// Whether the home page shows this lab's scene.
    pub on_home: bool,
    /// The summary table with all variants, by the fastest way there is: a knob drag and the
    /// 200 seeds of "is it luck?" call it.
    pub table: fn(&Setup) -> Table,
    /// Results that a worker brings later, if the lab has any.
    pub sweep: Option<Sweep>,
    /// Computes a run of the lanes, step by step.
    pub run: fn(&Setup) -> Box<dyn LabRun>,
    /// JSON results for the command line, by the oracle's names.
    #[cfg(feature = "results")]
    pub results: fn(&Values, steps: bool) -> Vec<serde_json::Value>,
}

/// Groups of the home page, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Why it is different.
    Different,
    /// Choose a replica.
    Choose,
    /// Stale signals.
    Stale,
    /// Locality against balance.
    Locality,
    /// Inside the engine.
    Engine,
    /// Overload.
    Overload,
}

impl Section {
    /// All groups in reading order.
    pub const ALL: [Self; 6] =
        [Self::Different, Self::Choose, Self::Stale, Self::Locality, Self::Engine, Self::Overload];

    /// Key of its name in the common catalogue.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Different => "section.different",
            Self::Choose => "section.choose",
            Self::Stale => "section.stale",
            Self::Locality => "section.locality",
            Self::Engine => "section.engine",
            Self::Overload => "section.overload",
        }
    }
}

/// What happens to the player when a knob moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The run is made anew and the player stays at its step.
    Live,
    /// The run is made anew and the player goes to its opening step.
    Restarts,
}

/// How one parameter is shown.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// Key of the parameter.
    pub key: &'static str,
    /// What moving it does to the player.
    pub effect: Effect,
    /// Whether the run can change it half way.
    pub forks: bool,
    /// Values that matter, each named under `mark.<word>`; a dragged slider snaps to them.
    pub marks: &'static [Mark],
}

/// A value that matters on a knob.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The value.
    pub at: f64,
    /// Its words: `mark.<word>`.
    pub word: &'static str,
}

/// A column of the summary table. Its name is at `col.<key>`, the unit of its figures at `unit.<key>`;
/// that of a percentage is a share, which is what the figure is before it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The oracle's key.
    pub key: &'static str,
    /// Decimals, or `None` for a whole percentage.
    pub digits: Option<u8>,
    /// Whether smaller is better; `None` where it is not a matter of better.
    pub smaller_is_better: Option<bool>,
}

/// The question asked before anything moves. Words: `predict.why` for the reason given after the
/// answer, `predict.unit` for a number, and `predict.option.<i>` for choices.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// What may be answered.
    pub ask: Ask,
    /// The question for the present settings.
    pub question: fn(&Setup) -> Msg,
    /// The true answer for the present settings: a number, or the index of the right choice.
    pub outcome: fn(&Setup) -> f64,
    /// Settings in which the answer is seen: applied once the reader has guessed or skipped.
    pub reveal: &'static [(&'static str, &'static str)],
    /// Chart on which a guessed number is drawn as a guide, if it is a height there.
    pub guide_on: Option<&'static str>,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ask {
    /// A number between two ends, shown with so many decimals; `start` is where the slider is.
    #[expect(missing_docs, reason = "the variant's text says what the fields are")]
    Number { min: f64, max: f64, step: f64, start: f64, digits: u8 },
    /// One of so many options.
    Choice(u8),
}

/// A task checked by its outcome. Words: `challenge.<key>.task`, `.hint`, `.done`.
#[derive(Clone, Copy, Debug)]
pub struct Challenge {
    /// Names it within the lab.
    pub key: &'static str,
    /// Settings it starts from, over the defaults.
    pub start: &'static [(&'static str, &'static str)],
    /// Parameters that must stay as they are at the start.
    pub keep: &'static [&'static str],
    /// How many settings may differ from the start.
    pub max_changes: u8,
    /// What must hold, all of it.
    pub goals: &'static [Goal],
}

/// A bound on one figure of the summary table.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Row identifier.
    pub row: &'static str,
    /// Column key.
    pub column: &'static str,
    /// At most the bound, or at least.
    pub at_most: bool,
    /// The bound.
    pub bound: f64,
}

/// Settings worth a visit. Words: `preset.<key>.name`, `.text`.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Names it within the lab.
    pub key: &'static str,
    /// Settings over the defaults, of parameters and views.
    pub set: &'static [(&'static str, &'static str)],
    /// The conclusion of the lab flips here.
    pub flip: bool,
}

/// A change of settings half way through a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    /// First step (from 0) under the new settings.
    pub step: u32,
    /// The settings from there on.
    pub values: Values,
}

/// Everything a run is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Parameters of the model.
    pub values: Values,
    /// Settings of the view.
    pub view: Values,
    /// A change on the way.
    pub fork: Option<Fork>,
}

impl LabSpec {
    /// Everything at its default.
    #[must_use]
    pub fn defaults(&self) -> Setup {
        let (values, view) = (Values::defaults(self.params), Values::defaults(self.views));
        Setup { values, view, fork: None }
    }

    /// The defaults with a preset's settings over them. A setting that does not parse is a
    /// mistake in the preset; the list's tests find it, and it is left at its default here.
    #[must_use]
    pub fn with(&self, set: &[(&str, &str)]) -> Setup {
        let mut setup = self.defaults();
        setup.apply(set);
        setup
    }

    /// Runs a set-up.
    #[must_use]
    pub fn run(&self, setup: &Setup) -> Box<dyn LabRun> {
        (self.run)(setup)
    }

    /// The summary table of a set-up.
    #[must_use]
    pub fn table(&self, setup: &Setup) -> Table {
        (self.table)(setup)
    }

    /// The knob of a parameter.
    #[must_use]
    pub fn knob(&self, key: &str) -> Option<&'static Knob> {
        self.knobs.iter().find(|k| k.key == key)
    }

    /// Whether any knob can be moved half way through a run.
    #[must_use]
    pub fn forks(&self) -> bool {
        self.knobs.iter().any(|k| k.forks)
    }

    /// Whether "is it luck?" applies: the lab has a seed.
    #[must_use]
    pub fn has_seed(&self) -> bool {
        self.params.iter().any(|p| p.key == "seed")
    }
}

impl Setup {
    /// Applies settings by key; says how many were taken.
    pub fn apply(&mut self, set: &[(&str, &str)]) -> usize {
        let taken = |values: &mut Values, key: &str, text: &str| {
            let at = values.position(key);
            let value = at.and_then(|i| values.specs()[i].parse(text).ok());
            at.zip(value).is_some_and(|(i, v)| values.set(i, v))
        };
        set.iter()
            .filter(|(key, text)| taken(&mut self.values, key, text) || taken(&mut self.view, key, text))
            .count()
    }

    /// The same with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u32) -> Self {
        if let Some(i) = self.values.position("seed") {
            self.values.set(i, Value::Int(i64::from(seed)));
        }
        self
    }
}

/// Whether a set-up solves a challenge: every goal holds, what had to stay stayed, and at most
/// so many settings of the model differ from the start. Cost: one table.
#[must_use]
pub fn solved(lab: &LabSpec, challenge: &Challenge, setup: &Setup) -> bool {
    Task::of(lab, challenge).solved(lab, setup)
}
