//! Who has the smallest count: a tournament over a column that changes a cell at a time.

use crate::view::ReplicaIx;

/// The least count of some replicas in the upper half, how many of them have it in the lower.
type Node = u64;

/// Nobody: after every count, and none of them.
const NOBODY: Node = (u32::MAX as u64) << 32;

/// Counts of replicas, and which are the smallest. A change costs a step for each round that it
/// matters in, at most the logarithm of their number; so does finding one of the smallest.
#[derive(Clone, Debug)]
pub struct Fewest {
    /// Of all at 1, of each half at 2 and 3, and so on; the replicas themselves stand last.
    tree: Vec<Node>,
    leaves: usize,
    replicas: usize,
}

impl Fewest {
    /// The index of a column.
    #[must_use]
    pub fn new(column: &[u32]) -> Self {
        let leaves = column.len().max(1).next_power_of_two();
        let mut index = Self { tree: vec![NOBODY; 2 * leaves], leaves, replicas: column.len() };
        index.fill(column);
        index
    }

    /// Takes over a whole column, as long as the one before.
    pub fn fill(&mut self, column: &[u32]) {
        for (leaf, count) in self.tree[self.leaves..].iter_mut().zip(column) {
            *leaf = leaf_of(*count);
        }
        for place in (1..self.leaves).rev() {
            self.tree[place] = winner(self.tree[2 * place], self.tree[2 * place + 1]);
        }
    }

    /// Sets one replica's count.
    pub fn set(&mut self, replica: ReplicaIx, count: u32) {
        let mut place = self.leaves + usize::from(replica);
        let mut node = leaf_of(count);
        while self.tree[place] != node {
            self.tree[place] = node;
            if place == 1 {
                return;
            }
            node = winner(node, self.tree[place ^ 1]);
            place /= 2;
        }
    }

    /// Number of replicas.
    #[must_use]
    pub fn replicas(&self) -> usize {
        self.replicas
    }

    /// How many have the smallest count; 0 without replicas.
    #[must_use]
    pub fn tied(&self) -> u32 {
        self.tree[1] as u32
    }

    /// The one with the smallest count that so many of the smallest stand before, by number. There
    /// must be one.
    #[must_use]
    pub fn nth(&self, mut before: u32) -> usize {
        let least = self.tree[1] >> 32;
        let mut place = 1;
        while place < self.leaves {
            place *= 2;
            let left = self.tree[place];
            let here = if left >> 32 == least { left as u32 } else { 0 };
            if before >= here {
                before -= here;
                place += 1;
            }
        }
        place - self.leaves
    }
}

fn leaf_of(count: u32) -> Node {
    u64::from(count) << 32 | 1
}

/// Of two parts together.
fn winner(a: Node, b: Node) -> Node {
    let (least, other) = if a <= b { (a, b) } else { (b, a) };
    if least >> 32 == other >> 32 { least + (other & u64::from(u32::MAX)) } else { least }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    #[test]
    fn it_finds_whom_a_walk_finds() {
        let mut dice = Stream::new(1, "test", 0);
        for replicas in [1, 2, 3, 8, 100] {
            let mut column = vec![0; replicas];
            let mut index = Fewest::new(&column);
            for step in 0..2_000 {
                let at = dice.below(replicas as u64) as usize;
                column[at] = if dice.below(20) == 0 { u32::MAX } else { dice.below(5) as u32 };
                index.set(at as ReplicaIx, column[at]);
                if step % 100 == 0 {
                    column.iter_mut().for_each(|count| *count = dice.below(3) as u32);
                    index.fill(&column);
                }
                let least = column.iter().min().copied();
                let smallest = (0..replicas).filter(|at| Some(column[*at]) == least);
                let found: Vec<usize> = (0..index.tied()).map(|before| index.nth(before)).collect();
                assert_eq!(found, smallest.collect::<Vec<_>>());
            }
        }
        assert_eq!((Fewest::new(&[]).tied(), Fewest::new(&[]).replicas()), (0, 0));
    }
}
