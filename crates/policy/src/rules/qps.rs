//! Requests a second of each replica, as vLLM's production-stack router counts them: arrivals that
//! this router sent within the last minute.

use std::collections::VecDeque;

use tokenyard_det::Digest;

use crate::draw::OwnTie;
use crate::rule::Ask;
use crate::view::{ReplicaIx, cell};

/// The window in picoseconds.
const WINDOW: u64 = 60_000_000_000_000;

/// The window's arrivals.
#[derive(Clone, Debug, Default)]
pub(super) struct Qps {
    /// When a request was sent where, the oldest first.
    sent: VecDeque<(u64, ReplicaIx)>,
    /// Requests in the window by replica; none for a replica that was never sent any.
    counts: Vec<Option<u32>>,
}

impl Qps {
    /// Drops what is older than the window at `now`.
    pub(super) fn slide(&mut self, now: u64) {
        while let Some(&(at, replica)) = self.sent.front()
            && at < now.saturating_sub(WINDOW)
        {
            self.sent.pop_front();
            if let Some(Some(count)) = self.counts.get_mut(usize::from(replica)) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Counts a request.
    pub(super) fn count(&mut self, now: u64, replica: ReplicaIx) {
        let at = usize::from(replica);
        if self.counts.len() <= at {
            self.counts.resize(at + 1, None);
        }
        self.sent.push_back((now, replica));
        if let Some(count) = self.counts.get_mut(at) {
            *count = Some(count.unwrap_or(0) + 1);
        }
    }

    /// Requests in the window; none for a replica that was never sent any.
    pub(super) fn of(&self, replica: ReplicaIx) -> Option<u32> {
        cell(&self.counts, replica)
    }

    /// The first replica that was never sent a request, or else the one with the fewest.
    pub(super) fn lowest(&self, ask: &mut Ask<'_, '_>) -> Option<(ReplicaIx, u32)> {
        ask.draw.smallest(ask.fleet.routable, OwnTie::First, |replica| self.of(replica))
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        into.u64(self.sent.len() as u64);
        for (at, replica) in &self.sent {
            into.u64(*at);
            into.u64(u64::from(*replica));
        }
        into.u64(self.counts.len() as u64);
        self.counts.iter().for_each(|count| into.u64(count.map_or(u64::MAX, u64::from)));
    }
}
