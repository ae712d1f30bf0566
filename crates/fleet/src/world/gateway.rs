//! What stands before the routers: the line, sessions, breakers, pools, and the retry budget.

use std::collections::VecDeque;

use tokenyard_policy::ReplicaIx;

use super::World;
use super::event::{Class, Kind};
use crate::metrics::Status;
use crate::scenario::GatewaySettings;
use crate::scenario::gateway::{LineOrder, RetryBudget};
use crate::time::Ps;

/// A circuit breaker of one replica.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Breaker {
    /// Failures in a row.
    failures: u32,
    /// Successes since it let trials through.
    successes: u32,
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
        self.has_room(replica) && !self.is_ejected(replica)
    }

    /// The same, whether or not it is ejected as an outlier.
    pub(super) fn has_room(&self, replica: ReplicaIx) -> bool {
        let at = usize::from(replica);
        let cap = self.scenario.gateway.queue_cap.unwrap_or(u32::MAX);
        self.outstanding[at] < cap && self.breakers[at].passes()
    }

    /// Whether no setting and no recent start keeps any routable replica from any request.
    pub(super) fn everybody_may_take(&self) -> bool {
        let gateway = &self.scenario.gateway;
        let free = gateway.queue_cap.is_none() && gateway.breaker_failures.is_none() && gateway.pools < 2;
        free && gateway.outlier.is_none() && gateway.panic.is_none() && self.starting_slowly == 0
    }

    /// Leaves a request's own pool among the candidates; others only where it may spill over.
    /// Replica r of n belongs to pool ⌊r · pools / n⌋, and a request of priority p to pool
    /// `pools − 1 − p`, or the first one, so that the important have a pool of their own.
    pub(super) fn keep_pool(&self, priority: u8, candidates: &mut Vec<ReplicaIx>) {
        let pools = self.scenario.gateway.pools;
        if pools < 2 {
            return;
        }
        let pool = (pools - 1).saturating_sub(u32::from(priority)) as usize;
        let own = |r: &ReplicaIx| self.pool_of(usize::from(*r)) == pool;
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
        if self.scenario.gateway.line_cap.is_some_and(|cap| self.ahead_of(live) >= cap) {
            self.outcomes.rejected();
            self.try_again(live, Status::Rejected);
            return;
        }
        self.vtc_arrived(live);
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

    /// Requests that count against the limit of the line for one more: all of them, or those of its
    /// band.
    fn ahead_of(&self, live: u32) -> u32 {
        if self.scenario.gateway.line_order != LineOrder::Bands {
            return self.line_length;
        }
        let priority = self.live.get(live).map_or(0, |entry| entry.request.priority);
        let own = |live: u32| self.live.get(live).is_some_and(|entry| entry.request.priority == priority);
        let waiting = self.line.iter().filter(|(at, serial, tries)| self.still_waits(*at, *serial, *tries));
        waiting.filter(|(at, ..)| own(*at)).count() as u32
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
        match self.scenario.gateway.line_order {
            LineOrder::First => {}
            LineOrder::Bands => return self.next_in_bands(),
            LineOrder::Vtc => return self.next_by_counters(),
        }
        let mut passed = VecDeque::new();
        self.held = false;
        while let Some((live, serial, tries)) = self.line.pop_front() {
            if !self.still_waits(live, serial, tries) {
                continue;
            }
            if !self.somebody_may_take() {
                self.line.push_front((live, serial, tries));
                break;
            }
            if self.leave_line(live) {
                continue;
            }
            passed.push_back((live, serial, tries));
            // Who is held back keeps everybody behind it.
            if self.held {
                break;
            }
        }
        passed.append(&mut self.line);
        self.line = passed;
    }

    /// Whether a place in the line is still taken.
    pub(super) fn still_waits(&self, live: u32, serial: u64, tries: u16) -> bool {
        let waits = self.live.get(live).is_some_and(|entry| entry.in_line && entry.tries == tries);
        waits && self.live.holds(live, serial)
    }

    /// Whether any replica has room for anybody.
    pub(super) fn somebody_may_take(&self) -> bool {
        let room = self.routable.iter().any(|r| self.may_take(*r));
        // In panic those that are ejected or down may be chosen too.
        room || self.scenario.gateway.panic.is_some()
    }

    /// Tries to route a request from the line. Says whether it has left it.
    pub(super) fn leave_line(&mut self, live: u32) -> bool {
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
        let needed = self.scenario.gateway.breaker_successes;
        let breaker = &mut self.breakers[usize::from(replica)];
        if let BreakerState::HalfOpen(trials) = &mut breaker.state
            && breaker.successes + 1 < needed
        {
            breaker.successes += 1;
            // A trial that went well makes room for another.
            *trials += 1;
            return;
        }
        *breaker = Breaker::default();
    }

    /// An open breaker lets trials through.
    pub(super) fn half_open(&mut self, replica: ReplicaIx) {
        let trials = self.scenario.gateway.breaker_half_open;
        let breaker = &mut self.breakers[usize::from(replica)];
        if breaker.state == BreakerState::Open {
            (breaker.state, breaker.successes) = (BreakerState::HalfOpen(trials), 0);
            self.next_in_line();
        }
    }
}
