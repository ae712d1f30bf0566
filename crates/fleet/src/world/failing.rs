//! Replicas that answer with an error at once: some of their requests, beyond their rate limit, or
//! because they are down and were chosen all the same.

use tokenyard_policy::{Ending, ReplicaIx};

use super::{State, World};
use crate::metrics::Status;
use crate::time::{Ps, SECOND};

const MINUTE: Ps = 60 * SECOND;

impl World {
    /// Whether anything in the scenario makes a replica answer with an error.
    pub(super) fn expect_errors(&mut self) {
        let fleet = &self.scenario.fleet;
        let limited = fleet.limit_rpm.is_some();
        self.trouble.errors = fleet.failing_replicas > 0 || limited || self.scenario.gateway.panic.is_some();
        if limited && self.trouble.minutes.is_empty() {
            self.trouble.minutes = vec![(0, 0); self.replicas.len()];
        }
    }

    /// The error with which a replica answers one more request, if it does: it is down; it is one of
    /// those that fail and chance says so; it has had its requests of this calendar minute. A request
    /// that is refused does not count against the limit.
    pub(super) fn error_of(&mut self, to: ReplicaIx) -> Option<Ending> {
        let fleet = &self.scenario.fleet;
        if self.states[usize::from(to)] == State::Down {
            return Some(Ending::Failed);
        }
        if u32::from(to) < fleet.failing_replicas
            && self.trouble.failing.below(1_000) < u64::from(fleet.failing_per_mille)
        {
            return Some(Ending::Failed);
        }
        let (most, now) = (fleet.limit_rpm?, self.now / MINUTE);
        let (minute, count) = self.trouble.minutes.get_mut(usize::from(to))?;
        if *minute != now {
            (*minute, *count) = (now, 0);
        }
        if *count >= most {
            return Some(Ending::Limited);
        }
        *count += 1;
        None
    }

    /// An attempt never gets into its replica's line: its client is told so at once.
    pub(super) fn answered_with_error(&mut self, id: u32, replica: ReplicaIx, how: Ending) {
        self.fold(14, u64::from(replica));
        let Some(attempt) = self.close(id, how) else { return };
        if how == Ending::Failed {
            self.failed_at(replica);
        }
        let status = if how == Ending::Limited { Status::Refused } else { Status::Failed };
        if let Some(live) = attempt.live {
            self.attempt_failed(live, id, status);
        }
    }
}
