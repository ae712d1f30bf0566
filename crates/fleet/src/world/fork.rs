//! Snapshots and forks of a run.

use std::sync::Arc;

use tokenyard_policy::ReplicaIx;

use super::lifetimes::Lifetimes;
use super::{State, World};
use crate::metrics::Outcome;
use crate::record::Decision;
use crate::router::Router;
use crate::scenario::{Problem, Scenario};

impl World {
    /// Takes the logs out, so that a clone costs the state only.
    pub(crate) fn detach(&mut self) -> (Vec<Outcome>, Vec<Arc<Decision>>) {
        (self.outcomes.detach(), std::mem::take(&mut self.decisions))
    }

    /// Puts logs in.
    pub(crate) fn attach(&mut self, outcomes: Vec<Outcome>, decisions: Vec<Arc<Decision>>) {
        self.outcomes.attach(outcomes);
        self.decisions = decisions;
    }

    /// Goes on under other settings. New routers know what is under way of theirs and nothing
    /// else: their trees, cursors and readings begin anew, and so do engines' means where no rule has
    /// read them before.
    pub(crate) fn change_to(&mut self, scenario: &Scenario) -> Result<(), Problem> {
        let old = &self.scenario;
        let fixed = [
            ("seed", old.seed == scenario.seed),
            ("workload", old.workload == scenario.workload),
            ("fleet", old.fleet == scenario.fleet),
            ("changes", old.changes == scenario.changes),
            ("router.routers", old.router.routers == scenario.router.routers),
            ("router.scrape_ms", (old.router.scrape > 0) == (scenario.router.scrape > 0)),
        ];
        if let Some((path, _)) = fixed.iter().find(|(_, same)| !same) {
            return Err(Problem::new(path, "changed", "the same as before the fork"));
        }
        let had = self.trouble.ejects();
        self.scenario = Arc::new(scenario.clone());
        self.change_outlier_detection(had);
        self.expect_errors();
        self.routers = Router::all(scenario);
        let down = self.states.iter().enumerate().filter(|(_, state)| **state == State::Down);
        for (replica, _) in down {
            self.routers.iter_mut().for_each(|router| router.find_down(replica as ReplicaIx));
        }
        let follows = self.routers.iter().any(|r| r.source() == crate::router::Source::Events);
        if follows && !self.follows_events {
            self.replicas.iter_mut().for_each(crate::engine::Replica::follow_cache);
        }
        self.follows_events = follows;
        if self.lifetimes.means().is_empty() {
            self.lifetimes = Lifetimes::of(&self.routers, self.replicas.len());
        }
        self.recount();
        Ok(())
    }

    /// Tells new routers of the attempts under way.
    fn recount(&mut self) {
        let scenario = Arc::clone(&self.scenario);
        let block = self.scenario.fleet.engine.block;
        let places: Vec<u32> = self.attempts.iter().map(|(place, _)| place).collect();
        for place in places {
            let Some(attempt) = self.attempts.get_mut(place) else { continue };
            let router = &mut self.routers[usize::from(attempt.router)];
            attempt.counted = true;
            router.count(attempt.sent, attempt.to, &scenario.router);
            attempt.entry = None;
            if let Some(live) = attempt.live.and_then(|live| self.live.get(live)) {
                let overlap = attempt.cached / block;
                attempt.entry = router.sent(attempt.sent, attempt.to, &live.request, overlap, block);
            }
            if let Some(entry) = attempt.entry.as_mut().filter(|_| attempt.first_token) {
                router.first_token(attempt.to, Some(entry));
            }
        }
    }
}
