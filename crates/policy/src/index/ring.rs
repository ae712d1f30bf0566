//! A hash ring with virtual nodes.

use xxhash_rust::xxh3::xxh3_64;

use crate::view::ReplicaIx;

/// Points of all replicas on a circle of 64 bits.
#[derive(Clone, Debug, Default)]
pub struct Ring {
    /// Ascending; equal points, which a 64-bit hash all but excludes, by replica.
    points: Vec<(u64, ReplicaIx)>,
    replicas: ReplicaIx,
    virtual_nodes: u32,
}

impl Ring {
    /// A ring of replicas 0 to `replicas` − 1 with `virtual_nodes` points each: the hash of
    /// `replica-<i>#<v>`. Either at 0 gives a ring without owners.
    #[must_use]
    pub fn new(replicas: ReplicaIx, virtual_nodes: u32) -> Self {
        let names = (0..replicas).flat_map(|i| (0..virtual_nodes).map(move |v| (i, v)));
        let mut points: Vec<_> =
            names.map(|(i, v)| (xxh3_64(format!("replica-{i}#{v}").as_bytes()), i)).collect();
        points.sort_unstable();
        Self { points, replicas, virtual_nodes }
    }

    /// Replicas on the ring.
    #[must_use]
    pub fn replicas(&self) -> ReplicaIx {
        self.replicas
    }

    /// Points a replica has.
    #[must_use]
    pub fn virtual_nodes(&self) -> u32 {
        self.virtual_nodes
    }

    /// All points from the first at or after `hash`, once around.
    pub fn clockwise(&self, hash: u64) -> impl Iterator<Item = (u64, ReplicaIx)> + '_ {
        let from = self.points.partition_point(|(point, _)| *point < hash);
        let (before, after) = self.points.split_at(from);
        after.iter().chain(before).copied()
    }

    /// The first replica at or after `hash` that `takes` it, and how many other replicas were
    /// passed over on the way. `None` if none takes it.
    pub fn owner(&self, hash: u64, takes: impl Fn(ReplicaIx) -> bool) -> Option<(ReplicaIx, u16)> {
        // A ring has far more points than replicas, so who refused once is not asked again. The
        // list stays empty, and costs nothing, as long as owners can take their keys.
        let mut refused: Vec<ReplicaIx> = Vec::new();
        for (_, replica) in self.clockwise(hash) {
            if refused.contains(&replica) {
                continue;
            }
            if takes(replica) {
                return Some((replica, refused.len() as u16));
            }
            refused.push(replica);
            if refused.len() == usize::from(self.replicas) {
                break;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_has_all_points_in_order_and_a_walk_passes_each_once() {
        let ring = Ring::new(5, 150);
        let all: Vec<_> = ring.clockwise(0).collect();
        assert_eq!(all.len(), 750);
        assert!(all.is_sorted());
        assert!((0..5).all(|r| all.iter().filter(|(_, i)| *i == r).count() == 150));
        let (start, _) = all[300];
        let around: Vec<_> = ring.clockwise(start).collect();
        assert_eq!(around, [&all[300..], &all[..300]].concat(), "a point equal to the hash comes first");
        assert_eq!(ring.clockwise(start + 1).next(), Some(all[301]));
        assert_eq!(ring.clockwise(u64::MAX).next(), Some(all[0]));
    }

    #[test]
    fn points_are_the_hashes_of_their_names() {
        let ring = Ring::new(3, 2);
        assert!(ring.clockwise(0).any(|p| p == (xxh3_64(b"replica-2#1"), 2)));
        assert!(Ring::new(0, 150).owner(7, |_| true).is_none());
        assert!(Ring::new(3, 0).owner(7, |_| true).is_none());
    }

    #[test]
    fn fallbacks_are_the_next_distinct_replicas() {
        let ring = Ring::new(6, 20);
        for hash in (0..200_u64).map(|k| xxh3_64(&k.to_le_bytes())) {
            let mut order: Vec<ReplicaIx> = Vec::new();
            ring.clockwise(hash).for_each(|(_, r)| {
                if !order.contains(&r) {
                    order.push(r);
                }
            });
            for (step, want) in order.iter().enumerate() {
                let took = ring.owner(hash, |r| !order[..step].contains(&r));
                assert_eq!(took, Some((*want, step as u16)));
            }
            assert_eq!(ring.owner(hash, |_| false), None);
        }
    }

    #[test]
    fn a_new_replica_takes_keys_from_the_others_and_moves_none_between_them() {
        let (before, after) = (Ring::new(9, 150), Ring::new(10, 150));
        let owner = |ring: &Ring, hash| ring.owner(hash, |_| true).unwrap().0;
        let mut moved = 0;
        for hash in (0..20_000_u64).map(|k| xxh3_64(&k.to_le_bytes())) {
            let (old, new) = (owner(&before, hash), owner(&after, hash));
            assert!(new == old || new == 9);
            moved += u32::from(new != old);
        }
        // One key in ten, give or take the unevenness of 150 points.
        assert!((1_500..2_500).contains(&moved), "{moved}");
    }
}
