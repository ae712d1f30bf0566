//! What engines tell, and what follows for requests.

use tokenyard_policy::{Ending, Fact, ReplicaIx};

use super::World;
use super::live::generated;
use crate::engine::types::{EngineEvent, Happened};
use crate::metrics::{Outcome, Status};
use crate::time::When;

impl World {
    /// One event of an engine.
    pub(super) fn engine_event(&mut self, replica: ReplicaIx, event: &EngineEvent) {
        let id = event.id;
        match event.what {
            Happened::Admitted { cached, computed } => self.admitted(id, cached, computed),
            Happened::FirstToken => {
                self.fold(4, u64::from(id));
                self.first_token(id);
            }
            Happened::Preempted => {
                if let Some(attempt) = self.attempts.get_mut(id) {
                    attempt.preemptions = attempt.preemptions.saturating_add(1);
                }
            }
            Happened::Finished { longest_gap } => {
                self.fold(5, u64::from(id));
                self.finished(id, longest_gap);
            }
            Happened::Refused => self.ended_badly(id, replica, Status::TooLong),
            Happened::Aborted => {
                self.fold(6, u64::from(id));
                self.aborted(id);
            }
            Happened::Lost => {
                self.fold(7, u64::from(id));
                self.ended_badly(id, replica, Status::Failed);
            }
        }
    }

    fn admitted(&mut self, id: u32, cached: u32, computed: u32) {
        let now = self.now;
        let Some(attempt) = self.attempts.get_mut(id) else { return };
        if attempt.admitted {
            attempt.recomputed += computed;
        } else {
            attempt.admitted = true;
            self.lifetimes.admitted(id, now);
            (attempt.cached, attempt.computed) = (cached, computed);
        }
        let live = attempt.live.and_then(|live| self.live.get_mut(live));
        if let Some(live) = live.filter(|live| !live.admitted.has_come()) {
            live.admitted = When::at(now);
        }
    }

    fn first_token(&mut self, id: u32) {
        let now = self.now;
        let Some(attempt) = self.attempts.get_mut(id) else { return };
        attempt.first_token = true;
        self.lifetimes.first_token(id, now);
        let (router, by, ttft) = (usize::from(attempt.router), attempt.to, now - attempt.sent);
        self.routers[router].first_token(by, attempt.entry.as_mut());
        self.routers[router].learn(now, &Fact::FirstToken { by, ttft, at: now });
        let Some(live) = attempt.live else { return };
        let (cached, computed) = (attempt.cached, attempt.computed);
        let Some(entry) = self.live.get_mut(live) else { return };
        if !entry.first_token.has_come() {
            entry.first_token = When::at(now);
            (entry.cached, entry.computed) = (cached, computed);
            self.outcomes.saw_ttft(now - entry.request.arrival);
        }
        self.drop_losers(live, id);
    }

    /// A first token has come: the other attempt of a hedged request is cancelled.
    fn drop_losers(&mut self, live: u32, winner: u32) {
        let Some(entry) = self.live.get_mut(live) else { return };
        let loser = entry.under_way.iter().flatten().copied().find(|attempt| *attempt != winner);
        entry.under_way = [Some(winner), None];
        if let Some(loser) = loser {
            self.cancel(loser);
        }
    }

    /// Aborts an attempt that nobody waits for any more.
    pub(super) fn cancel(&mut self, attempt: u32) {
        let Some(entry) = self.attempts.get_mut(attempt) else { return };
        entry.live = None;
        let to = entry.to;
        self.replicas[usize::from(to)].abort(self.now, attempt, &mut self.out);
        if self.out.events.is_empty() {
            self.plan(to);
        } else {
            self.after_engine(to);
        }
    }

    fn finished(&mut self, id: u32, longest_gap: u64) {
        let generated = generated(self.attempts.serial(id));
        let Some(attempt) = self.close(id, Ending::Served) else { return };
        self.worked(attempt.to);
        self.lifetimes.finished(id, attempt.to, attempt.sent, self.now);
        let Some(live) = attempt.live else {
            // It ran on after its client had gone.
            self.outcomes.wasted(attempt.computed + attempt.recomputed);
            self.next_in_line();
            return;
        };
        if let Some(entry) = self.live.get_mut(live) {
            entry.recomputed += attempt.recomputed;
            entry.preemptions = entry.preemptions.saturating_add(attempt.preemptions);
        }
        self.served(live, attempt.to, generated, longest_gap);
        self.next_in_line();
    }

    /// An aborted attempt is out of the engine.
    fn aborted(&mut self, id: u32) {
        if let Some(attempt) = self.close(id, Ending::Cancelled) {
            self.outcomes.wasted(attempt.computed + attempt.recomputed);
            self.next_in_line();
        }
    }

    /// An attempt failed at the engine: the client may try again.
    fn ended_badly(&mut self, id: u32, replica: ReplicaIx, status: Status) {
        let how = if status == Status::TooLong { Ending::TooLong } else { Ending::Failed };
        let Some(attempt) = self.close(id, how) else { return };
        self.outcomes.wasted(attempt.computed + attempt.recomputed);
        if status == Status::Failed {
            self.failed_at(replica);
        }
        if let Some(live) = attempt.live {
            self.attempt_failed(live, id, status);
        }
        self.next_in_line();
    }

    /// A request has its whole answer.
    fn served(&mut self, live: u32, by: ReplicaIx, generated: u64, longest_gap: u64) {
        self.leave_session(live);
        self.vtc_served(live);
        let Some(entry) = self.live.get(live) else { return };
        if entry.retrying {
            self.retries.done();
        }
        self.outcomes.push(&Outcome::new(entry, Status::Served, self.now, Some(by), longest_gap));
        self.workload.ended(&entry.request, true, self.now, generated);
        self.live.remove(live);
    }

    /// A request ends without an answer.
    pub(super) fn finish(&mut self, live: u32, status: Status) {
        self.leave_session(live);
        let Some(entry) = self.live.get(live) else { return };
        let (number, retrying, in_line) = (entry.request.number, entry.retrying, entry.in_line);
        self.fold(8, u64::from(number));
        if retrying {
            self.retries.done();
        }
        if in_line {
            self.line_length -= 1;
        }
        let Some(entry) = self.live.get(live) else { return };
        self.outcomes.push(&Outcome::new(entry, status, self.now, None, 0));
        self.workload.ended(&entry.request, false, self.now, 0);
        self.live.remove(live);
    }
}
