//! Session affinity of `epp`: by a token that the client carries, or by an id that the router looks
//! up.

use std::collections::BTreeMap;

use tokenyard_det::Digest;

use crate::view::{ReplicaIx, cell};

/// How often expired sessions are dropped, in picoseconds.
const SWEEP: u64 = 10_000_000_000_000;

/// Where sessions are bound.
#[derive(Clone, Debug)]
pub(super) struct Sessions {
    /// How long a session without requests stays bound, in picoseconds; none for tokens, which do
    /// not expire.
    ttl: Option<u64>,
    /// Replica and last use.
    bound: BTreeMap<u32, (ReplicaIx, u64)>,
    /// Sessions bound to each replica.
    counts: Vec<u32>,
    /// Turns among the replicas with the fewest sessions.
    cursor: u64,
    /// The last sweep.
    swept: u64,
}

impl Sessions {
    pub(super) fn new(ttl: Option<u64>) -> Self {
        Self { ttl, bound: BTreeMap::new(), counts: Vec::new(), cursor: 0, swept: 0 }
    }

    /// Drops what had expired at the last sweep before `now`.
    pub(super) fn sweep(&mut self, now: u64) {
        let (Some(ttl), at) = (self.ttl, now / SWEEP * SWEEP) else { return };
        if at <= self.swept {
            return;
        }
        self.swept = at;
        let Self { bound, counts, .. } = self;
        bound.retain(|_, (replica, used)| {
            let keeps = at.saturating_sub(*used) <= ttl;
            if !keeps && let Some(count) = counts.get_mut(usize::from(*replica)) {
                *count = count.saturating_sub(1);
            }
            keeps
        });
    }

    /// The candidate with score 1: where the session is bound. With ids, a session that is not
    /// bound to a candidate prefers the one with the fewest sessions, in turn among equals.
    pub(super) fn target(&mut self, session: Option<u32>, candidates: &[ReplicaIx]) -> Option<ReplicaIx> {
        let bound = session.and_then(|s| self.bound.get(&s)).map(|(replica, _)| *replica);
        let bound = bound.filter(|replica| candidates.contains(replica));
        if bound.is_some() || self.ttl.is_none() {
            return bound;
        }
        let count = |replica: &ReplicaIx| cell(&self.counts, *replica);
        let least = candidates.iter().map(count).min()?;
        let fewest = || candidates.iter().copied().filter(|replica| count(replica) == least);
        self.cursor += 1;
        fewest().nth((self.cursor % fewest().count().max(1) as u64) as usize)
    }

    /// The session was sent there.
    pub(super) fn bind(&mut self, session: Option<u32>, to: ReplicaIx, now: u64) {
        let Some(session) = session else { return };
        let before = self.bound.insert(session, (to, now)).map(|(replica, _)| replica);
        if before == Some(to) {
            return;
        }
        if let Some(count) = before.and_then(|replica| self.counts.get_mut(usize::from(replica))) {
            *count = count.saturating_sub(1);
        }
        let at = usize::from(to);
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(at) {
            *count += 1;
        }
    }

    /// A replica is gone. Upstream keeps its sessions until they move or expire, to the same end:
    /// the next one comes under a new name.
    pub(super) fn forget(&mut self, replica: ReplicaIx) {
        self.bound.retain(|_, (bound, _)| *bound != replica);
        if let Some(count) = self.counts.get_mut(usize::from(replica)) {
            *count = 0;
        }
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        [self.bound.len() as u64, self.cursor, self.swept].into_iter().for_each(|v| into.u64(v));
        for (session, (replica, used)) in &self.bound {
            [u64::from(*session), u64::from(*replica), *used].into_iter().for_each(|v| into.u64(v));
        }
        into.u64(self.counts.len() as u64);
        into.u32s(&self.counts);
    }
}
