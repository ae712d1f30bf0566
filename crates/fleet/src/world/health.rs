//! Envoy's outlier detection, panic threshold and priority levels around the routers. The decisions are in [`tokenyard_policy::outlier`] and [`tokenyard_policy::health`].

use tokenyard_det::Stream;
use tokenyard_policy::health::{Level, Share, level_of, panics, shares};
use tokenyard_policy::outlier::Outliers;
use tokenyard_policy::{Ending, ReplicaIx};

use super::event::{Class, Kind};
use super::{State, World};
use crate::scenario::gateway::PoolChoice;

/// What is kept of replicas that answer with errors.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    /// Who is ejected, where the gateway ejects anybody.
    outliers: Option<Outliers>,
    /// Whether a replica may answer with an error at once.
    pub(super) errors: bool,
    /// The calendar minute of each replica's latest request, and its requests in it.
    pub(super) minutes: Vec<(u64, u32)>,
    /// Who of the failing replicas' requests fails.
    pub(super) failing: Stream,
    /// Which pool a request goes to by health.
    pools: Stream,
}

impl Trouble {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            outliers: None,
            errors: false,
            minutes: Vec::new(),
            failing: Stream::new(seed, "failing", 0),
            pools: Stream::new(seed, "pools", 0),
        }
    }

    /// Whether the gateway ejects anybody.
    pub(super) fn ejects(&self) -> bool {
        self.outliers.is_some()
    }
}

impl World {
    /// The first sweep is an interval after the start.
    pub(super) fn begin_outlier_detection(&mut self) {
        if let Some(settings) = self.scenario.gateway.outlier {
            self.trouble.outliers = Some(Outliers::new(settings, self.replicas.len() as u32));
            self.queue.push(self.now.saturating_add(settings.interval), Class::Change, Kind::Sweep);
        }
    }

    /// After a fork: nobody is ejected, and sweeps go on where there were some.
    pub(super) fn change_outlier_detection(&mut self, had: bool) {
        let settings = self.scenario.gateway.outlier;
        self.trouble.outliers = settings.map(|settings| Outliers::new(settings, self.replicas.len() as u32));
        if let Some(settings) = settings.filter(|_| !had) {
            self.queue.push(self.now.saturating_add(settings.interval), Class::Change, Kind::Sweep);
        }
    }

    pub(super) fn is_ejected(&self, replica: ReplicaIx) -> bool {
        self.trouble.outliers.as_ref().is_some_and(|outliers| outliers.is_out(replica))
    }

    pub(super) fn somebody_is_ejected(&self) -> bool {
        self.trouble.outliers.as_ref().is_some_and(|outliers| outliers.out() > 0)
    }

    /// An attempt ended. What was called off, or nobody waited for, says nothing of the replica.
    pub(super) fn answered(&mut self, replica: ReplicaIx, how: Ending) {
        let failed = match how {
            Ending::Failed => true,
            Ending::Served | Ending::Limited | Ending::TooLong => false,
            Ending::TimedOut | Ending::Cancelled => return,
        };
        let now = self.now;
        if self.trouble.outliers.as_mut().is_some_and(|outliers| outliers.answered(replica, failed, now)) {
            self.outcomes.ejected(1);
        }
    }

    /// Ejections end and rates are judged.
    pub(super) fn sweep_outliers(&mut self) {
        let now = self.now;
        let Some(outliers) = &mut self.trouble.outliers else { return };
        let ejected = outliers.sweep(now);
        self.outcomes.ejected(ejected);
        if let Some(settings) = self.scenario.gateway.outlier {
            self.queue.push(now.saturating_add(settings.interval), Class::Change, Kind::Sweep);
        }
        self.next_in_line();
    }

    pub(super) fn pool_of(&self, replica: usize) -> usize {
        replica * self.scenario.gateway.pools as usize / self.replicas.len().max(1)
    }

    /// Healthy replicas and all of each pool. One that drains is in no pool.
    fn levels(&self) -> Vec<Level> {
        let mut levels = vec![Level::default(); self.scenario.gateway.pools as usize];
        for (r, state) in self.states.iter().enumerate().filter(|(_, state)| **state != State::Draining) {
            let healthy = *state == State::Up && !self.is_ejected(r as ReplicaIx);
            if let Some(level) = levels.get_mut(self.pool_of(r)) {
                level.hosts += 1;
                level.healthy += u32::from(healthy);
            }
        }
        levels
    }

    /// Leaves the candidates of a request's pool: the one of its priority, or one drawn by the health
    /// of all. In a pool that panics everybody is a candidate who has room and does not drain.
    pub(super) fn keep_level(
        &mut self,
        priority: u8,
        except: Option<ReplicaIx>,
        candidates: &mut Vec<ReplicaIx>,
    ) {
        let gateway = &self.scenario.gateway;
        let (threshold, levels) = (gateway.panic.unwrap_or(0), self.levels());
        let by_health = gateway.pool_choice == PoolChoice::Health;
        let split: Vec<Share> = if by_health {
            shares(&levels, gateway.overprovisioning, threshold)
        } else {
            levels.iter().map(|level| Share { percent: 0, panics: panics(*level, threshold) }).collect()
        };
        if split.iter().any(|share| share.panics) {
            let in_panic = |r: usize| split.get(self.pool_of(r)).is_some_and(|share| share.panics);
            let all = 0..self.replicas.len();
            let more = all.filter(|r| in_panic(*r) && self.states[*r] != State::Draining);
            candidates
                .extend(more.map(|r| r as ReplicaIx).filter(|r| Some(*r) != except && self.has_room(*r)));
            candidates.sort_unstable();
            candidates.dedup();
        }
        if by_health {
            let draw = self.trouble.pools.below(100) as u32 + 1;
            let pool = level_of(&split, draw);
            candidates.retain(|r| self.pool_of(usize::from(*r)) == pool);
        } else {
            self.keep_pool(priority, candidates);
        }
    }
}
