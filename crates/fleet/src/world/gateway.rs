//! What stands before the routers: the line, sessions, breakers, pools, and the retry budget.

use std::collections::VecDeque;

use tokenyard_policy::ReplicaIx;

use super::World;
use super::event::{Class, Kind};
use crate::metrics::Status;
use crate::scenario::GatewaySettings;
use crate::scenario::gateway::RetryBudget;
use crate::time::Ps;

/// A circuit breaker of one replica.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Breaker {
    /// Failures in a row.
    failures: u32,
    state: BreakerState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BreakerState {
    /// Everything passes.
    #[default]
    Closed,
    /// Nothing passes.
    Open,
    /// So many trials more may pass.
    HalfOpen(u32),
}

impl Breaker {
    pub(crate) fn is_open(&self) -> bool {
        self.state == BreakerState::Open
    }

    fn passes(&self) -> bool {
        !matches!(self.state, BreakerState::Open | BreakerState::HalfOpen(0))
    }
}

/// What the retry budget needs to remember.
#[derive(Clone, Debug, Default)]
pub(crate) struct RetryBook {
    arrivals: VecDeque<Ps>,
    retries: VecDeque<Ps>,
    /// Retries planned or under way, for Envoy's form.
    active: u64,
}

impl RetryBook {
    fn forget(times: &mut VecDeque<Ps>, oldest: Ps) {
        while times.front().is_some_and(|at| *at < oldest) {
            times.pop_front();
        }
    }

    /// A first attempt arrives.
    pub(crate) fn arrived(&mut self, now: Ps, gateway: &GatewaySettings) {
        if gateway.retry_budget == RetryBudget::Share {
            Self::forget(&mut self.arrivals, now.saturating_sub(gateway.retry_budget_window));
            self.arrivals.push_back(now);
        }
    }

    /// A retry that was allowed has ended, well or not.
    pub(crate) fn done(&mut self) {
        self.active -= 1;
    }

    /// Whether one more retry may be planned; if so, it is counted.
    pub(crate) fn allow(&mut self, now: Ps, in_flight: u64, gateway: &GatewaySettings) -> bool {
        let allowed = match gateway.retry_budget {
            RetryBudget::None => true,
            RetryBudget::Share => {
                let oldest = now.saturating_sub(gateway.retry_budget_window);
                Self::forget(&mut self.arrivals, oldest);
                Self::forget(&mut self.retries, oldest);
                let share = gateway.retry_budget_share * self.arrivals.len() as f64;
                let most = share + f64::from(gateway.retry_budget_floor);
                ((self.retries.len() + 1) as f64) <= most
            }
            RetryBudget::Envoy => {
                let share = gateway.retry_budget_share * in_flight as f64;
                (self.active as f64) < share.max(f64::from(gateway.envoy_min_concurrency))
            }
        };
        if allowed {
            self.active += 1;
            if gateway.retry_budget == RetryBudget::Share {
                self.retries.push_back(now);
            }
        }
        allowed
    }
}

impl World {
    /// Whether the gateway lets a replica have one more request.
    pub(super) fn may_take(&self, replica: ReplicaIx) -> bool {
        let at = usize::from(replica);
        let cap = self.scenario.gateway.queue_cap.unwrap_or(u32::MAX);
        self.outstanding[at] < cap && self.breakers[at].passes()
    }

    /// Whether no setting and no recent start keeps any routable replica from any request.
    pub(super) fn everybody_may_take(&self) -> bool {
        let gateway = &self.scenario.gateway;
        let free = gateway.queue_cap.is_none() && gateway.breaker_failures.is_none() && gateway.pools < 2;
        free && self.starting_slowly == 0
    }

    /// Leaves a request's own pool among the candidates; others only where it may spill over.
    /// Replica r of n belongs to pool ⌊r · pools / n⌋, and a request of priority p to pool
    /// `pools − 1 − p`, or the first one, so that the important have a pool of their own.
    pub(super) fn keep_pool(&self, priority: u8, candidates: &mut Vec<ReplicaIx>) {
        let pools = self.scenario.gateway.pools;
        if pools < 2 {
            return;
        }
        let n = self.replicas.len() as u32;
        let pool = (pools - 1).saturating_sub(u32::from(priority));
        let own = |r: &ReplicaIx| u32::from(*r) * pools / n == pool;
        if candidates.iter().any(own) || !self.scenario.gateway.spill {
            candidates.retain(own);
        }
    }

    /// Takes one of its session's places. Says whether there was one.
    pub(super) fn enter_session(&mut self, live: u32) -> bool {
        let Some(most) = self.scenario.gateway.session_concurrency else { return true };
        let Some(entry) = self.live.get_mut(live) else { return true };
        let Some(session) = entry.request.session.filter(|_| !entry.in_session) else { return true };
        let inside = self.sessions.entry(session).or_default();
        entry.in_session = *inside < most;
        *inside += u32::from(entry.in_session);
        entry.in_session
    }

