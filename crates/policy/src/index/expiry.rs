//! Blocks that were sent somewhere and are believed to be there for a while: Dynamo's index
//! without events.

use core::cmp::Reverse;

use tokenyard_det::Digest;

use super::layered::Layered;

use crate::view::ReplicaIx;

/// How long blocks are believed, and how many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// In picoseconds. A block sent at t is gone at t + `ttl`.
    pub ttl: u64,
    /// Most blocks over all replicas together; more make the index shrink.
    pub most: u64,
    /// The share of `most` to which it shrinks.
    pub shrink_to: f64,
}

/// When it expires, and then the deepest, the largest id, the largest replica.
type Turn = (u64, Reverse<(u32, u64, ReplicaIx)>);

/// The index.
#[derive(Clone, Debug, Default)]
pub struct Expiring {
    /// When each block expires, and its place in its prompt.
    blocks: Layered<(ReplicaIx, u64), (u64, u32)>,
    /// The same, in the order of expiry.
    turns: Layered<Turn, ()>,
}

impl Expiring {
    /// Blocks believed to be anywhere.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Drops what has expired by `now`.
    pub fn expire(&mut self, now: u64) {
        while self.turns.first().is_some_and(|(expiry, _)| *expiry <= now) {
            self.drop_first();
        }
    }

    /// Leading blocks of a prompt believed to be at a replica.
    #[must_use]
    pub fn overlap(&self, blocks: &[u64], replica: ReplicaIx) -> u32 {
        blocks.iter().take_while(|id| self.blocks.get(&(replica, **id)).is_some()).count() as u32
    }

    /// Records that a prompt was sent to a replica now; blocks known before live anew. Then, if
    /// there are too many, those that would expire first are dropped, of one prompt the deepest.
    pub fn record(&mut self, blocks: &[u64], replica: ReplicaIx, now: u64, limits: &Limits) {
        let expiry = now.saturating_add(limits.ttl);
        for (depth, &id) in (0..).zip(blocks) {
            if let Some((old, depth)) = self.blocks.get(&(replica, id)).copied() {
                self.turns.remove(&(old, Reverse((depth, id, replica))));
            }
            self.blocks.insert((replica, id), (expiry, depth));
            self.turns.insert((expiry, Reverse((depth, id, replica))), ());
        }
        if self.blocks.len() as u64 > limits.most {
            let target = (limits.most as f64 * limits.shrink_to) as u64;
            while self.blocks.len() as u64 > target {
                self.drop_first();
            }
        }
    }

    /// Forgets a replica. One pass over all blocks.
    pub fn forget(&mut self, replica: ReplicaIx) {
        let of = |entry: &(&(ReplicaIx, u64), &(u64, u32))| entry.0.0 == replica;
        let gone: Vec<_> =
            self.blocks.iter().filter(of).map(|((_, id), (expiry, depth))| (*id, *expiry, *depth)).collect();
        for (id, expiry, depth) in gone {
            self.blocks.remove(&(replica, id));
            self.turns.remove(&(expiry, Reverse((depth, id, replica))));
        }
    }

    fn drop_first(&mut self) {
        if let Some((_, Reverse((_, id, replica)))) = self.turns.pop_first().map(|(turn, ())| turn) {
            self.blocks.remove(&(replica, id));
        }
    }

    /// Feeds every block with its expiry.
    pub fn digest(&self, into: &mut Digest) {
        into.u64(self.blocks.len() as u64);
        for ((replica, id), (expiry, depth)) in self.blocks.iter() {
            [u64::from(*replica), *id, *expiry, u64::from(*depth)].into_iter().for_each(|v| into.u64(v));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { ttl: 100, most: 1_000, shrink_to: 0.8 };

    #[test]
    fn a_use_renews_and_time_takes_away() {
        let mut index = Expiring::default();
        index.record(&[1, 2, 3], 0, 0, &LIMITS);
        index.record(&[1, 2], 0, 60, &LIMITS);
        index.expire(99);
        assert_eq!(index.overlap(&[1, 2, 3], 0), 3);
        index.expire(100);
        assert_eq!(index.overlap(&[1, 2, 3], 0), 2);
        assert_eq!(index.overlap(&[1, 2, 3], 1), 0);
        index.expire(160);
        assert!(index.is_empty());
    }

    /// Section 2: more than the limit shrinks to 80 %, earliest expiry first, deepest first.
    #[test]
    fn too_many_shrink_to_the_share_earliest_and_deepest_first() {
        let limits = Limits { most: 10, ..LIMITS };
        let mut index = Expiring::default();
        index.record(&[1, 2, 3, 4, 5, 6], 0, 0, &limits);
        index.record(&[1, 2, 3, 4], 1, 1, &limits);
        assert_eq!(index.len(), 10, "ten are not too many");
        index.record(&[7], 1, 2, &limits);
        assert_eq!(index.len(), 8);
        assert_eq!(index.overlap(&[1, 2, 3, 4, 5, 6], 0), 3);
        assert_eq!(index.overlap(&[1, 2, 3, 4], 1), 4);
    }

    #[test]
    fn a_replica_is_forgotten_alone() {
        let mut index = Expiring::default();
        index.record(&[1, 2], 0, 0, &LIMITS);
        index.record(&[1, 2], 1, 0, &LIMITS);
        index.forget(0);
        assert_eq!([0, 1].map(|r| index.overlap(&[1, 2], r)), [0, 2]);
        index.expire(100);
        assert!(index.is_empty() && index.turns.is_empty());
    }
}
