//! When each replica's next boundary comes: a tournament, so that the earliest is known at once
//! and a change costs one path to the root.

use crate::time::Ps;

/// Next boundaries of a fleet.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    /// Earliest times, of all at 1, of each half at 2 and 3, and so on; those of the replicas
    /// themselves stand last. The largest time is an idle one's.
    tree: Vec<Ps>,
    leaves: usize,
}

impl Due {
    /// So many idle replicas.
    pub(crate) fn new(replicas: u32) -> Self {
        let leaves = (replicas.max(1) as usize).next_power_of_two();
        Self { tree: vec![Ps::MAX; 2 * leaves], leaves }
    }

    /// Sets one replica's next boundary. Costs a step for each round whose winner changes.
    pub(crate) fn set(&mut self, replica: u16, at: Option<Ps>) {
        let mut place = self.leaves + usize::from(replica);
        let mut earliest = at.unwrap_or(Ps::MAX);
        while self.tree[place] != earliest {
            self.tree[place] = earliest;
            if place == 1 {
                return;
            }
            earliest = earliest.min(self.tree[place ^ 1]);
            place /= 2;
        }
    }

    /// The earliest boundary.
    pub(crate) fn first(&self) -> Option<Ps> {
        Some(self.tree[1]).filter(|at| *at < Ps::MAX)
    }

    /// Whose it is; of several the smallest number.
    pub(crate) fn whose(&self) -> u16 {
        let (first, mut place) = (self.tree[1], 1);
        while place < self.leaves {
            place = 2 * place + usize::from(self.tree[2 * place] != first);
        }
        (place - self.leaves) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    #[test]
    fn the_winner_is_the_minimum_with_the_smallest_number() {
        let mut stream = Stream::new(1, "test", 0);
        for replicas in [1, 2, 3, 8, 100] {
            let mut due = Due::new(replicas);
            let mut plain = vec![None; replicas as usize];
            assert_eq!(due.first(), None);
            for _ in 0..2_000 {
                let replica = stream.below(u64::from(replicas)) as u16;
                let at = (stream.below(5) > 0).then(|| stream.below(9));
                due.set(replica, at);
                plain[usize::from(replica)] = at;
                let times = plain.iter().enumerate().filter_map(|(i, at)| Some((at.as_ref()?, i)));
                let want = times.min().map(|(at, i)| (*at, i as u16));
                assert_eq!(due.first().map(|at| (at, due.whose())), want);
            }
        }
    }
}
