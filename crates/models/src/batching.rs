//! Batching: where do slots and decode steps stand idle?
//!
//! Six jobs arrive over seven iterations at a replica with a few slots. A job needs some chunks
//! of prefill and then some decode steps, each of which is one output token. Per iteration:
//!
//! 1. jobs whose arrival has come join the waiting list;
//! 2. free slots, in slot order, take the head of the list. In static mode only when every slot
//!    is free;
//! 3. if any slot still has prefill to do and the mode is not chunked, the iteration is for
//!    prefill only: those slots advance one chunk and the other occupied slots stall. Otherwise
//!    every occupied slot does one chunk or one decode step;
//! 4. jobs that are done leave their slots.
//!
//! All is counted in iterations; that an iteration with a chunk in it takes longer than one
//! without is outside this model. Source: the batching player of a published article on LLM
//! load balancing; its results are in `tests/data/article_batching.json`.

mod engine;
mod jobs;
mod record;

pub use engine::run;
pub use jobs::{JOB_COUNT, JOBS, Job, jobs};
pub use record::{Cause, Iteration, JobReport, Run, Slot, SlotState, Stall};

use tokenyard_param::{Kind, ParamSpec, Values};

/// How a replica fills its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A batch is admitted when every slot is free and runs until its last job is done.
    Static,
    /// A free slot is filled at once; an iteration is prefill or decode.
    Continuous,
    /// As `Continuous`, and an iteration may hold both prefill chunks and decode steps.
    Chunked,
}

impl Mode {
    /// All modes, in the order of the options of the parameter `mode`.
    pub const ALL: [Self; 3] = [Self::Static, Self::Continuous, Self::Chunked];

    /// The word that files and the command line use.
    #[must_use]
    pub fn id(self) -> &'static str {
        OPTIONS[self as usize]
    }
}

const OPTIONS: [&str; 3] = ["static", "continuous", "chunked"];

/// The parameters, in the order of the knobs.
pub static PARAMS: [ParamSpec; 3] = [
    ParamSpec { key: "mode", link: "mode", kind: Kind::Choice { options: &OPTIONS, default: 1 } },
    ParamSpec {
        key: "slots",
        link: "slots",
        kind: Kind::Int { min: 1, max: 8, default: 3, step: 1, page: 2 },
    },
    ParamSpec {
        key: "seed",
        link: "seed",
        kind: Kind::Int { min: 0, max: 4_294_967_295, default: 0, step: 1, page: 10 },
    },
];

/// The settings of one run.
///
/// A number of slots outside the range of [`PARAMS`], which only hand-written code can produce,
/// is taken as the nearest end of the range: no setting makes a run fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Which job arrives when. 0 is the published order; see [`jobs`] for all others.
    pub seed: u32,
    /// Slots of the replica, 1 to 8. Six jobs never fill more than six.
    pub slots: u32,
    /// The mode under the knob. [`run`] is told its mode, so that one `Params` serves all lanes.
    pub mode: Mode,
}

impl Default for Params {
    /// The published run: seed 0, 3 slots; continuous.
    fn default() -> Self {
        Self { seed: 0, slots: 3, mode: Mode::Continuous }
    }
}

impl Params {
    /// Reads the values of the table [`PARAMS`].
    #[must_use]
    pub fn from_values(values: &Values) -> Self {
        let mode = Mode::ALL.get(usize::from(values.choice("mode")));
        Self {
            seed: values.u32("seed"),
            slots: values.u32("slots"),
            mode: mode.copied().unwrap_or(Mode::Continuous),
        }
    }

    /// The number of slots that a run uses: in range whatever the field holds.
    fn slot_count(&self) -> usize {
        self.slots.clamp(1, 8) as usize
    }
}
