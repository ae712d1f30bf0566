//! Earliest deadline first: weighted turns in which a weight may change from one turn to the next.

use tokenyard_det::Digest;

use crate::view::ReplicaIx;

/// One replica's next turn.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    deadline: f64,
    /// Who was put in first comes first among equal deadlines.
    order: u64,
    replica: ReplicaIx,
}

/// A schedule. A replica that was put in with weight w has its turn 1/w after the turn that was
/// then. Each pick looks at every entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edf {
    entries: Vec<Entry>,
    now: f64,
    order: u64,
}

impl Edf {
    /// Puts a replica in. A weight of 0 never has its turn before one with a weight.
    pub fn add(&mut self, replica: ReplicaIx, weight: f64) {
        let deadline = self.now + 1.0 / weight.max(f64::MIN_POSITIVE);
        self.entries.push(Entry { deadline, order: self.order, replica });
        self.order += 1;
    }

    /// Whose turn it is; it is put in again with the weight it has now. `None` while empty.
    pub fn turn(&mut self, weight: impl Fn(ReplicaIx) -> f64) -> Option<ReplicaIx> {
        let (mut at, mut first) = (0, *self.entries.first()?);
        for (i, entry) in self.entries.iter().enumerate().skip(1) {
            let earlier = entry.deadline < first.deadline;
            if earlier | ((entry.deadline == first.deadline) & (entry.order < first.order)) {
                (at, first) = (i, *entry);
            }
        }
        self.now = first.deadline;
        self.entries.swap_remove(at);
        self.add(first.replica, weight(first.replica));
        Some(first.replica)
    }

    /// Feeds the schedule, in the order of its entries.
    pub fn digest(&self, into: &mut Digest) {
        into.f64(self.now);
        into.u64(self.order);
        into.u64(self.entries.len() as u64);
        for entry in &self.entries {
            into.f64(entry.deadline);
            into.u64(entry.order);
            into.u64(u64::from(entry.replica));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(weights: &[f64], count: usize) -> Vec<ReplicaIx> {
        let mut edf = Edf::default();
        for (replica, weight) in weights.iter().enumerate() {
            edf.add(replica as ReplicaIx, *weight);
        }
        std::iter::from_fn(|| edf.turn(|r| weights[usize::from(r)])).take(count).collect()
    }

    #[test]
    fn turns_are_in_proportion_to_weights_and_equals_alternate() {
        assert_eq!(turns(&[1.0, 1.0, 1.0], 6), [0, 1, 2, 0, 1, 2]);
        assert_eq!(turns(&[2.0, 4.0], 6), [1, 0, 1, 1, 0, 1]);
        for weights in [[1.0, 2.0, 5.0], [0.5, 0.25, 7.25]] {
            let total: f64 = weights.iter().sum();
            let sent = turns(&weights, 8_000);
            for (replica, weight) in weights.iter().enumerate() {
                let got = sent.iter().filter(|r| usize::from(**r) == replica).count() as f64;
                assert!((got - 8_000.0 * weight / total).abs() <= 2.0, "{weights:?}: {got}");
            }
        }
    }

    #[test]
    fn a_weight_counts_from_the_next_time_it_is_put_in() {
        let mut edf = Edf::default();
        edf.add(0, 1.0);
        edf.add(1, 1.0);
        // Each becomes a hundred times heavier, and is only seen so after its own turn.
        let weight = |_| 100.0;
        let sent: Vec<_> = (0..4).filter_map(|_| edf.turn(weight)).collect();
        assert_eq!(sent, [0, 1, 0, 1]);
        assert_eq!(Edf::default().turn(weight), None);
    }
}
