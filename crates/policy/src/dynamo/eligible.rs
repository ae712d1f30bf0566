//! Who may be chosen at all, before anything is scored.

use crate::view::ReplicaIx;

/// What is known of one worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worker<'a> {
    /// Its labels.
    pub taints: &'a [u32],
    /// Over a busy threshold.
    pub overloaded: bool,
    /// Gone, or not to be routed to.
    pub unavailable: bool,
}

/// What one request demands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constraints<'a> {
    /// Only these; `None` for all.
    pub allowed: Option<&'a [ReplicaIx]>,
    /// This one and no other.
    pub pinned: Option<ReplicaIx>,
    /// Labels a worker must have, all of them.
    pub required: &'a [u32],
}

/// Why nobody may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No worker fits.
    NoEndpoints,
    /// Workers would fit, but every one is overloaded: a 503.
    AllOverloaded,
    /// The pinned worker is not among the allowed ones.
    PinnedNotAllowed,
    /// The pinned worker is overloaded; the request is not sent elsewhere.
    PinnedOverloaded,
}

impl Constraints<'_> {
    fn allows(&self, number: ReplicaIx) -> bool {
        self.allowed.is_none_or(|allowed| allowed.contains(&number))
    }

    fn fits(&self, number: ReplicaIx, worker: &Worker<'_>) -> bool {
        self.allows(number)
            && !worker.unavailable
            && self.required.iter().all(|taint| worker.taints.contains(taint))
    }
}

/// The workers that may be chosen, ascending; `workers` are numbered from 0.
///
/// # Errors
/// Why there is none.
pub fn eligible(workers: &[Worker<'_>], constraints: &Constraints<'_>) -> Result<Vec<ReplicaIx>, Refusal> {
    if let Some(pinned) = constraints.pinned {
        return match workers.get(usize::from(pinned)) {
            _ if !constraints.allows(pinned) => Err(Refusal::PinnedNotAllowed),
            Some(worker) if constraints.fits(pinned, worker) && worker.overloaded => {
                Err(Refusal::PinnedOverloaded)
            }
            Some(worker) if constraints.fits(pinned, worker) => Ok(vec![pinned]),
            _ => Err(Refusal::NoEndpoints),
        };
    }
    let numbered = (0..).zip(workers);
    let fitting: Vec<_> = numbered.filter(|(number, worker)| constraints.fits(*number, worker)).collect();
    let free: Vec<ReplicaIx> = fitting.iter().filter(|(_, w)| !w.overloaded).map(|(n, _)| *n).collect();
    match (fitting.is_empty(), free.is_empty()) {
        (true, _) => Err(Refusal::NoEndpoints),
        (false, true) => Err(Refusal::AllOverloaded),
        (false, false) => Ok(free),
    }
}
