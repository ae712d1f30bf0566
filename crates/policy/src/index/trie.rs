//! Every chunk that was ever sent, with the replicas it was sent to. An id stands for all before
//! it, so a flat map is the trie. The index of production-stack's prefix-aware router.

use core::fmt;

use tokenyard_det::Digest;

use super::pages::{Pages, Walk};
use super::sets::{Left, SetIx, Sets};
use crate::view::ReplicaIx;

/// The trie.
#[derive(Clone, Default)]
pub struct Trie {
    /// Who was sent each chunk.
    holders: Pages<SetIx>,
    sets: Sets,
}

/// Chunks and who was sent them, ascending: where they are kept is nobody's business.
impl fmt::Debug for Trie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members = |set| self.sets.members(set).collect::<Vec<_>>();
        f.debug_map().entries(self.holders.sorted().into_iter().map(|(id, set)| (id, members(set)))).finish()
    }
}

impl Trie {
    /// Leading chunks that some of `among` was sent all of, and who of them was, ascending:
    /// everybody for no chunk.
    #[must_use]
    pub fn deepest(&self, chunks: &[u64], among: &[ReplicaIx]) -> (u32, Vec<ReplicaIx>) {
        let (mut matched, mut left, mut reader) = (0, Left::of(among), self.holders.reader());
        let mut last = SetIx::default();
        for chunk in chunks {
            let holders = reader.get(*chunk);
            if matched > 0 && self.sets.same(holders, last) {
                matched += 1;
                continue;
            }
            last = holders;
            if !left.any(&self.sets, holders) {
                break;
            }
            left.keep(&self.sets, holders, |_| ());
            matched += 1;
        }
        (matched, left.iter().collect())
    }

    /// Leading chunks that one replica was sent.
    #[must_use]
    pub fn matched(&self, chunks: &[u64], replica: ReplicaIx) -> u32 {
        let mut reader = self.holders.reader();
        let holds = |chunk: &&u64| self.sets.holds(reader.get(**chunk), replica);
        chunks.iter().take_while(holds).count() as u32
    }

    /// Remembers that a replica was sent these chunks.
    pub fn record(&mut self, chunks: &[u64], to: ReplicaIx) {
        let Self { holders, sets } = self;
        holders.learn_distance(chunks);
        holders.change_all(chunks, Walk::Used, |_, set| *set = sets.with(*set, to));
    }

    /// Forgets a replica. One pass over everything.
    pub fn forget(&mut self, replica: ReplicaIx) {
        let Self { holders, sets } = self;
        let chunks: Vec<u64> = holders.sorted().into_iter().map(|(chunk, _)| chunk).collect();
        holders.change_all(&chunks, Walk::Forgotten, |_, set| *set = sets.without(*set, replica));
    }

    /// Feeds all chunks with who was sent them.
    pub fn digest(&self, into: &mut Digest) {
        into.u64(self.holders.len() as u64);
        for (chunk, set) in self.holders.sorted() {
            into.u64(chunk);
            into.u64(self.sets.members(set).count() as u64);
            self.sets.members(set).for_each(|replica| into.u64(u64::from(replica)));
        }
    }
}
