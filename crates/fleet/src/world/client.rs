//! The client's side: patience, retries, hedges.

use tokenyard_det::math;

use super::World;
use super::event::{Class, Kind};
use crate::metrics::Status;
use crate::scenario::client::{Backoff, Hedge, Jitter, OnTimeout};
use crate::time::Ps;

impl World {
    /// A client sends its request once more, or for the first time, and its patience begins.
    pub(super) fn begin_try(&mut self, live: u32) {
        let serial = self.live.serial(live);
        let Some(entry) = self.live.get_mut(live) else { return };
        entry.tries = entry.tries.saturating_add(1);
        if let Some(patience) = self.scenario.client.timeout {
            let kind = Kind::Timeout { live, serial, tries: entry.tries };
            self.queue.push(self.now.saturating_add(patience), Class::Timeout, kind);
        }
    }

    /// The clock of a hedge starts with the first attempt.
    pub(super) fn plan_hedge(&mut self, live: u32) {
        let client = &self.scenario.client;
        let after = match client.hedge {
            Hedge::None => return,
            Hedge::Fixed => Some(client.hedge_after),
            Hedge::Quantile => self.outcomes.ttft_quantile(client.hedge_quantile),
        };
        let hedged = self.live.get(live).is_none_or(|live| live.hedged);
        if let Some(after) = after.filter(|_| !hedged) {
            let kind = Kind::Hedge { live, serial: self.live.serial(live) };
            self.queue.push(self.now.saturating_add(after), Class::Again, kind);
        }
    }

    /// No first token yet: a second attempt goes out beside the first, to another replica.
    pub(super) fn hedge(&mut self, live: u32, serial: u64) {
        if !self.live.holds(live, serial) {
            return;
        }
        let Some(entry) = self.live.get_mut(live) else { return };
        let [Some(first), None] = entry.under_way else { return };
        if entry.first_token.has_come() || entry.hedged {
            return;
        }
        entry.hedged = true;
        let taken = self.attempts.get(first).map(|attempt| attempt.to);
        self.fold(9, u64::from(live));
        if self.route(live, taken) {
            self.outcomes.hedged();
        }
    }

    /// A client gives up on its try, wherever it is.
    pub(super) fn timeout(&mut self, live: u32, serial: u64, tries: u16) {
        if !self.live.holds(live, serial) {
            return;
        }
        let Some(entry) = self.live.get_mut(live) else { return };
        // Between two tries there is nothing to give up.
        if entry.tries != tries || (entry.under_way == [None; 2] && !entry.in_line) {
            return;
        }
        let under_way = std::mem::take(&mut entry.under_way);
        if std::mem::take(&mut entry.in_line) {
            self.line_length -= 1;
        }
        self.fold(10, u64::from(live));
        for attempt in under_way.into_iter().flatten() {
            if let Some(entry) = self.attempts.get_mut(attempt) {
                entry.live = None;
                entry.timed_out = true;
            }
            if self.scenario.client.on_timeout == OnTimeout::Abort {
                self.cancel(attempt);
            }
        }
        self.try_again(live, Status::TimedOut);
    }

    /// An attempt came to nothing: the client waits and tries again, or gives up.
    pub(super) fn attempt_failed(&mut self, live: u32, attempt: u32, status: Status) {
        let Some(entry) = self.live.get_mut(live) else { return };
        for place in &mut entry.under_way {
            if *place == Some(attempt) {
                *place = None;
            }
        }
        if entry.under_way != [None; 2] {
            // The other attempt of a hedge goes on.
            return;
        }
        self.try_again(live, status);
    }

    /// Nothing is under way for a request: another attempt is planned, or it ends with `status`.
    pub(super) fn try_again(&mut self, live: u32, status: Status) {
        let in_flight = self.live.len() as u64;
        let client = &self.scenario.client;
        let most = u64::from(client.attempts).saturating_pow(client.layers);
        let Some(entry) = self.live.get_mut(live) else { return };
        if std::mem::take(&mut entry.retrying) {
            self.retries.done();
        }
        // A token has been shown: nothing may be sent again. A prompt too long stays too long.
        let committed = entry.first_token.has_come() || status == Status::TooLong;
        if committed || u64::from(entry.tries) >= most {
            self.finish(live, status);
            return;
        }
        let gateway = &self.scenario.gateway;
        if !self.retries.allow(self.now, in_flight, gateway) {
            self.outcomes.retry_refused();
            self.finish(live, status);
            return;
        }
        entry.retrying = true;
        let tries = entry.tries;
        let told = matches!(status, Status::Rejected | Status::Refused) && client.honour_retry_after;
        let floor = if told { gateway.retry_after } else { 0 };
        let wait = self.backoff(tries).max(floor);
        self.leave_session(live);
        let kind = Kind::Retry { live, serial: self.live.serial(live) };
        self.queue.push(self.now.saturating_add(wait), Class::Again, kind);
    }

    /// Wait before the next try after `made` of them.
    fn backoff(&mut self, made: u16) -> Ps {
        let client = &self.scenario.client;
        if client.backoff == Backoff::None {
            return 0;
        }
        let power = math::pow(client.backoff_factor, f64::from(made.max(1) - 1));
        let wait = (client.backoff_base as f64 * power).min(client.backoff_cap as f64);
        let spread = match client.jitter {
            Jitter::None => 1.0,
            Jitter::Full => self.client_stream.unit(),
            Jitter::Equal => 0.5 + 0.5 * self.client_stream.unit(),
        };
        (wait * spread + 0.5) as Ps
    }

    /// A request is tried again.
    pub(super) fn retry(&mut self, live: u32, serial: u64) {
        if self.live.holds(live, serial) {
            self.fold(11, u64::from(live));
            self.outcomes.retried();
            self.admit(live);
        }
    }
}
