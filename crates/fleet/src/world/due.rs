//! When each replica's next boundary comes: a tournament, so that the earliest is known at once
//! and a change costs one path to the root.

use crate::time::Ps;

/// Next boundaries of a fleet.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    /// Winners, root at 1; leaves hold the times, idle ones the largest time.
    tree: Vec<(Ps, u32)>,
    leaves: usize,
}

impl Due {
    /// So many idle replicas.
    pub(crate) fn new(replicas: u32) -> Self {
        let leaves = (replicas.max(1) as usize).next_power_of_two();
        let tree = (0..2 * leaves).map(|i| (Ps::MAX, i.saturating_sub(leaves) as u32)).collect();
        Self { tree, leaves }
    }

    /// Sets one replica's next boundary. Costs nothing if it is the same, and else one step for
    /// each round that the replica wins or won.
    pub(crate) fn set(&mut self, replica: u16, at: Option<Ps>) {
        let (mut place, at) = (self.leaves + usize::from(replica), at.unwrap_or(Ps::MAX));
        let whom = u32::from(replica);
        if self.tree[place].0 == at {
            return;
        }
        self.tree[place].0 = at;
        while place > 1 {
            place /= 2;
            // The left one wins a tie: it has the smaller number.
            let (left, right) = (self.tree[2 * place], self.tree[2 * place + 1]);
            let winner = if right.0 < left.0 { right } else { left };
            // A round that it neither wins nor won is as it was, and so are those after it.
            let (won, wins) = (self.tree[place].1 == whom, winner.1 == whom);
            if !won && !wins {
                return;
            }
            self.tree[place] = winner;
        }
    }

    /// The earliest boundary and its replica; of several the smallest number.
    pub(crate) fn first(&self) -> Option<(Ps, u16)> {
        let (at, replica) = self.tree[1];
        (at < Ps::MAX).then_some((at, replica as u16))
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