    /// Gives the place back.
    pub(super) fn leave_session(&mut self, live: u32) {
        let Some(entry) = self.live.get_mut(live) else { return };
        if !std::mem::take(&mut entry.in_session) {
            return;
        }
        if let Some(session) = entry.request.session {
            let inside = self.sessions.entry(session).or_default();
            *inside -= 1;
            if *inside == 0 {
                self.sessions.remove(&session);
            }
        }
    }

    /// Nobody can take a request now: it waits at the gateway, or is refused where the gateway
    /// keeps no line.
    pub(super) fn wait_in_line(&mut self, live: u32) {
        if self.line_length >= self.scenario.gateway.line_cap.unwrap_or(u32::MAX) {
            self.outcomes.rejected();
            self.try_again(live, Status::Rejected);
            return;
        }
        let serial = self.live.serial(live);
        let Some(entry) = self.live.get_mut(live) else { return };
        entry.in_line = true;
        let tries = entry.tries;
        self.line.push_back((live, serial, tries));
        self.line_length += 1;
        if let Some(patience) = self.scenario.gateway.queue_timeout {
            let at = self.now.saturating_add(patience);
            self.queue.push(at, Class::Timeout, Kind::LineTimeout { live, serial, tries });
        }
    }

    /// The gateway gives up on a request in its line.
    pub(super) fn line_timeout(&mut self, live: u32, serial: u64, tries: u16) {
        if !self.live.holds(live, serial) {
            return;
        }
        let Some(entry) = self.live.get_mut(live).filter(|entry| entry.in_line && entry.tries == tries)
        else {
            return;
        };
        entry.in_line = false;
        self.line_length -= 1;
        self.outcomes.rejected();
        self.try_again(live, Status::Rejected);
    }

    /// Room may have come: routes what it can of the line, in order. Requests that cannot go yet
    /// (their session or pool is full) keep their places.
    pub(super) fn next_in_line(&mut self) {
        if self.line_length == 0 {
            self.line.clear();
            return;
        }
        let mut passed = VecDeque::new();
        while let Some((live, serial, tries)) = self.line.pop_front() {
            let waits = self.live.get(live).is_some_and(|entry| entry.in_line && entry.tries == tries);
            if !waits || !self.live.holds(live, serial) {
                continue;
            }
            if !self.routable.iter().any(|r| self.may_take(*r)) {
                self.line.push_front((live, serial, tries));
                break;
            }
            if self.leave_line(live) {
                continue;
            }
            passed.push_back((live, serial, tries));
        }
        passed.append(&mut self.line);
        self.line = passed;
    }

    /// Tries to route a request from the line. Says whether it has left it.
    fn leave_line(&mut self, live: u32) -> bool {
        let deadline = self.live.get(live).and_then(|entry| entry.request.deadline);
        if self.scenario.gateway.drop_expired && deadline.is_some_and(|at| at < self.now) {
            self.finish(live, Status::Dropped);
            return true;
        }
        if !self.enter_session(live) {
            return false;
        }
        // It must not be in line while it is routed: what it meets may look at the line.
        if let Some(entry) = self.live.get_mut(live) {
            entry.in_line = false;
        }
        self.line_length -= 1;
        if self.route(live, None) {
            return true;
        }
        self.leave_session(live);
        if let Some(entry) = self.live.get_mut(live) {
            entry.in_line = true;
        }
        self.line_length += 1;
        false
    }

    /// A half-open breaker counts its trials.
    pub(super) fn use_trial(&mut self, to: ReplicaIx) {
        if let BreakerState::HalfOpen(trials) = &mut self.breakers[usize::from(to)].state {
            *trials = trials.saturating_sub(1);
        }
    }

    /// An attempt at a replica failed there.
    pub(super) fn failed_at(&mut self, replica: ReplicaIx) {
        let gateway = &self.scenario.gateway;
        let Some(most) = gateway.breaker_failures else { return };
        let open_for = gateway.breaker_open;
        let breaker = &mut self.breakers[usize::from(replica)];
        breaker.failures += 1;
        let trial_failed = matches!(breaker.state, BreakerState::HalfOpen(_));
        if breaker.state != BreakerState::Open && (trial_failed || breaker.failures >= most) {
            breaker.state = BreakerState::Open;
            self.outcomes.breaker_opened();
            let at = self.now.saturating_add(open_for);
            self.queue.push(at, Class::Change, Kind::HalfOpen { replica });
        }
    }

    /// An attempt at a replica succeeded: failures in a row are over.
    pub(super) fn worked(&mut self, replica: ReplicaIx) {
        self.breakers[usize::from(replica)] = Breaker::default();
    }

    /// An open breaker lets trials through.
    pub(super) fn half_open(&mut self, replica: ReplicaIx) {
        let trials = self.scenario.gateway.breaker_half_open;
        let breaker = &mut self.breakers[usize::from(replica)];
        if breaker.state == BreakerState::Open {
            breaker.state = BreakerState::HalfOpen(trials);
            self.next_in_line();
        }
    }
}
