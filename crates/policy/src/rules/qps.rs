//! Requests of each replica within a window, as vLLM's production-stack router counts them: arrivals
//! that this router sent, whatever became of them.

use std::collections::VecDeque;

use tokenyard_det::Digest;

use crate::draw::OwnTie;
use crate::rule::Ask;
use crate::rules::param::PS_PER_S;
use crate::view::{ReplicaIx, cell};

/// The window's arrivals.
#[derive(Clone, Debug)]
pub(super) struct Qps {
    /// Length of the window in picoseconds.
    window: u64,
    /// When a request was sent where, the oldest first.
    sent: VecDeque<(u64, ReplicaIx)>,
    /// Requests in the window by replica; none for a replica that was never sent any.
    counts: Vec<Option<u32>>,
}

/// Upstream's window: a minute.
impl Default for Qps {
    fn default() -> Self {
        Self::over(60)
    }
}

impl Qps {
    /// Nothing yet, over a window in seconds.
    pub(super) fn over(seconds: u32) -> Self {
        Self { window: u64::from(seconds) * PS_PER_S, sent: VecDeque::new(), counts: Vec::new() }
    }

    /// Drops what is older than the window at `now`; exactly as old as it is within it.
    pub(super) fn slide(&mut self, now: u64) {
        while let Some(&(at, replica)) = self.sent.front()
            && at < now.saturating_sub(self.window)
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
