//! A hash ring with virtual nodes.

use core::fmt::{self, Write as _};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::view::ReplicaIx;

/// Points of some replicas on a circle of 64 bits. Copies share the points.
#[derive(Clone, Default)]
pub struct Ring {
    /// Ascending; equal points, which a 64-bit hash all but excludes, by replica.
    points: Arc<[(u64, ReplicaIx)]>,
    replicas: ReplicaIx,
}

/// Points are a function of who is on the ring, so how many there are says enough.
impl fmt::Debug for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ring {{ replicas: {}, points: {} }}", self.replicas, self.points.len())
    }
}

/// Adds a replica's first `count` points: the hashes of `replica-<i>#<v>`.
fn add_points(points: &mut Vec<(u64, ReplicaIx)>, replica: ReplicaIx, count: u32) {
    let mut name = format!("replica-{replica}#");
    let stem = name.len();
    for virtual_node in 0..count {
        name.truncate(stem);
        // Writing to a string cannot fail.
        let _ = write!(name, "{virtual_node}");
        points.push((xxh3_64(name.as_bytes()), replica));
    }
}

impl Ring {
    /// A ring of replicas 0 to `replicas` − 1 with `virtual_nodes` points each. Either at 0 gives
    /// a ring without owners.
    #[must_use]
    pub fn new(replicas: ReplicaIx, virtual_nodes: u32) -> Self {
        let mut points = Vec::with_capacity(usize::from(replicas) * virtual_nodes as usize);
        (0..replicas).for_each(|replica| add_points(&mut points, replica, virtual_nodes));
        Self::of_points(points, replicas)
    }

    /// A ring of `members` as Envoy sizes it: as many points for each as make `minimum` in all,
    /// rounded up to whole ones; where that exceeds `maximum`, so many in all, some members
    /// having one more. The sums are Envoy's, in double precision and in its order.
    #[must_use]
    pub fn sized(members: &[ReplicaIx], minimum: u32, maximum: u32) -> Self {
        let weight = 1.0 / members.len() as f64;
        let scale = ((weight * f64::from(minimum)).ceil() / weight).min(f64::from(maximum));
        let mut points = Vec::new();
        let (mut placed, mut target) = (0.0, 0.0);
        for &replica in members {
            target += scale * weight;
            let mut count = 0;
            while placed < target {
                count += 1;
                placed += 1.0;
            }
            add_points(&mut points, replica, count);
        }
        Self::of_points(points, members.len() as ReplicaIx)
    }

    fn of_points(mut points: Vec<(u64, ReplicaIx)>, replicas: ReplicaIx) -> Self {
        points.sort_unstable();
        Self { points: points.into(), replicas }
    }

    /// Replicas on the ring.
    #[must_use]
    pub fn replicas(&self) -> ReplicaIx {
        self.replicas
    }

    /// All points from the first at or after `hash`, once around.
    pub fn clockwise(&self, hash: u64) -> impl Iterator<Item = (u64, ReplicaIx)> + '_ {
        let from = self.points.partition_point(|(point, _)| *point < hash);
        let (before, after) = self.points.split_at(from);
        after.iter().chain(before).copied()
    }

    /// As [`Ring::owner`] for rings whose walk starts after `hash`, not at it.
    pub fn owner_after(&self, hash: u64, takes: impl Fn(ReplicaIx) -> bool) -> Option<(ReplicaIx, u16)> {
        self.owner(hash.wrapping_add(1), takes)
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
    fn a_walk_may_start_after_its_hash() {
        let ring = Ring::new(5, 3);
        let all: Vec<_> = ring.clockwise(0).collect();
        for (at, (hash, replica)) in all.iter().enumerate() {
            assert_eq!(ring.owner(*hash, |_| true), Some((*replica, 0)));
            assert_eq!(ring.owner_after(*hash, |_| true), Some((all[(at + 1) % 15].1, 0)));
        }
        assert_eq!(ring.owner_after(u64::MAX, |_| true), Some((all[0].1, 0)));
    }

    /// Members, minimum and maximum against points for each: the example in Envoy's own comment
    /// first, then whole shares and caps.
    #[test]
    fn envoy_sizes_rings_to_whole_points() {
        let cases: [(ReplicaIx, u32, u32, &[usize]); 7] = [
            (4, 6, 6, &[2, 1, 2, 1]),
            (4, 6, 100, &[2, 2, 2, 2]),
            (6, 12, 8_388_608, &[2, 2, 2, 2, 2, 2]),
            (3, 1_024, 8_388_608, &[342, 342, 342]),
            (4, 1_024, 8_388_608, &[256, 256, 256, 256]),
            (3, 1_024, 1, &[1, 0, 0]),
            (5, 1, 8_388_608, &[1, 1, 1, 1, 1]),
        ];
        for (members, minimum, maximum, want) in cases {
            let members: Vec<ReplicaIx> = (10..10 + members).collect();
            let ring = Ring::sized(&members, minimum, maximum);
            let of = |r: &ReplicaIx| ring.clockwise(0).filter(|(_, i)| i == r).count();
            assert_eq!(members.iter().map(of).collect::<Vec<_>>(), want);
        }
        assert!(Ring::sized(&[], 1_024, 8_388_608).owner(7, |_| true).is_none());
        let [all, some] = [&[0, 1, 2][..], &[0, 2]].map(|m| Ring::sized(m, 12, 12));
        // Points keep their places whoever else is there.
        assert!(all.clockwise(0).filter(|(_, r)| *r != 1).all(|p| some.clockwise(0).any(|q| p == q)));
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
