//! Elasticity: replicas fail, start, drain, slow down.

use tokenyard_det::math;
use tokenyard_policy::{Fact, ReplicaIx};

use super::event::{Class, Kind};
use super::{State, World};
use crate::scenario::ChangeKind;

impl World {
    /// The i-th line of the scenario's list of changes.
    pub(super) fn change(&mut self, i: u32) {
        let Some(change) = self.scenario.changes.get(i as usize).copied() else { return };
        let replica = change.replica as ReplicaIx;
        self.fold(12, u64::from(i));
        match change.kind {
            ChangeKind::Fail => self.fail(replica),
            ChangeKind::Restart => self.restart(replica),
            ChangeKind::Drain => self.set_state(replica, State::Up, State::Draining),
            ChangeKind::Undrain => self.set_state(replica, State::Draining, State::Up),
            ChangeKind::Speed(per_mille) => {
                self.replicas[usize::from(replica)].set_speed(self.now, per_mille);
                self.plan(replica);
            }
        }
        self.next_in_line();
    }

    fn set_state(&mut self, replica: ReplicaIx, from: State, to: State) {
        if self.states[usize::from(replica)] == from {
            self.states[usize::from(replica)] = to;
            self.relist();
        }
    }

    fn fail(&mut self, replica: ReplicaIx) {
        let at = usize::from(replica);
        self.states[at] = State::Down;
        self.lives[at] += 1;
        self.set_started(at, None);
        self.relist();
        for router in &mut self.routers {
            router.learn(self.now, &Fact::Left(replica));
        }
        self.replicas[at].fail(self.now, &mut self.out);
        self.cache_news[at].clear();
        self.after_engine(replica);
        // What it finished up to now was told just before, and is gone with it.
        self.lifetimes.left(replica);
    }

    /// A failed replica starts; one that is up is failed first, as a restart does.
    fn restart(&mut self, replica: ReplicaIx) {
        if self.states[usize::from(replica)] != State::Down {
            self.fail(replica);
        }
        let life = self.lives[usize::from(replica)];
        let at = self.now.saturating_add(self.scenario.fleet.start_up);
        self.queue.push(at, Class::Change, Kind::Ready { replica, life });
    }

    /// A replica has finished starting.
    pub(super) fn ready(&mut self, replica: ReplicaIx, life: u32) {
        let at = usize::from(replica);
        if self.lives[at] != life || self.states[at] != State::Down {
            return;
        }
        self.fold(13, u64::from(replica));
        self.states[at] = State::Up;
        let fleet = &self.scenario.fleet;
        let slowly = fleet.slow_start > 0 || fleet.blackout > 0;
        self.set_started(at, slowly.then_some(self.now));
        self.relist();
        for router in &mut self.routers {
            router.learn(self.now, &Fact::Joined(replica));
        }
        self.next_in_line();
    }

    /// Whether a failed replica is on its way up.
    pub(super) fn starting(&self) -> bool {
        self.queue.has_ready()
    }

    fn set_started(&mut self, replica: usize, at: Option<crate::time::Ps>) {
        let was = std::mem::replace(&mut self.started[replica], at);
        self.starting_slowly = self.starting_slowly + u32::from(at.is_some()) - u32::from(was.is_some());
    }

    /// Blackout and slow start: a replica that became ready a moment ago is no candidate at all for
    /// the blackout, and then one only with probability max(minimum, (age / window)^(1 / aggression)),
    /// as Envoy's weight grows. The last candidates are never taken away.
    pub(super) fn keep_started(&mut self, candidates: &mut Vec<ReplicaIx>) {
        let fleet = &self.scenario.fleet;
        if self.starting_slowly == 0 {
            return;
        }
        let (blackout, window) = (fleet.blackout, fleet.slow_start);
        let (aggression, least) = (fleet.slow_start_aggression, fleet.slow_start_min_weight);
        let mut left_out: Vec<ReplicaIx> = Vec::new();
        for &replica in candidates.iter() {
            let Some(since) = self.started[usize::from(replica)] else { continue };
            let Some(age) = (self.now - since).checked_sub(blackout) else {
                left_out.push(replica);
                continue;
            };
            if age >= window {
                self.set_started(usize::from(replica), None);
                continue;
            }
            let weight = math::pow(age as f64 / window as f64, 1.0 / aggression).max(least);
            if self.start_stream.unit() >= weight {
                left_out.push(replica);
            }
        }
        if left_out.len() < candidates.len() {
            candidates.retain(|replica| !left_out.contains(replica));
        }
    }
}
