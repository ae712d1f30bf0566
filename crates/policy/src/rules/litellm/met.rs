//! Who is in an entry of upstream's cache, in the order in which they came.

use tokenyard_det::Digest;

use crate::rules::load;
use crate::view::{ReplicaIx, cell};

/// Replicas in the order in which they were written; whether one is among them costs one look.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    order: Vec<ReplicaIx>,
    here: Vec<bool>,
}

impl Met {
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Everybody, in order.
    pub(super) fn order(&self) -> &[ReplicaIx] {
        &self.order
    }

    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.here.fill(false);
    }

    /// Writes a replica down, at the end unless it is there.
    pub(super) fn meet(&mut self, replica: ReplicaIx) {
        if !cell(&self.here, replica) {
            load::room(&mut self.here, replica.saturating_add(1));
            if let Some(here) = self.here.get_mut(usize::from(replica)) {
                *here = true;
                self.order.push(replica);
            }
        }
    }

    /// Writes some replicas down, in turn.
    pub(super) fn meet_all(&mut self, replicas: &[ReplicaIx]) {
        replicas.iter().for_each(|replica| self.meet(*replica));
    }

    /// Puts some replicas, ascending and all of them among those here, into the order in which they
    /// came.
    pub(super) fn sort(&self, some: &mut Vec<ReplicaIx>) {
        if some.len() == self.order.len() {
            some.copy_from_slice(&self.order);
        } else {
            let sorted: Vec<ReplicaIx> =
                self.order.iter().copied().filter(|replica| some.binary_search(replica).is_ok()).collect();
            some.clone_from(&sorted);
        }
    }

    pub(super) fn digest(&self, into: &mut Digest) {
        into.u64(self.order.len() as u64);
        self.order.iter().for_each(|replica| into.u64(u64::from(*replica)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_coming_and_nobody_comes_twice() {
        let mut met = Met::default();
        [5, 2, 5, 9, 2].into_iter().for_each(|replica| met.meet(replica));
        assert_eq!(met.order(), [5, 2, 9]);
        met.meet_all(&[1, 2, 3]);
        assert_eq!(met.order(), [5, 2, 9, 1, 3]);
        let mut some = vec![1, 3, 9];
        met.sort(&mut some);
        assert_eq!(some, [9, 1, 3]);
        let mut everybody = vec![1, 2, 3, 5, 9];
        met.sort(&mut everybody);
        assert_eq!(everybody, [5, 2, 9, 1, 3]);
        met.clear();
        assert!(met.is_empty());
        met.meet(9);
        assert_eq!(met.order(), [9]);
    }
}
