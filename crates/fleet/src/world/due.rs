//! When each replica's next boundary comes: a tournament, so that the earliest is known at once
//! and a change costs one path to the root.

use crate::time::Ps;

/// Next boundaries of a fleet.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    /// Winners, root at 1; leaves hold the times, idle ones the largest time. Time and number are
    /// one key, so that of two at one time the smaller number wins.
    tree: Vec<u128>,
    leaves: usize,
}

fn key(at: Ps, replica: u64) -> u128 {
    u128::from(at) << 64 | u128::from(replica)
}

impl Due {
    /// So many idle replicas.
    pub(crate) fn new(replicas: u32) -> Self {
        let leaves = (replicas.max(1) as usize).next_power_of_two();
        Self { tree: vec![key(Ps::MAX, u64::MAX); 2 * leaves], leaves }
    }

    /// Sets one replica's next boundary. Costs a step for each round whose winner changes.
    pub(crate) fn set(&mut self, replica: u16, at: Option<Ps>) {
        let mut place = self.leaves + usize::from(replica);
        let mut winner = key(at.unwrap_or(Ps::MAX), u64::from(replica));
        while self.tree[place] != winner {
            self.tree[place] = winner;
            if place == 1 {
                return;
            }
            winner = winner.min(self.tree[place ^ 1]);
            place /= 2;
        }
    }

    /// The earliest boundary and its replica; of several the smallest number.
    pub(crate) fn first(&self) -> Option<(Ps, u16)> {
        let first = self.tree[1];
        let at = (first >> 64) as Ps;
        (at < Ps::MAX).then_some((at, first as u16))
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
                assert_eq!(due.first(), want);
            }
        }
    }
}
