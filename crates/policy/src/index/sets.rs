//! Sets of replicas, many of them: one replica in place, more of them as bits elsewhere.
//!
//! Most chunks of prompts were sent to one replica only. Only those that many prompts share need
//! more room than a number.

use super::pages::Value;
use crate::view::ReplicaIx;

/// A set in [`Sets`], or a replica; nobody by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SetIx(u32);

/// The first number that is a place and no replica. 0 is nobody, below are replicas from 1 on.
const PLACES: u32 = 1 << 16 | 1;

/// What a number stands for.
enum Set {
    Nobody,
    One(ReplicaIx),
    Bits(usize),
}

impl SetIx {
    /// Whether nobody is in it.
    pub(super) fn is_nobody(self) -> bool {
        self.0 == 0
    }

    fn one(replica: ReplicaIx) -> Self {
        Self(u32::from(replica) + 1)
    }

    fn set(self) -> Set {
        match self.0 {
            0 => Set::Nobody,
            number if number < PLACES => Set::One((number - 1) as ReplicaIx),
            number => Set::Bits((number - PLACES) as usize),
        }
    }
}

impl Value for SetIx {
    #[inline]
    fn is_kept(&self) -> bool {
        !self.is_nobody()
    }
}

/// Sets of two replicas or more. A set has one owner, who says what becomes of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    /// Words of one set: as many as the largest replica needs.
    words: usize,
    bits: Vec<u64>,
    unused: Vec<u32>,
}

impl Sets {
    /// The bits of a set of two or more.
    fn at(&self, place: usize) -> &[u64] {
        self.bits.get(place * self.words..(place + 1) * self.words).unwrap_or_default()
    }

    /// The set with a replica in it; the one before is no more.
    #[inline]
    pub(super) fn with(&mut self, set: SetIx, replica: ReplicaIx) -> SetIx {
        if set.is_nobody() { SetIx::one(replica) } else { self.put_in(set, replica) }
    }

    fn put_in(&mut self, set: SetIx, replica: ReplicaIx) -> SetIx {
        let place = match set.set() {
            Set::Nobody => return SetIx::one(replica),
            Set::One(one) if one == replica => return set,
            Set::One(one) => {
                self.reach(one);
                let place = self.room();
                self.put(place, one);
                place
            }
            Set::Bits(place) => place,
        };
        self.reach(replica);
        self.put(place, replica);
        SetIx(place as u32 + PLACES)
    }

    /// The set without a replica; the one before is no more.
    #[inline]
    pub(super) fn without(&mut self, set: SetIx, replica: ReplicaIx) -> SetIx {
        if set == SetIx::one(replica) { SetIx::default() } else { self.take_out(set, replica) }
    }

    fn take_out(&mut self, set: SetIx, replica: ReplicaIx) -> SetIx {
        let place = match set.set() {
            Set::One(one) if one == replica => return SetIx::default(),
            Set::Nobody | Set::One(_) => return set,
            Set::Bits(place) => place,
        };
        let at = place * self.words + usize::from(replica) / 64;
        if usize::from(replica) / 64 < self.words
            && let Some(word) = self.bits.get_mut(at)
        {
            *word &= !(1 << (replica % 64));
        }
        let bits = self.at(place);
        if bits.iter().map(|word| word.count_ones()).sum::<u32>() > 1 {
            return set;
        }
        let left = members(bits).next().map_or_else(SetIx::default, SetIx::one);
        self.release(set);
        left
    }

    /// Gives a set back.
    pub(super) fn release(&mut self, set: SetIx) {
        let Set::Bits(place) = set.set() else { return };
        let from = place * self.words;
        if let Some(bits) = self.bits.get_mut(from..from + self.words) {
            bits.fill(0);
        }
        self.unused.push(place as u32);
    }

    /// Whether a replica is in a set.
    pub(super) fn holds(&self, set: SetIx, replica: ReplicaIx) -> bool {
        match set.set() {
            Set::Nobody => false,
            Set::One(one) => one == replica,
            Set::Bits(place) => has(self.at(place), replica),
        }
    }

    /// Whether two sets have the same members.
    pub(super) fn same(&self, a: SetIx, b: SetIx) -> bool {
        match (a.set(), b.set()) {
            (Set::Bits(a), Set::Bits(b)) => a == b || self.at(a).iter().eq(self.at(b)),
            _ => a == b,
        }
    }

