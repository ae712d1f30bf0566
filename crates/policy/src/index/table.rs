//! One table of chunks for the whole fleet, each with the replicas it was sent to: AIBrix's prefix
//! hash table. A chunk lives on while anybody is sent it, and so do the names on it.

use core::fmt;

use tokenyard_det::Digest;

use super::pages::PAGE;
use super::recency::Recency;
use super::sets::{Left, SetIx, Sets};
use crate::view::ReplicaIx;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// When it was written last, in picoseconds.
    written: u64,
    replicas: SetIx,
}

/// The table.
#[derive(Clone, Default)]
pub struct Table {
    sets: Sets,
    recent: Recency<Entry>,
}

/// The order of uses, and chunks with their times and names, ascending.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |e: Entry| (e.written, self.sets.members(e.replicas).collect::<Vec<_>>());
        let rows: Vec<_> = self.recent.sorted().map(|(chunk, entry)| (chunk, row(entry))).collect();
        f.debug_struct("Table").field("recent", &self.recent).field("rows", &rows).finish()
    }
}

impl Table {
    /// Chunks kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.recent.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.recent.is_empty()
    }

    /// Leading chunks that each of `among` has: pairs with at least one chunk, in the order given.
    #[must_use]
    pub fn matches(&self, chunks: &[u64], among: &[ReplicaIx]) -> Vec<(ReplicaIx, u32)> {
        let mut left = Left::of(among);
        let last = among.iter().copied().max().map_or(0, |last| usize::from(last) + 1);
        let (mut counts, mut count, mut reader) = (vec![0; last], 0, self.recent.reader());
        let mut last_set = SetIx::default();
        for chunk in chunks {
            // Whoever falls out here has all chunks before.
            let set = reader.get(*chunk).value.replicas;
            if count > 0 && self.sets.same(set, last_set) {
                count += 1;
                continue;
            }
            last_set = set;
            if !left.any(&self.sets, set) {
                break;
            }
            left.keep(&self.sets, set, |replica| counts[usize::from(replica)] = count);
            count += 1;
        }
        left.iter().for_each(|replica| counts[usize::from(replica)] = count);
        let matched = among.iter().map(|replica| (*replica, counts[usize::from(*replica)]));
        matched.filter(|(_, count)| *count > 0).collect()
    }

    /// Writes that a replica was sent these chunks at `now`, root first. More than `capacity`
    /// chunks push out those that were not written for the longest time.
    pub fn record(&mut self, chunks: &[u64], replica: ReplicaIx, now: u64, capacity: usize) {
        let capacity = capacity.max(1);
        self.recent.learn_distance(chunks);
        for group in self.recent.groups(chunks) {
            let new = self.recent.new_of(group);
            // Of all that are new none is pushed out by another; where none is new nobody is.
            let alike = new == 0 || (new == group.len() && capacity >= PAGE);
            if alike && self.len() <= capacity {
                self.touch(group, replica, now, capacity);
            } else {
                group.chunks(1).for_each(|chunk| self.touch(chunk, replica, now, capacity));
            }
        }
    }

    fn touch(&mut self, chunks: &[u64], replica: ReplicaIx, now: u64, capacity: usize) {
        let Self { sets, recent } = self;
        recent.touch_group(chunks, |entry| {
            *entry = Entry { written: now, replicas: sets.with(entry.replicas, replica) };
        });
        self.drop_oldest(self.recent.len().saturating_sub(capacity));
    }

    /// Whether [`Table::sweep`] would drop a chunk. Passes over uses that do not count any more.
    #[must_use]
    pub fn is_due(&self, now: u64, ttl: u64) -> bool {
        let oldest = self.recent.oldest_first().next();
        oldest.is_some_and(|oldest| self.is_old(oldest, now, ttl))
    }

    fn is_old(&self, chunk: u64, now: u64, ttl: u64) -> bool {
        now.saturating_sub(self.recent.get(chunk).written) > ttl
    }

    /// Drops chunks whose last writing is more than `ttl` before `now`.
    pub fn sweep(&mut self, now: u64, ttl: u64) {
        loop {
            let Some(oldest) = self.recent.oldest() else { return };
            if !self.is_old(oldest, now, ttl) {
                return;
            }
            self.drop_oldest(1);
        }
    }

    /// Takes a replica's name off every chunk. One pass over the table.
    pub fn forget(&mut self, replica: ReplicaIx) {
        let Self { sets, recent } = self;
        recent.change_each(|entry| entry.replicas = sets.without(entry.replicas, replica));
    }

    fn drop_oldest(&mut self, count: usize) {
        let Self { sets, recent } = self;
        recent.drop_oldest(count, |_, entry| sets.release(entry.replicas));
    }

    /// Feeds everything that later answers depend on.
    pub fn digest(&self, into: &mut Digest) {
        self.recent.digest(into);
        for (chunk, entry) in self.recent.sorted() {
            into.u64(chunk);
            into.u64(entry.written);
            into.u64(self.sets.members(entry.replicas).count() as u64);
            self.sets.members(entry.replicas).for_each(|replica| into.u64(u64::from(replica)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(table: &mut Table, chunks: &[u64], replica: ReplicaIx, now: u64) {
        table.record(chunks, replica, now, 4);
    }

    fn matches(table: &Table, chunks: &[u64]) -> Vec<(ReplicaIx, u32)> {
        table.matches(chunks, &[0, 1, 2])
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
