//! From the arrival of a request to an engine's line.

use std::sync::Arc;

use tokenyard_policy::{Choice, Ending, ReplicaIx};

use super::event::{Class, Kind};
use super::live::{Attempt, Live, generated};
use super::{State, World};
use crate::chain::Chain;
use crate::engine::types::Sequence;
use crate::metrics::Status;
use crate::record::{Candidate, Decision};
use crate::router::Truth;
use crate::scenario::gateway::{LineOrder, PoolChoice};
use crate::scenario::{LoadSource, Share};

impl World {
    /// Requests that have arrived so far; the last of them has this number less one.
    #[must_use]
    pub fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Most requests that can arrive in the whole run, retries not counted.
    #[must_use]
    pub fn most_requests(&self) -> u32 {
        self.workload.most()
    }

    /// Takes out the decisions recorded so far, for whoever needs few of them from a long run. A
    /// report of this world then knows of no regret for them.
    pub fn take_decisions(&mut self) -> Vec<Arc<Decision>> {
        std::mem::take(&mut self.decisions)
    }

    /// The next request of the workload arrives.
    pub(super) fn arrive(&mut self) {
        let Some(request) = self.workload.take() else { return };
        self.arrived += 1;
        self.fold(2, u64::from(request.number));
        self.retries.arrived(self.now, &self.scenario.gateway);
        let live = self.live.add(Live::new(request));
        self.admit(live);
    }

    /// A request is at the gateway: it is routed, or waits, or is refused.
    pub(super) fn admit(&mut self, live: u32) {
        self.begin_try(live);
        if self.expired(live) {
            self.finish(live, Status::Dropped);
        } else if self.line_length > 0 && self.scenario.gateway.line_order != LineOrder::First {
            // Nobody overtakes those who wait in a band, unless from a higher one.
            self.wait_in_line(live);
            self.next_in_line();
        } else if !self.enter_session(live) || !self.route(live, None) {
            self.wait_in_line(live);
        }
    }

    /// Whether the gateway drops it because nobody wants the answer any more.
    fn expired(&self, live: u32) -> bool {
        let deadline = self.live.get(live).and_then(|live| live.request.deadline);
        self.scenario.gateway.drop_expired && deadline.is_some_and(|deadline| deadline < self.now)
    }

    /// Routes a request now, not to `except`. Says whether somebody could take it.
    pub(super) fn route(&mut self, live: u32, except: Option<ReplicaIx>) -> bool {
        let Some(entry) = self.live.get(live) else { return true };
        let key = entry.request.session.unwrap_or(entry.request.number);
        let priority = entry.request.priority;
        let everybody = except.is_none() && self.everybody_may_take();
        if !everybody {
            self.find_candidates(priority, except);
        }
        let candidates = if everybody { &self.routable } else { &self.scratch };
        !candidates.is_empty() && self.send(live, key, everybody)
    }

    /// Leaves the replicas that may be chosen now in the scratch list.
    fn find_candidates(&mut self, priority: u8, except: Option<ReplicaIx>) {
        let mut into = std::mem::take(&mut self.scratch);
        into.clear();
        into.extend(self.routable.iter().filter(|r| Some(**r) != except && self.may_take(**r)));
        let gateway = &self.scenario.gateway;
        if gateway.panic.is_some() || gateway.pool_choice == PoolChoice::Health {
            self.keep_level(priority, except, &mut into);
        } else {
            self.keep_pool(priority, &mut into);
        }
        self.keep_started(&mut into);
        self.scratch = into;
    }