    /// The members, ascending.
    pub(super) fn members(&self, set: SetIx) -> impl Iterator<Item = ReplicaIx> + '_ {
        let (one, bits) = match set.set() {
            Set::Nobody => (None, &[][..]),
            Set::One(one) => (Some(one), &[][..]),
            Set::Bits(place) => (None, self.at(place)),
        };
        one.into_iter().chain(members(bits))
    }

    /// Makes every set wide enough for a replica.
    fn reach(&mut self, replica: ReplicaIx) {
        let words = usize::from(replica) / 64 + 1;
        if words <= self.words {
            return;
        }
        let sets = self.bits.len().checked_div(self.words).unwrap_or(0);
        let mut bits = vec![0; sets * words];
        for (place, wide) in bits.chunks_exact_mut(words).enumerate() {
            wide.iter_mut().zip(self.at(place)).for_each(|(wide, word)| *wide = *word);
        }
        (self.bits, self.words) = (bits, words);
    }

    /// A place for one more set, which is empty.
    fn room(&mut self) -> usize {
        if let Some(place) = self.unused.pop() {
            return place as usize;
        }
        let end = self.bits.len();
        self.bits.resize(end + self.words, 0);
        end / self.words.max(1)
    }

    fn put(&mut self, place: usize, replica: ReplicaIx) {
        if let Some(word) = self.bits.get_mut(place * self.words + usize::from(replica) / 64) {
            *word |= 1 << (replica % 64);
        }
    }
}

fn has(bits: &[u64], replica: ReplicaIx) -> bool {
    bits.get(usize::from(replica) / 64).is_some_and(|word| word & 1 << (replica % 64) != 0)
}

/// Set bits, ascending.
fn members(bits: &[u64]) -> impl Iterator<Item = ReplicaIx> + '_ {
    (0..).zip(bits).flat_map(|(at, word)| {
        let mut left = *word;
        core::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(at * 64 + bit as ReplicaIx)
        })
    })
}

/// Candidates that fall out one after the other.
#[derive(Clone, Debug)]
pub(super) struct Left(Vec<u64>);

impl Left {
    /// Everybody of a list.
    pub(super) fn of(replicas: &[ReplicaIx]) -> Self {
        let last = replicas.iter().copied().max();
        let mut bits = vec![0; last.map_or(0, |last| usize::from(last) / 64 + 1)];
        for replica in replicas {
            if let Some(word) = bits.get_mut(usize::from(*replica) / 64) {
                *word |= 1 << (replica % 64);
            }
        }
        Self(bits)
    }

    /// Those that are left, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = ReplicaIx> + '_ {
        members(&self.0)
    }

    /// Whether any of them is in a set.
    pub(super) fn any(&self, sets: &Sets, set: SetIx) -> bool {
        match set.set() {
            Set::Nobody => false,
            Set::One(one) => has(&self.0, one),
            Set::Bits(place) => self.0.iter().zip(sets.at(place)).any(|(left, bits)| left & bits != 0),
        }
    }

    /// Keeps those that are in a set, and tells of each that falls out.
    pub(super) fn keep(&mut self, sets: &Sets, set: SetIx, mut out: impl FnMut(ReplicaIx)) {
        let (one, bits) = match set.set() {
            Set::Nobody => (None, &[][..]),
            Set::One(one) => (Some(one), &[][..]),
            Set::Bits(place) => (None, sets.at(place)),
        };
        for (at, left) in self.0.iter_mut().enumerate() {
            let stays = match one {
                Some(one) if usize::from(one) / 64 == at => 1 << (one % 64),
                Some(_) => 0,
                None => bits.get(at).copied().unwrap_or(0),
            };
            let fall = *left & !stays;
            if fall != 0 {
                members(&[fall]).for_each(|bit| out(at as ReplicaIx * 64 + bit));
                *left &= stays;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use tokenyard_det::Stream;

    /// Ordered sets do the same, whatever is put in and taken out.
    #[test]
    fn they_are_sets() {
        let mut stream = Stream::new(8, "test", 0);
        let (mut sets, mut plain) = (Sets::default(), vec![BTreeSet::new(); 20]);
        let mut numbers = [SetIx::default(); 20];
        for step in 0..40_000 {
            // Large fleets only later, so that sets have to become wider.
            let all = if step < 20_000 { 10 } else { 300 };
            let (which, replica) = (stream.below(20) as usize, stream.below(all) as ReplicaIx);
            let (set, want) = (&mut numbers[which], &mut plain[which]);
            if stream.below(2) == 0 {
                *set = sets.with(*set, replica);
                want.insert(replica);
            } else {
                *set = sets.without(*set, replica);
                want.remove(&replica);
            }
            assert!(sets.members(*set).eq(want.iter().copied()), "step {step}");
            assert_eq!(
                (set.is_nobody(), sets.holds(*set, replica)),
                (want.is_empty(), want.contains(&replica))
            );
            let (set, other) = (*set, stream.below(20) as usize);
            assert_eq!(sets.same(set, numbers[other]), plain[which] == plain[other], "step {step}");
            let among: Vec<ReplicaIx> = (0..all as ReplicaIx).filter(|_| stream.below(3) > 0).collect();
            let (mut left, mut out) = (Left::of(&among), Vec::new());
            assert!(left.iter().eq(among.iter().copied()));
            assert_eq!(left.any(&sets, set), among.iter().any(|r| plain[which].contains(r)));
            left.keep(&sets, set, |replica| out.push(replica));
            let (stay, fall): (Vec<_>, Vec<_>) = among.iter().partition(|r| plain[which].contains(r));
            assert!(left.iter().eq(stay) && out == fall, "step {step}");
        }
        let used = sets.bits.len() / sets.words - sets.unused.len();
        assert!(used <= 20, "places are used again");
    }
}
