//! Which node of a prefix cache begins with a block: a table with open addresses.
//!
//! Looked into many times for every decision, so that an entry is one load: keys and values lie
//! side by side, and who is not there ends at the first empty place. Nobody walks it.

/// No node.
const EMPTY: u32 = u32::MAX;
/// Places of the smallest table, a power of two.
const LEAST: usize = 16;

/// From first ids to nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts {
    /// None, or a power of two of them, at most half of them taken.
    places: Vec<(u64, u32)>,
    taken: usize,
}

impl Starts {
    /// Where the search for an id begins: the upper bits of a product that every bit goes into.
    fn home(&self, first: u64) -> usize {
        let bits = self.places.len().trailing_zeros();
        (first.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
    }

    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }

    /// The node that begins with a block.
    pub(crate) fn get(&self, first: u64) -> Option<u32> {
        if self.taken == 0 {
            return None;
        }
        let mut place = self.home(first);
        loop {
            let (id, node) = self.places[place];
            if node == EMPTY {
                return None;
            }
            if id == first {
                return Some(node);
            }
            place = self.after(place);
        }
    }

    /// Names a node, in place of the one named before.
    pub(crate) fn insert(&mut self, first: u64, node: u32) {
        if 2 * self.taken >= self.places.len() {
            self.grow();
        }
        let mut place = self.home(first);
        while self.places[place].1 != EMPTY && self.places[place].0 != first {
            place = self.after(place);
        }
        self.taken += usize::from(self.places[place].1 == EMPTY);
        self.places[place] = (first, node);
    }

    /// Forgets a block.
    pub(crate) fn remove(&mut self, first: u64) {
        if self.taken == 0 {
            return;
        }
        let mut hole = self.home(first);
        while self.places[hole].0 != first || self.places[hole].1 == EMPTY {
            if self.places[hole].1 == EMPTY {
                return;
            }
            hole = self.after(hole);
        }
        // Who stands behind the hole and was pushed over it moves into it.
        let mask = self.places.len() - 1;
        let mut place = hole;
        loop {
            place = self.after(place);
            let (id, node) = self.places[place];
            if node == EMPTY {
                break;
            }
            let pushed = place.wrapping_sub(self.home(id)) & mask;
            if pushed >= place.wrapping_sub(hole) & mask {
                self.places[hole] = (id, node);
                hole = place;
            }
        }
        self.places[hole].1 = EMPTY;
        self.taken -= 1;
    }

    #[cold]
    fn grow(&mut self) {
        let places = (2 * self.places.len()).max(LEAST);
        let old = std::mem::replace(&mut self.places, vec![(0, EMPTY); places]);
        self.taken = 0;
        for (first, node) in old.into_iter().filter(|(_, node)| *node != EMPTY) {
            self.insert(first, node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tokenyard_det::Stream;

    #[test]
    fn it_is_a_map() {
        let mut stream = Stream::new(5, "test", 0);
        let (mut starts, mut plain) = (Starts::default(), BTreeMap::new());
        assert_eq!(starts.get(0), None);
        starts.remove(0);
        for step in 0..60_000_u32 {
            // Few ids, so that they meet, at distances that real ones have.
            let first = stream.below(200) << [0, 21, 40][stream.below(3) as usize];
            if stream.below(100) < if step / 2_000 % 2 == 0 { 60 } else { 40 } {
                starts.insert(first, step);
                plain.insert(first, step);
            } else {
                starts.remove(first);
                plain.remove(&first);
            }
            let other = stream.below(200) << 21;
            assert_eq!(starts.get(first), plain.get(&first).copied());
            assert_eq!(starts.get(other), plain.get(&other).copied());
            assert_eq!(starts.taken, plain.len());
        }
    }
}
