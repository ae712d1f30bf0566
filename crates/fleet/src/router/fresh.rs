//! Readings that are made anew for every decision.

use tokenyard_policy::Signals;

use super::{Router, Truth};
use crate::scenario::RouterSettings;
use crate::time::Ps;

impl Router {
    /// Reads what the rule wants of every engine. Nearly always columns are filled in place, and
    /// engines are left where they are.
    pub(super) fn read_engines(&mut self, now: Ps, truth: &mut Truth<'_>, settings: &RouterSettings) {
        let (wanted, signals) = (self.wants(settings), self.signals);
        let books = self.signals_from_engines(settings).has(Signals::BOOKS);
        let searches = signals.has(Signals::QUEUED_TOKENS) && truth.replicas.iter().any(|r| r.caches());
        if books || searches || self.reports.rates_due(now, signals) {
            let mut fresh = std::mem::take(&mut self.scratch.fresh);
            truth.read_into(now, wanted, &mut fresh);
            self.beliefs.read_looks(&fresh, self.signals_from_engines(settings));
            self.reports.read(&fresh, signals);
            self.scratch.fresh = fresh;
        } else {
            self.beliefs.read_loads(now, truth.replicas, signals);
            self.reports.read_on(now, truth.replicas, truth.means, signals);
        }
        self.beliefs.seen_at.fill(now);
    }
}
