//! One table of chunks for the whole fleet, each with the replicas it was sent to: AIBrix's prefix
//! hash table. A chunk lives on while anybody is sent it, and so do the names on it.

use tokenyard_det::Digest;

use super::recency::Recency;
use super::shared::Shared;
use crate::view::ReplicaIx;

#[derive(Clone, Debug, Default)]
struct Entry {
    /// When it was written last, in picoseconds.
    written: u64,
    /// Ascending.
    replicas: Vec<ReplicaIx>,
}

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: Shared<Entry>,
    recent: Recency,
}

impl Table {
    /// Chunks kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Leading chunks that each of `among` has: pairs with at least one chunk, in the order given.
    #[must_use]
    pub fn matches(&self, chunks: impl Iterator<Item = u64>, among: &[ReplicaIx]) -> Vec<(ReplicaIx, u32)> {
        let mut matched: Vec<(ReplicaIx, u32)> = among.iter().map(|replica| (*replica, 0)).collect();
        // Places in `matched` of those that have every chunk so far.
        let mut left: Vec<usize> = (0..matched.len()).collect();
        for chunk in chunks {
            let Some(entry) = self.entries.get(chunk) else { break };
            left.retain(|at| {
                let (replica, count) = &mut matched[*at];
                let has = entry.replicas.binary_search(replica).is_ok();
                *count += u32::from(has);
                has
            });
            if left.is_empty() {
                break;
            }
        }
        matched.retain(|(_, count)| *count > 0);
        matched
    }

    /// Writes that a replica was sent these chunks at `now`, root first. More than `capacity`
    /// chunks push out those that were not written for the longest time.
    pub fn record(
        &mut self,
        chunks: impl Iterator<Item = u64>,
        replica: ReplicaIx,
        now: u64,
        capacity: usize,
    ) {
        for chunk in chunks {
            self.entries.change(chunk, |entry| {
                entry.written = now;
                if let Err(at) = entry.replicas.binary_search(&replica) {
                    entry.replicas.insert(at, replica);
                }
            });
            self.recent.touch(chunk);
            while self.recent.len() > capacity.max(1) {
                self.drop_oldest();
            }
        }
    }

    /// Drops chunks whose last writing is more than `ttl` before `now`.
    pub fn sweep(&mut self, now: u64, ttl: u64) {
        loop {
            let oldest = self.recent.oldest();
            let Some(entry) = oldest.and_then(|chunk| self.entries.get(chunk)) else { return };
            if now.saturating_sub(entry.written) <= ttl {
                return;
            }
            self.drop_oldest();
        }
    }

    /// Takes a replica's name off every chunk. One pass over the table.
    pub fn forget(&mut self, replica: ReplicaIx) {
        let named = |entry: &Entry| entry.replicas.binary_search(&replica).is_ok();
        let all = self.entries.sorted();
        let chunks: Vec<u64> = all.iter().filter(|(_, e)| named(e)).map(|(chunk, _)| *chunk).collect();
        for chunk in chunks {
            self.entries.change(chunk, |entry| entry.replicas.retain(|r| *r != replica));
        }
    }

    fn drop_oldest(&mut self) {
        if let Some(old) = self.recent.pop_oldest() {
            self.entries.remove(old);
        }
    }

    /// Feeds everything that later answers depend on.
    pub fn digest(&self, into: &mut Digest) {
        self.recent.digest(into);
        for (chunk, entry) in self.entries.sorted() {
            into.u64(chunk);
            into.u64(entry.written);
            into.u64(entry.replicas.len() as u64);
            entry.replicas.iter().for_each(|replica| into.u64(u64::from(*replica)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(table: &mut Table, chunks: &[u64], replica: ReplicaIx, now: u64) {
        table.record(chunks.iter().copied(), replica, now, 4);
    }

    fn matches(table: &Table, chunks: &[u64]) -> Vec<(ReplicaIx, u32)> {
        table.matches(chunks.iter().copied(), &[0, 1, 2])
    }

    #[test]
    fn only_leading_chunks_match() {
        let mut table = Table::default();
        record(&mut table, &[1, 2, 3], 0, 0);
        record(&mut table, &[1], 2, 0);
        assert_eq!(matches(&table, &[1, 2, 9]), [(0, 2), (2, 1)]);
        assert_eq!(matches(&table, &[2, 3]), [(0, 2)]);
        assert_eq!(matches(&table, &[9, 1]), []);
    }

    #[test]
    fn the_chunk_not_written_for_longest_is_pushed_out() {
        let mut table = Table::default();
        record(&mut table, &[1, 2, 3, 4], 0, 0);
        record(&mut table, &[1, 5], 1, 0);
        assert_eq!(table.len(), 4);
        assert_eq!(matches(&table, &[1, 2]), [(0, 1), (1, 1)], "2 was the oldest");
    }

    #[test]
    fn a_chunk_lives_while_anybody_is_sent_it() {
        let mut table = Table::default();
        record(&mut table, &[1, 2], 0, 0);
        record(&mut table, &[1], 1, 8);
        table.sweep(10, 10);
        assert_eq!(matches(&table, &[1, 2]), [(0, 2), (1, 1)], "not more than the time to live");
        table.sweep(11, 10);
        assert_eq!(matches(&table, &[1, 2]), [(0, 1), (1, 1)], "the first name stays on the chunk");
        table.sweep(19, 10);
        assert!(table.is_empty());
    }

    #[test]
    fn a_forgotten_replica_leaves_its_chunks_behind() {
        let mut table = Table::default();
        record(&mut table, &[1], 0, 0);
        table.forget(0);
        assert_eq!((matches(&table, &[1]), table.len()), (vec![], 1));
    }
}
