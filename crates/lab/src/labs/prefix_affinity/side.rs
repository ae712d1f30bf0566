//! One router's half of a step. The model keeps both halves in one record.

use tokenyard_models::prefix_affinity::{Run, Step};

/// The two routers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Router {
    /// Looks at loads only.
    Baseline,
    /// Follows the prefix until the load gap is above the threshold.
    Aware,
}

/// What one router did with one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub(super) replica: usize,
    pub(super) hit: bool,
    pub(super) prefill: u32,
    pub(super) loads: &'a [u32],
    pub(super) loads_before: &'a [u32],
    pub(super) caches: &'a [Vec<u32>],
    pub(super) caches_before: &'a [Vec<u32>],
}

impl Router {
    /// In the order of the lanes.
    pub(super) const LANES: [Self; 2] = [Self::Aware, Self::Baseline];

    /// The word of files and the command line.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Aware => "aware",
        }
    }

    /// Key of its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "router.baseline",
            Self::Aware => "router.aware",
        }
    }

    /// Key of its short name, beside its line.
    pub(super) const fn short(self) -> &'static str {
        match self {
            Self::Baseline => "short.baseline",
            Self::Aware => "short.aware",
        }
    }

    /// Colour and dash.
    pub(super) const fn style(self) -> u8 {
        match self {
            Self::Baseline => 1,
            Self::Aware => 2,
        }
    }

    /// The lane it stands in. The aware router is first: its row travels in links.
    pub(super) const fn lane(self) -> u8 {
        match self {
            Self::Baseline => 1,
            Self::Aware => 0,
        }
    }

    /// Hits, prefilled tokens, escapes and final loads of a run. Load-only has no affinity to
    /// give up, so it never escapes.
    pub(super) fn totals(self, run: &Run) -> (u32, u32, u32, &[u32]) {
        match self {
            Self::Baseline => (run.baseline_hits, run.baseline_prefill, 0, &run.baseline_loads),
            Self::Aware => (run.aware_hits, run.aware_prefill, run.escapes, &run.aware_loads),
        }
    }

    /// Its half of a step.
    pub(super) fn side(self, step: &Step) -> Side<'_> {
        match self {
            Self::Baseline => Side {
                replica: step.baseline,
                hit: step.baseline_hit,
                prefill: step.baseline_prefill,
                loads: &step.baseline_loads,
                loads_before: &step.baseline_loads_before,
                caches: &step.baseline_caches,
                caches_before: &step.baseline_caches_before,
            },
            Self::Aware => Side {
                replica: step.aware,
                hit: step.aware_hit,
                prefill: step.aware_prefill,
                loads: &step.aware_loads,
                loads_before: &step.aware_loads_before,
                caches: &step.aware_caches,
                caches_before: &step.aware_caches_before,
            },
        }
    }
}

impl Side<'_> {
    /// The replicas that held the prefix before the request, in order.
    pub(super) fn holders(&self, prefix: u32) -> Vec<usize> {
        let holds = |cache: &Vec<u32>| cache.contains(&prefix);
        self.caches_before.iter().enumerate().filter(|(_, c)| holds(c)).map(|(i, _)| i).collect()
    }

    /// The least loaded of some replicas, the first of equals.
    pub(super) fn least_of(&self, replicas: &[usize]) -> Option<usize> {
        replicas.iter().copied().min_by_key(|i| (self.loads_before[*i], *i))
    }

    /// The prefix that the chosen replica dropped to make room.
    pub(super) fn evicted(&self) -> Option<u32> {
        let (before, after) = (&self.caches_before[self.replica], &self.caches[self.replica]);
        before.iter().copied().find(|prefix| !after.contains(prefix))
    }
}
