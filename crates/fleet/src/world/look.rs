//! What can be seen of a run from outside.

use std::sync::Arc;

use tokenyard_policy::ReplicaIx;

use super::World;
use crate::engine::gaps::Gaps;
use crate::engine::{Out, Replica};
use crate::metrics::{Outcomes, Samples};
use crate::record::Decision;
use crate::scenario::Scenario;
use crate::time::Ps;

/// Requests in the system that no cache near a core holds any more: about half a megabyte.
const OUT_OF_CACHE: usize = 2_048;

impl World {
    /// Keeps a record of every decision from now on. Results do not change by it.
    pub fn record(&mut self) {
        self.recording = true;
    }

    /// Time of the last event.
    #[must_use]
    pub fn now(&self) -> Ps {
        self.now
    }

    /// Events handled.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// 64 bits over every event so far: time, kind and whom it concerned.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// 64 bits over the state: history, routers, engines, what is under way.
    #[must_use]
    pub fn state_digest(&self) -> u64 {
        let mut digest = tokenyard_det::Digest::default();
        digest.u64(self.digest);
        digest.u64(self.now);
        digest.u32s(&self.outstanding);
        self.routers.iter().for_each(|router| router.digest(&mut digest));
        self.measured().0.iter().for_each(|replica| replica.digest(&mut digest));
        for (place, attempt) in self.attempts.iter() {
            digest.u32(place);
            digest.u64(attempt.sent);
        }
        digest.finish()
    }

    /// The scenario it runs.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Decisions recorded so far.
    #[must_use]
    pub fn decisions(&self) -> &[Arc<Decision>] {
        &self.decisions
    }

    /// Requests that have ended.
    #[must_use]
    pub fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    /// Measurements over time.
    #[must_use]
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Gaps between tokens so far.
    #[must_use]
    pub fn gaps(&self) -> Gaps {
        self.measured().1.gaps
    }

    /// The engines as of the latest measurement, which itself leaves them where they are, and what
    /// they have told until then. Those that something has happened to since are later.
    fn measured(&self) -> (Vec<Replica>, Out) {
        let (mut replicas, mut out) = (self.replicas.clone(), self.out.clone());
        replicas.iter_mut().for_each(|replica| replica.catch_up(self.sampled, &mut out));
        (replicas, out)
    }

    /// Reads what the end of a sequence and the admission of another are going to need, in a large
    /// fleet or a long line long out of the caches, so that the waits for it overlap with one another
    /// and with the boundary. An attempt and its request have one number while nothing is tried twice;
    /// another number costs nothing.
    pub(super) fn look_ahead(&self, replica: ReplicaIx) {
        if self.live.len() < OUT_OF_CACHE {
            return;
        }
        let engine = &self.replicas[usize::from(replica)];
        for id in [engine.ends_next(), engine.joins_next()].into_iter().flatten() {
            let live = self.live.get(id).map(|live| (live.tries, live.request.number));
            std::hint::black_box((self.attempts.get(id).map(|attempt| attempt.sent), live));
            self.lifetimes.look_ahead(id);
        }
    }

    /// Reads what the next boundary begins with, while this one's end is still at work.
    pub(super) fn look_further_ahead(&self) {
        if self.live.len() >= OUT_OF_CACHE {
            std::hint::black_box(self.replicas[usize::from(self.due.whose())].ends_next());
        }
    }

    /// Attempts at each replica now.
    #[must_use]
    pub fn outstanding(&self) -> &[u32] {
        &self.outstanding
    }

    /// Share of the time so far in which each replica was in an iteration.
    #[must_use]
    pub fn utilisation(&self) -> Vec<f64> {
        let share = |r: &Replica| if self.now == 0 { 0.0 } else { r.busy() as f64 / self.now as f64 };
        self.measured().0.iter().map(share).collect()
    }

    /// Share of each replica's busy time that iterations with prefill took; 0 if it never was busy.
    #[must_use]
    pub fn prefill_share(&self) -> Vec<f64> {
        let share = |r: &Replica| if r.busy() == 0 { 0.0 } else { r.prefilling() as f64 / r.busy() as f64 };
        self.measured().0.iter().map(share).collect()
    }

    /// Requests that have arrived and not ended.
    #[must_use]
    pub fn in_system(&self) -> usize {
        self.live.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::draft;
    use crate::world::Step;

    /// A measurement that moves engines on, as any other look does, is seen by nobody.
    #[test]
    fn a_measurement_leaves_no_trace() {
        for seed in 0..40 {
            let scenario = draft(seed).build(None).unwrap();
            let (mut plain, mut moved) = (World::new(&scenario, None), World::new(&scenario, None));
            for event in 0..3_000 {
                let (a, b) = (plain.step(), moved.step());
                assert_eq!(a, b, "seed {seed}, event {event}");
                if matches!(a, Step::Ended(_)) {
                    break;
                }
                if moved.sampled == moved.now {
                    let (now, out) = (moved.now, &mut moved.out);
                    for replica in &mut moved.replicas {
                        let glance = replica.glance(now, true, true);
                        assert_eq!(glance, replica.look(now, out), "seed {seed}, event {event}");
                    }
                }
                if event % 41 == 0 {
                    assert_eq!(plain.state_digest(), moved.state_digest(), "seed {seed}, event {event}");
                    assert_eq!(plain.gaps(), moved.gaps(), "seed {seed}, event {event}");
                    assert_eq!(plain.utilisation(), moved.utilisation(), "seed {seed}, event {event}");
                }
            }
        }
    }
}
