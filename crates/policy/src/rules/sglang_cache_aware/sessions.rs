//! Where sessions went, for vLLM's router: an exact session is asked for before the tree.

use std::collections::BTreeMap;

use tokenyard_det::Digest;

use crate::view::ReplicaIx;

/// Sessions with their replica and last use in picoseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Sessions {
    entries: BTreeMap<u32, (ReplicaIx, u64)>,
}

impl Sessions {
    /// The replica of a session if it is routable; an entry that names another one is dropped.
    pub(super) fn find(&mut self, session: u32, routable: &[ReplicaIx]) -> Option<ReplicaIx> {
        let (replica, _) = *self.entries.get(&session)?;
        if routable.binary_search(&replica).is_ok() {
            return Some(replica);
        }
        self.entries.remove(&session);
        None
    }

    /// A session went there.
    pub(super) fn bind(&mut self, session: u32, to: ReplicaIx, now: u64) {
        self.entries.insert(session, (to, now));
    }

    /// Drops what was not used for `ttl`, and then the longest unused beyond `most`.
    pub(super) fn sweep(&mut self, now: u64, ttl: u64, most: u64) {
        self.entries.retain(|_, (_, used)| *used >= now.saturating_sub(ttl));
        let excess = (self.entries.len() as u64).saturating_sub(most);
        if excess > 0 {
            let mut oldest: Vec<_> =
                self.entries.iter().map(|(session, (_, used))| (*used, *session)).collect();
            oldest.sort_unstable();
            for (_, session) in oldest.into_iter().take(excess as usize) {
                self.entries.remove(&session);
            }
        }
    }

    /// Forgets a replica.
    pub(super) fn forget(&mut self, replica: ReplicaIx) {
        self.entries.retain(|_, (bound, _)| *bound != replica);
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        into.u64(self.entries.len() as u64);
        for (session, (replica, used)) in &self.entries {
            [u64::from(*session), u64::from(*replica), *used].into_iter().for_each(|v| into.u64(v));
        }
    }
}
