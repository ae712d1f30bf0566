//! Weights from reports: which count, since when, and what stands in for those that do not.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::rules::{load, param};
use crate::view::{FleetView, ReplicaIx, cell};

/// What is kept of a replica's reports; times in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Kept {
    /// The report that was read last.
    read: Option<u64>,
    weight: u32,
    /// The first of the reports with a weight without a gap.
    since: Option<u64>,
    /// The last of them.
    last: u64,
}

/// All weights.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    blackout: u64,
    expiry: u64,
    every: u64,
    mean: bool,
    kept: Vec<Kept>,
    /// The weights that turns go by; 1 before there are any.
    used: Vec<u32>,
    /// The update that they are of, by its number.
    updated: u64,
}

impl Weights {
    pub(super) fn new(values: &Values) -> Self {
        Self {
            blackout: param::seconds(values, "blackout_s"),
            expiry: param::seconds(values, "expiry_s"),
            every: param::seconds(values, "update_s").max(1),
            mean: values.choice("median") == 1,
            kept: Vec::new(),
            used: Vec::new(),
            updated: 0,
        }
    }

    /// The weight that turns go by, at least 1 as every host's weight is.
    pub(super) fn of(&self, replica: ReplicaIx) -> u32 {
        cell(&self.used, replica).max(1)
    }

    /// A replica is gone, with what it reported.
    pub(super) fn forget(&mut self, replica: ReplicaIx) {
        if let Some(kept) = self.kept.get_mut(usize::from(replica)) {
            *kept = Kept::default();
        }
    }

    /// Reads what is new of when replicas reported and what weight that makes, and makes the weights anew where an update was due. Upstream updates on
    /// a clock; nobody looks between two decisions, so the latest update before a decision is
    /// made up for at it, with the reports that there were by then. Says whether a weight changed.
    pub(super) fn update(
        &mut self,
        fleet: &FleetView<'_>,
        at: impl Fn(ReplicaIx) -> Option<u64>,
        weight: impl Fn(ReplicaIx) -> Option<u32>,
    ) -> bool {
        load::room(&mut self.kept, fleet.replicas);
        load::room(&mut self.used, fleet.replicas);
        let number = fleet.now / self.every;
        let due = number * self.every;
        let changed = number > self.updated && {
            self.updated = number;
            self.read(|replica| at(replica).filter(|at| *at <= due), &weight);
            self.make(due, fleet.routable)
        };
        self.read(&at, &weight);
        changed
    }

    fn read(&mut self, at: impl Fn(ReplicaIx) -> Option<u64>, weight: impl Fn(ReplicaIx) -> Option<u32>) {
        for (replica, kept) in (0..).zip(&mut self.kept) {
            let Some(at) = at(replica).filter(|at| kept.read != Some(*at)) else { continue };
            kept.read = Some(at);
            if let Some(weight) = weight(replica) {
                if at.saturating_sub(kept.last) > self.expiry {
                    kept.since = None;
                }
                kept.weight = weight;
                kept.last = at;
                kept.since.get_or_insert(at);
            }
        }
    }

    fn make(&mut self, at: u64, routable: &[ReplicaIx]) -> bool {
        let (blackout, expiry) = (self.blackout, self.expiry);
        let valid = |kept: &Kept| {
            let old_enough = kept.since.is_some_and(|since| since.saturating_add(blackout) <= at);
            (old_enough && kept.last.saturating_add(expiry) >= at).then_some(kept.weight)
        };
        let weights: Vec<(ReplicaIx, Option<u32>)> =
            routable.iter().map(|r| (*r, valid(&cell(&self.kept, *r)))).collect();
        let mut known: Vec<u32> = weights.iter().filter_map(|(_, weight)| *weight).collect();
        let stand_in = median(&mut known, self.mean).unwrap_or(1);
        let mut changed = false;
        for (replica, weight) in weights {
            if let Some(used) = self.used.get_mut(usize::from(replica)) {
                let weight = weight.unwrap_or(stand_in).max(1);
                changed |= (*used).max(1) != weight;
                *used = weight;
            }
        }
        changed
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        into.u64(self.updated);
        into.u32s(&self.used);
        into.u64(self.kept.len() as u64);
        for kept in &self.kept {
            for time in [kept.read, kept.since] {
                into.u64(u64::from(time.is_some()));
                into.u64(time.unwrap_or(0));
            }
            into.u64(u64::from(kept.weight));
            into.u64(kept.last);
        }
    }
}

/// The middle of some weights; of an even number the upper one, or the mean of both.
fn median(weights: &mut [u32], mean: bool) -> Option<u32> {
    weights.sort_unstable();
    let middle = weights.len() / 2;
    let upper = *weights.get(middle)?;
    match weights.get(middle.wrapping_sub(1)) {
        Some(lower) if mean && weights.len().is_multiple_of(2) => Some(u32::midpoint(*lower, upper)),
        _ => Some(upper),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_of_an_even_number_is_a_setting() {
        assert_eq!(median(&mut [], false), None);
        assert_eq!(median(&mut [7], true), Some(7));
        assert_eq!(median(&mut [9, 1, 4], true), Some(4));
        assert_eq!(median(&mut [9, 1, 4, 20], false), Some(9));
        assert_eq!(median(&mut [9, 1, 4, 20], true), Some(6));
    }
}
