//! Maglev's lookup table: every replica prefers the slots in an order of its own, and replicas
//! take a free slot in turn until all are taken.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::view::ReplicaIx;

/// Slots of a table: a prime, so that any step through the slots meets all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u32);

impl Size {
    /// The sizes there are, ascending; the last is Envoy's default.
    pub const ALL: [Self; 4] = [Self(251), Self(2_039), Self(16_381), Self(65_537)];

    /// Number of slots.
    #[must_use]
    pub fn slots(self) -> u32 {
        self.0
    }
}

/// Who owns each slot. Without members there are no slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maglev {
    slots: Box<[ReplicaIx]>,
}

/// A member while the table is filled: the slot it looks at next, and its step.
struct Filler {
    replica: ReplicaIx,
    next: u32,
    skip: u32,
}

impl Maglev {
    /// The table of `members`. A member's first slot and its step come from two hashes of
    /// `replica-<i>`; turns go by these names as texts, so 10 comes before 2. A filling looks at
    /// about `size` · ln `size` slots, at most `size` for each member.
    #[must_use]
    pub fn new(members: &[ReplicaIx], size: Size) -> Self {
        let mut named: Vec<(String, ReplicaIx)> =
            members.iter().map(|i| (format!("replica-{i}"), *i)).collect();
        named.sort_unstable();
        let slots = u64::from(size.0);
        let filler = |(name, replica): &(String, ReplicaIx)| {
            let hash = |seed| xxh3_64_with_seed(name.as_bytes(), seed);
            let (next, skip) = (hash(0) % slots, hash(1) % (slots - 1) + 1);
            Filler { replica: *replica, next: next as u32, skip: skip as u32 }
        };
        let mut fillers: Vec<Filler> = named.iter().map(filler).collect();
        if fillers.is_empty() {
            return Self { slots: Box::default() };
        }
        let mut owners = vec![0; size.0 as usize];
        let mut taken = vec![false; size.0 as usize];
        let mut turn = 0;
        for _ in 0..size.0 {
            let filler = &mut fillers[turn];
            while taken[filler.next as usize] {
                filler.advance(size.0);
            }
            taken[filler.next as usize] = true;
            owners[filler.next as usize] = filler.replica;
            filler.advance(size.0);
            turn += 1;
            if turn == fillers.len() {
                turn = 0;
            }
        }
        Self { slots: owners.into_boxed_slice() }
    }

    /// Owner of the slot that `hash` falls into; `None` without members.
    #[must_use]
    pub fn owner(&self, hash: u64) -> Option<ReplicaIx> {
        let slot = hash.checked_rem(self.slots.len() as u64)?;
        self.slots.get(slot as usize).copied()
    }

    /// Owners in the order of slots.
    #[must_use]
    pub fn slots(&self) -> &[ReplicaIx] {
        &self.slots
    }
}

impl Filler {
    fn advance(&mut self, size: u32) {
        self.next += self.skip;
        if self.next >= size {
            self.next -= size;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counts(table: &Maglev, replicas: ReplicaIx) -> Vec<usize> {
        (0..replicas).map(|r| table.slots().iter().filter(|o| **o == r).count()).collect()
    }

    #[test]
    fn sizes_are_prime() {
        for size in Size::ALL {
            let n = size.slots();
            assert!((2..n).take_while(|d| d * d <= n).all(|d| n % d != 0), "{n}");
        }
    }

    /// The paper's listing, as plainly as it stands there: permutations written out in full.
    #[test]
    fn the_filling_is_that_of_the_paper() {
        let m = 251_u64;
        let members: Vec<ReplicaIx> = vec![0, 1, 2, 9, 10, 11];
        // In the order of the names as texts.
        let turns: [ReplicaIx; 6] = [0, 1, 10, 11, 2, 9];
        let permutation = |i: ReplicaIx| {
            let name = format!("replica-{i}");
            let offset = xxh3_64_with_seed(name.as_bytes(), 0) % m;
            let skip = xxh3_64_with_seed(name.as_bytes(), 1) % (m - 1) + 1;
            (0..m).map(|j| (offset + j * skip) % m).collect::<Vec<_>>()
        };
        let permutations = turns.map(permutation);
        let mut entry = vec![None; 251];
        let mut next = [0_usize; 6];
        'filling: loop {
            for i in 0..6 {
                let mut c = permutations[i][next[i]];
                while entry[c as usize].is_some() {
                    next[i] += 1;
                    c = permutations[i][next[i]];
                }
                entry[c as usize] = Some(turns[i]);
                next[i] += 1;
                if entry.iter().all(Option::is_some) {
                    break 'filling;
                }
            }
        }
        let want: Vec<ReplicaIx> = entry.into_iter().flatten().collect();
        assert_eq!(Maglev::new(&members, Size::ALL[0]).slots(), want);
    }

    #[test]
    fn a_hash_falls_into_the_slot_of_its_remainder() {
        let table = Maglev::new(&[3, 4, 7], Size::ALL[0]);
        for hash in [0, 1, 250, 251, 252, u64::MAX] {
            assert_eq!(table.owner(hash), Some(table.slots()[(hash % 251) as usize]));
        }
        assert_eq!(Maglev::new(&[], Size::ALL[3]).owner(7), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

        /// Turns make shares even: no two members differ by more than one slot.
        #[test]
        fn shares_differ_by_one_slot_at_most(replicas in 1_u16..60, size in 0_usize..4) {
            let members: Vec<ReplicaIx> = (0..replicas).collect();
            let counts = counts(&Maglev::new(&members, Size::ALL[size]), replicas);
            let (min, max) = (counts.iter().min(), counts.iter().max());
            prop_assert!(max.copied().unwrap_or(0) - min.copied().unwrap_or(0) <= 1, "{counts:?}");
        }

        /// All of a leaving member's slots move; of the others' only a few.
        #[test]
        fn few_slots_move_between_those_who_stay(replicas in 3_u16..40, leaves in 0_u16..40) {
            let leaves = leaves % replicas;
            let before: Vec<ReplicaIx> = (0..replicas).collect();
            let after: Vec<ReplicaIx> = (0..replicas).filter(|r| *r != leaves).collect();
            let [a, b] = [before, after].map(|m| Maglev::new(&m, Size::ALL[3]));
            let pairs = || a.slots().iter().zip(b.slots());
            let strays = pairs().filter(|(old, new)| **old != leaves && old != new).count();
            prop_assert!(pairs().all(|(_, new)| *new != leaves));
            prop_assert!(strays < 65_537 / 20, "{strays}");
        }
    }
}
