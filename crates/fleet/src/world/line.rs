//! Who is first of those that wait at the gateway, where it is not simply who came first: bands of
//! priority, and the virtual token counter ([`tokenyard_policy::vtc`]).

use super::World;
use crate::scenario::gateway::LineOrder;

impl World {
    /// The line in bands: the highest priority first, in each the first come; who cannot go now,
    /// though there may be room for others, stops everybody behind it only where the rule holds it
    /// back.
    pub(super) fn next_in_bands(&mut self) {
        let mut line: Vec<(u32, u64, u16)> = std::mem::take(&mut self.line).into();
        line.retain(|(live, serial, tries)| self.still_waits(*live, *serial, *tries));
        let priority = |live: u32| self.live.get(live).map_or(0, |entry| entry.request.priority);
        // Stable: within a band the order of arrival stays.
        line.sort_by_key(|(live, ..)| std::cmp::Reverse(priority(*live)));
        self.held = false;
        let mut kept = Vec::with_capacity(line.len());
        let mut waiting = line.into_iter();
        for place in waiting.by_ref() {
            if !self.somebody_may_take() {
                kept.push(place);
                break;
            }
            if !self.leave_line(place.0) {
                kept.push(place);
            }
            if self.held {
                break;
            }
        }
        kept.extend(waiting);
        // Requests that came into the line meanwhile stand behind.
        kept.append(&mut std::mem::take(&mut self.line).into());
        self.line = kept.into();
    }

    fn tenant(&self, live: u32) -> u32 {
        self.live.get(live).map_or(0, |entry| entry.request.tenant)
    }

    fn counts_tokens(&self) -> bool {
        self.scenario.gateway.line_order == LineOrder::Vtc
    }

    /// A request is about to stand in line.
    pub(super) fn vtc_arrived(&mut self, live: u32) {
        if !self.counts_tokens() {
            return;
        }
        let own = self.tenant(live);
        let places =
            self.line.iter().filter(|(live, serial, tries)| self.still_waits(*live, *serial, *tries));
        let waiting: Vec<u32> = places.map(|(live, ..)| self.tenant(*live)).collect();
        if !waiting.contains(&own) {
            self.vtc.arrived(own, waiting.into_iter());
        }
    }

    /// An attempt goes: its prompt is charged to its tenant.
    pub(super) fn vtc_admitted(&mut self, live: u32) {
        if self.counts_tokens()
            && let Some(entry) = self.live.get(live)
        {
            self.vtc.admitted(entry.request.tenant, entry.request.prompt);
        }
    }

    /// A whole answer has come: its tokens are charged.
    pub(super) fn vtc_served(&mut self, live: u32) {
        if self.counts_tokens()
            && let Some(entry) = self.live.get(live)
        {
            self.vtc.generated(entry.request.tenant, entry.request.output);
        }
    }

    /// The line by token counters: the head of the tenant that was served least goes; if it cannot,
    /// nobody does.
    pub(super) fn next_by_counters(&mut self) {
        self.held = false;
        loop {
            let mut line = std::mem::take(&mut self.line);
            line.retain(|(live, serial, tries)| self.still_waits(*live, *serial, *tries));
            self.line = line;
            if !self.somebody_may_take() {
                return;
            }
            let tenants: Vec<u32> = self.line.iter().map(|(live, ..)| self.tenant(*live)).collect();
            let Some(next) = self.vtc.next(tenants.iter().copied()) else { return };
            let Some(at) = tenants.iter().position(|tenant| *tenant == next) else { return };
            let Some(place) = self.line.remove(at) else { return };
            if !self.leave_line(place.0) {
                self.line.insert(at.min(self.line.len()), place);
                return;
            }
        }
    }
}