    /// One router decides, among all routable replicas or those in the scratch list, and the
    /// attempt is on its way.
    fn send(&mut self, live: u32, key: u32, everybody: bool) -> bool {
        self.hear_events();
        let router = self.whose(key);
        let mut explain = self.explain();
        let (now, recording) = (self.now, self.recording);
        let Self { routers, replicas, outstanding, out, kv_blocks, tallies, lifetimes, .. } = self;
        let (routable, scratch, means) = (&self.routable, &self.scratch, lifetimes.means());
        let Some(entry) = self.live.get(live) else { return true };
        let request = &entry.request;
        let candidates = if everybody { &routable[..] } else { &scratch[..] };
        let settings = &self.scenario.router;
        let block = self.scenario.fleet.engine.block;
        let mut truth = Truth { replicas, outstanding, out, block, kv_blocks, tallies, means };
        let asked = &mut routers[router];
        let fresh =
            if recording { asked.on_fresh(now, request, candidates, &mut truth, settings) } else { None };
        let decided = asked.decide(now, request, candidates, &mut truth, settings, &mut explain);
        let (to, why, tied) = match decided.choice {
            Choice::Send { to, why, tied } => (to, why, tied),
            Choice::Nobody => return false,
            Choice::Held => {
                self.held = true;
                return false;
            }
            Choice::Refused => return self.refuse(live),
        };
        if recording {
            let (request, chain) = (request.number, request.chain.clone());
            let candidates = candidates.to_vec();
            let rows = self.candidate_rows(router, &chain, &candidates, &explain);
            let router = router as u16;
            let decision = Decision { at: now, request, router, to, why, tied, fresh, rows };
            self.decisions.push(Arc::new(decision));
        }
        self.fold(3, u64::from(to));
        self.dispatch(live, router, to, decided.overlap);
        true
    }

    /// The rule gives a request to nobody, whatever is free: its client is told so, and may come
    /// back. A hedge is not sent then. Says whether the request has been dealt with.
    fn refuse(&mut self, live: u32) -> bool {
        if self.live.get(live).is_some_and(|entry| entry.under_way != [None; 2]) {
            return false;
        }
        self.outcomes.rejected();
        self.try_again(live, Status::Refused);
        true
    }

    /// Which router has a request.
    fn whose(&mut self, key: u32) -> usize {
        let routers = self.routers.len() as u64;
        match self.scenario.router.share {
            _ if routers == 1 => 0,
            Share::RoundRobin => {
                self.turn += 1;
                ((self.turn - 1) % routers) as usize
            }
            Share::Hash => {
                // Spreads consecutive keys; any fixed odd multiplier does.
                let spread = u64::from(key).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
                (spread % routers) as usize
            }
        }
    }

    /// What was believed and what was true of every candidate.
    fn candidate_rows(
        &mut self,
        router: usize,
        chain: &Chain,
        candidates: &[ReplicaIx],
        explain: &tokenyard_policy::Explain,
    ) -> Vec<Candidate> {
        let now = self.now;
        let rows = candidates.iter().map(|&replica| {
            let at = usize::from(replica);
            let (believed, overlap, age) = self.routers[router].belief(replica, now, &self.scenario.router);
            let terms = explain.rows().iter().find(|row| row.replica == replica);
            Candidate {
                replica,
                believed_outstanding: believed,
                believed_overlap: overlap,
                age,
                outstanding: self.outstanding[at],
                overlap: self.replicas[at].hits(now, chain, &mut self.out),
                terms: terms.map(|row| row.values),
            }
        });
        rows.collect()
    }

    /// An attempt leaves for a replica.
    fn dispatch(&mut self, live: u32, router: usize, to: ReplicaIx, overlap: u32) {
        let generated = generated(self.attempts.next_serial());
        let settings = &self.scenario.fleet.engine;
        let Some(entry) = self.live.get_mut(live) else { return };
        let request = &entry.request;
        let books = self.routers[router].sent(self.now, to, request, overlap, settings.block);
        let attempt = self.attempts.add(Attempt {
            live: Some(live),
            router: router as u16,
            to,
            sent: self.now,
            entry: books,
            counted: false,
            timed_out: false,
            admitted: false,
            first_token: false,
            cached: 0,
            computed: 0,
            recomputed: 0,
            preemptions: 0,
        });
        // An engine without a prefix cache asks for no names.
        let chain = if settings.prefix_cache { request.chain.clone() } else { Chain::new() };
        let (prompt, output) = (request.prompt, request.output);
        let sequence = Sequence { id: attempt, prompt, output, chain, generated };
        entry.attempts = entry.attempts.saturating_add(1);
        match &mut entry.under_way {
            [first @ None, _] => *first = Some(attempt),
            [_, second] => *second = Some(attempt),
        }
        let at = usize::from(to);
        self.outstanding[at] += 1;
        self.use_trial(to);
        self.vtc_admitted(live);
        self.plan_count(attempt, router);
        self.plan_hedge(live);
        if self.trouble.errors
            && let Some(how) = self.error_of(to)
        {
            self.answered_with_error(attempt, to, how);
            return;
        }
        self.lifetimes.sent(attempt, prompt, output);
        self.replicas[at].enqueue(self.now, sequence, &mut self.out);
        if !self.out.events.is_empty() {
            self.after_engine(to);
        } else {
            self.plan(to);
        }
    }

