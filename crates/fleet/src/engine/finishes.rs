//! Decoders by their last iteration: a heap with four children a node, each group one cache line.

/// Last iteration, order of admission and place in the table, as one number that sorts by them.
type Key = u128;

/// No entry: after every one there can be.
const NONE: Key = Key::MAX;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Group([Key; 4]);

/// The heap. Its smallest entry lies outside of the groups; group i holds the children of entry i,
/// counted from the smallest one, 0, through the groups.
#[derive(Clone, Debug)]
pub(crate) struct Finishes {
    first: Key,
    groups: Vec<Group>,
    len: usize,
}

impl Default for Finishes {
    fn default() -> Self {
        Self { first: NONE, groups: Vec::new(), len: 0 }
    }
}

impl Finishes {
    /// None yet, with room for some.
    pub(crate) fn with_room(entries: usize) -> Self {
        Self { groups: Vec::with_capacity(entries / 4), ..Self::default() }
    }

    /// The entry with the smallest last iteration; of several the one admitted first.
    pub(crate) fn peek(&self) -> Option<(u64, u32, u32)> {
        let key = self.first;
        (self.len > 0).then_some(((key >> 64) as u64, (key >> 32) as u32, key as u32))
    }

    /// The smallest last iteration; the largest number if there is none.
    pub(crate) fn first(&self) -> u64 {
        (self.first >> 64) as u64
    }

    /// Adds the decoder at a place of the table. One of a number `admitted` at a time.
    pub(crate) fn push(&mut self, last: u64, admitted: u32, slot: u32) {
        let key = Key::from(last) << 64 | Key::from(admitted) << 32 | Key::from(slot);
        let at = self.len;
        self.len += 1;
        if (self.len + 2) / 4 > self.groups.len() {
            self.groups.push(Group([NONE; 4]));
        }
        self.rise(at, key);
    }

    /// Takes out the smallest entry.
    pub(crate) fn pop(&mut self) {
        let Some(last) = self.len.checked_sub(1) else { return };
        // The smallest child takes the place of its parent down to a leaf; the last entry of all
        // takes the place that is left.
        let mut hole = 0;
        while let Some(Group(children)) = self.groups.get(hole) {
            let [a, b, c, d] = *children;
            let least = a.min(b).min(c.min(d));
            if least == NONE {
                break;
            }
            let [a, b, c] = [a, b, c].map(|key| usize::from(key != least));
            let which = a + (a & b) + (a & b & c);
            self.set(hole, least);
            hole = 4 * hole + 1 + which;
        }
        let moved = self.get(last);
        self.set(last, NONE);
        self.len = last;
        if hole != last {
            self.rise(hole, moved);
        } else if last == 0 {
            self.first = NONE;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        (self.first, self.len) = (NONE, 0);
    }

    /// Puts a key at a place, or as far above it as it is smaller than who is there.
    fn rise(&mut self, mut at: usize, key: Key) {
        while at > 0 {
            let parent = (at - 1) / 4;
            let above = self.get(parent);
            if above <= key {
                break;
            }
            self.set(at, above);
            at = parent;
        }
        self.set(at, key);
    }

    fn get(&self, at: usize) -> Key {
        if at == 0 { self.first } else { self.groups[(at - 1) / 4].0[(at - 1) % 4] }
    }

    fn set(&mut self, at: usize, key: Key) {
        match at {
            0 => self.first = key,
            _ => self.groups[(at - 1) / 4].0[(at - 1) % 4] = key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tokenyard_det::Stream;

    #[test]
    fn it_is_a_sorted_set() {
        let mut stream = Stream::new(1, "test", 0);
        let (mut heap, mut plain) = (Finishes::default(), BTreeSet::new());
        for admitted in 0..30_000_u32 {
            // Long runs of one and the other, so that it is empty and full at times.
            if stream.below(100) < if admitted / 500 % 2 == 0 { 80 } else { 20 } {
                let (last, slot) = (stream.below(60), stream.below(9) as u32);
                heap.push(last, admitted, slot);
                plain.insert((last, admitted, slot));
            } else {
                heap.pop();
                plain.pop_first();
            }
            assert_eq!(heap.peek(), plain.first().copied());
        }
        heap.clear();
        assert_eq!(heap.peek(), None);
    }
}
