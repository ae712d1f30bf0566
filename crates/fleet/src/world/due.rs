//! When each replica's next boundary comes: a tournament in groups of four, so that the earliest is
//! known at once and a change costs one path to the root, without a branch.

use crate::time::Ps;

/// Next boundaries of a fleet.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    /// The earliest of all.
    first: Ps,
    /// Earliest times of the four parts of all in group 0, of the four parts of its part i in group
    /// i + 1, and so on; those of the replicas themselves stand last. The largest time is an idle
    /// one's.
    groups: Vec<[Ps; 4]>,
    /// The first group of replicas.
    leaves: usize,
}

impl Due {
    /// So many idle replicas.
    pub(crate) fn new(replicas: u32) -> Self {
        let (mut leaves, mut width) = (0, 1);
        while 4 * width < replicas as usize {
            leaves += width;
            width *= 4;
        }
        Self { first: Ps::MAX, groups: vec![[Ps::MAX; 4]; leaves + width], leaves }
    }

    /// Sets one replica's next boundary. Costs a step for each round.
    pub(crate) fn set(&mut self, replica: u16, at: Option<Ps>) {
        let mut group = self.leaves + usize::from(replica) / 4;
        self.groups[group][usize::from(replica) % 4] = at.unwrap_or(Ps::MAX);
        loop {
            let [a, b, c, d] = self.groups[group];
            let earliest = a.min(b).min(c.min(d));
            if group == 0 {
                self.first = earliest;
                return;
            }
            let part = group - 1;
            group = part / 4;
            self.groups[group][part % 4] = earliest;
        }
    }

    /// The earliest boundary.
    pub(crate) fn first(&self) -> Option<Ps> {
        Some(self.first).filter(|at| *at < Ps::MAX)
    }

    /// Whose it is; of several the smallest number.
    pub(crate) fn whose(&self) -> u16 {
        let mut group = 0;
        loop {
            let [a, b, c, _] = self.groups[group].map(|at| usize::from(at != self.first));
            let part = a + (a & b) + (a & b & c);
            if group >= self.leaves {
                return (4 * (group - self.leaves) + part) as u16;
            }
            group = 4 * group + 1 + part;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_det::Stream;

    #[test]
    fn the_winner_is_the_minimum_with_the_smallest_number() {
        let mut stream = Stream::new(1, "test", 0);
        for replicas in [1, 2, 3, 4, 5, 8, 16, 17, 100] {
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