    /// When the routers' counts learn of a dispatch.
    fn plan_count(&mut self, attempt: u32, router: usize) {
        let settings = &self.scenario.router;
        let counts = settings.load == LoadSource::Own || settings.own_dispatches;
        let (gap, sharing) = (settings.accounting_gap, settings.peer_sharing);
        let serial = self.attempts.serial(attempt);
        if counts && gap == 0 {
            self.count(attempt, serial);
        } else if counts {
            let at = self.now.saturating_add(gap);
            self.queue.push(at, Class::Count, Kind::Count { attempt, serial });
        }
        if let Some(delay) = sharing {
            let to = self.attempts.get(attempt).map_or(0, |attempt| attempt.to);
            self.tell_peers(router, to, delay, false);
        }
    }

    fn tell_peers(&mut self, router: usize, to: ReplicaIx, delay: u64, ended: bool) {
        for peer in (0..self.routers.len()).filter(|peer| *peer != router) {
            // Without a delay it is known before the next request of the same instant.
            if delay == 0 {
                self.share(peer as u16, to, ended);
                continue;
            }
            let kind = Kind::Share { router: peer as u16, to, ended };
            self.queue.push(self.now.saturating_add(delay), Class::Count, kind);
        }
    }

    /// A router counts its pick.
    pub(super) fn count(&mut self, attempt: u32, serial: u64) {
        if !self.attempts.holds(attempt, serial) {
            return;
        }
        if let Some(entry) = self.attempts.get_mut(attempt) {
            entry.counted = true;
            let router = &mut self.routers[usize::from(entry.router)];
            router.count(self.now, entry.to, &self.scenario.router);
        }
    }

    /// A peer's dispatch, or its end, becomes known.
    pub(super) fn share(&mut self, router: u16, to: ReplicaIx, ended: bool) {
        let settings = &self.scenario.router;
        let router = &mut self.routers[usize::from(router)];
        if ended { router.discount(to, settings.load) } else { router.count(self.now, to, settings) }
    }

    /// An attempt is over for its router: books and counts are put right, and its rule is told.
    pub(super) fn close(&mut self, attempt: u32, how: Ending) -> Option<Attempt> {
        let closed = self.attempts.get(attempt)?.clone();
        self.attempts.remove(attempt);
        let (router, to) = (usize::from(closed.router), closed.to);
        self.outstanding[usize::from(to)] -= 1;
        self.tallies[usize::from(to)].count(how);
        if self.trouble.ejects() && !closed.timed_out {
            self.answered(to, how);
        }
        self.routers[router].ended(to, closed.entry);
        let fact = self.end_of(&closed, how);
        self.routers[router].learn(self.now, &fact);
        let settings = &self.scenario.router;
        let (load, sharing) = (settings.load, settings.peer_sharing);
        if closed.counted {
            self.routers[router].discount(to, load);
        }
        if let Some(delay) = sharing {
            self.tell_peers(router, to, delay, true);
        }
        Some(closed)
    }

    /// Makes the list of routable replicas anew.
    pub(super) fn relist(&mut self) {
        let up = self.states.iter().enumerate().filter(|(_, state)| **state == State::Up);
        self.routable = up.map(|(r, _)| r as ReplicaIx).collect();
    }
}
