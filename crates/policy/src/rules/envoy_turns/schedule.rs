//! What Envoy keeps for each set of hosts: a schedule of weighted turns, or none while weights are
//! equal.

use tokenyard_det::{Digest, Stream};

use crate::index::edf::Edf;
use crate::view::ReplicaIx;

/// Lists of candidates that are remembered.
const MOST_LISTS: usize = 8;

/// One list of candidates.
#[derive(Clone, Debug)]
pub(super) struct Source {
    candidates: Vec<ReplicaIx>,
    /// None where turns need no weights.
    pub(super) edf: Option<Edf>,
    /// Turns without weights.
    pub(super) turns: u64,
}

/// Upstream makes its schedule anew whenever the hosts change, and keeps one for each set that it
/// balances over. Here a router's candidates change with breakers, caps and hedges, so the latest
/// few lists are kept; all are forgotten when a replica leaves or comes back.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedules {
    /// Where turns begin: drawn once by each router, so that many routers do not go in step.
    seed: Option<u64>,
    /// The latest last.
    sources: Vec<Source>,
}

impl Schedules {
    /// Makes all schedules anew at the next decision.
    pub(super) fn refresh(&mut self) {
        self.sources.clear();
    }

    /// The schedule of the candidates. When it is made, `weighted` is asked whether turns go by
    /// `weight`; it is cycled from the seed then, as upstream does it.
    pub(super) fn of(
        &mut self,
        candidates: &[ReplicaIx],
        stream: &mut Stream,
        weighted: impl FnOnce() -> bool,
        weight: impl Fn(ReplicaIx) -> f64,
    ) -> Option<&mut Source> {
        let seed = *self.seed.get_or_insert_with(|| stream.bits());
        // Nearly always the list of the last decision, which is the last here.
        if let Some(at) = self.sources.iter().rposition(|s| s.candidates == candidates) {
            self.sources[at..].rotate_left(1);
        } else {
            if self.sources.len() >= MOST_LISTS {
                self.sources.remove(0);
            }
            let edf = weighted().then(|| {
                let mut edf = Edf::default();
                candidates.iter().for_each(|replica| edf.add(*replica, weight(*replica)));
                for _ in 0..seed.checked_rem(candidates.len() as u64).unwrap_or(0) {
                    edf.turn(&weight);
                }
                edf
            });
            self.sources.push(Source { candidates: candidates.to_vec(), edf, turns: seed });
        }
        self.sources.last_mut()
    }

    /// Feeds everything, in the order in which lists were used.
    pub(super) fn digest(&self, into: &mut Digest) {
        into.u64(self.seed.unwrap_or(0));
        into.u64(self.sources.len() as u64);
        for source in &self.sources {
            into.u64(source.candidates.len() as u64);
            source.candidates.iter().for_each(|replica| into.u64(u64::from(*replica)));
            into.u64(source.turns);
            into.u64(u64::from(source.edf.is_some()));
            source.edf.iter().for_each(|edf| edf.digest(into));
        }
    }
}
