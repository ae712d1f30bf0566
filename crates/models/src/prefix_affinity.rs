//! Prefix affinity: when should a router give up on the replica that holds the prefix?
//!
//! Two routers see the same twelve requests. The load-only router (`baseline`) sends each to the
//! replica with the fewest assignments so far. The prefix-aware router (`aware`) does, in order:
//!
//! 1. prefix never seen: the least loaded replica (first sight);
//! 2. largest minus smallest load above the threshold: the least loaded replica (load gap);
//! 3. otherwise the prefix's owner (affinity).
//!
//! The owner of a prefix is the replica that was chosen for it last, for whichever reason. Load
//! is the number of requests assigned so far; nothing ever finishes. Ties go to the lowest index.
//! A request hits when the chosen replica's list of recent prefixes holds its prefix beforehand;
//! a hit prefills the fresh tokens, a miss the whole prompt.
//!
//! Everything is an integer, so a run has the same bits everywhere. One run costs
//! O(requests · replicas · cache slots), because each step keeps copies of loads and caches.
//!
//! Source: the prefix-affinity player of a published article on LLM load balancing; its results
//! are in `tests/data/article_prefix.json`.

mod curve;
mod fleet;
mod record;
mod replay;
mod trace;

pub use curve::{CurvePoint, curve};
pub use record::{Reason, Run, Step};
pub use replay::run;
pub use trace::{REQUESTS, Request, TRACE, order};

use tokenyard_param::{Kind, ParamSpec, Values};

/// The parameters, in the order of the knobs.
///
/// `load_gap_threshold` of `none` means that the router never gives up affinity. The thresholds
/// from 11 up all act like `none`: before the last of twelve requests no gap is wider.
pub static PARAMS: [ParamSpec; 4] = [
    ParamSpec {
        key: "load_gap_threshold",
        link: "gap",
        kind: Kind::OptInt { min: 0, max: 100, default: Some(2), step: 1, page: 5 },
    },
    ParamSpec {
        key: "replicas",
        link: "replicas",
        kind: Kind::Int { min: 1, max: 16, default: 3, step: 1, page: 4 },
    },
    ParamSpec {
        key: "cache_slots",
        link: "cache",
        kind: Kind::Int { min: 1, max: 16, default: 1, step: 1, page: 4 },
    },
    ParamSpec {
        key: "seed",
        link: "seed",
        kind: Kind::Int { min: 0, max: 4_294_967_295, default: 0, step: 1, page: 10 },
    },
];

/// The settings of one run.
///
/// A value outside the range of [`PARAMS`], which only hand-written code can produce, is taken as
/// the nearest end of the range: no setting makes a run fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Order of the twelve requests. 0 is the published order; see [`order`] for all others.
    pub seed: u32,
    /// Replicas, 1 to 16.
    pub replicas: u32,
    /// Prefixes that each replica keeps, 1 to 16. The trace has three prefixes, so more than
    /// three slots change nothing.
    pub cache_slots: u32,
    /// Affinity holds while the largest minus the smallest load is at most this many requests.
    /// `None`: always.
    pub load_gap_threshold: Option<u32>,
}

impl Default for Params {
    /// The published run: seed 0, 3 replicas, 1 cache slot, threshold 2.
    fn default() -> Self {
        Self { seed: 0, replicas: 3, cache_slots: 1, load_gap_threshold: Some(2) }
    }
}

impl Params {
    /// Reads the values of the table [`PARAMS`].
    #[must_use]
    pub fn from_values(values: &Values) -> Self {
        Self {
            seed: values.u32("seed"),
            replicas: values.u32("replicas"),
            cache_slots: values.u32("cache_slots"),
            load_gap_threshold: values.opt_u32("load_gap_threshold"),
        }
    }

    /// The number of replicas that a run uses: in range whatever the field holds.
    fn replica_count(&self) -> usize {
        self.replicas.clamp(1, 16) as usize
    }

    /// The number of cache slots that a run uses: in range whatever the field holds.
    fn slot_count(&self) -> usize {
        self.cache_slots.clamp(1, 16) as usize
    }
}
