//! Tables over some replicas, kept for the sets of replicas that were asked for last.

use core::fmt;
use std::sync::Arc;

use crate::view::ReplicaIx;

/// Sets remembered: all of a small fleet, and all but one of it for each retry elsewhere.
const MOST: usize = 16;

/// The last tables made, the one used last first. Copies share them.
///
/// A table is a function of its replicas and of settings, so all of this is scratch memory: it is
/// no part of what a rule keeps, and its `Debug` form says nothing.
pub struct PerMembers<T> {
    made: Vec<Arc<Made<T>>>,
}

struct Made<T> {
    members: Vec<ReplicaIx>,
    table: T,
}

impl<T> PerMembers<T> {
    /// The table of `members`; `make` is asked only if it is not remembered. The same set as last
    /// time costs one comparison.
    pub fn of(&mut self, members: &[ReplicaIx], make: impl FnOnce(&[ReplicaIx]) -> T) -> &T {
        match self.made.iter().position(|made| made.members == members) {
            Some(at) => self.made[..=at].rotate_right(1),
            None => {
                self.made.truncate(MOST - 1);
                let made = Made { members: members.to_vec(), table: make(members) };
                self.made.insert(0, Arc::new(made));
            }
        }
        &self.made[0].table
    }
}

impl<T> Default for PerMembers<T> {
    fn default() -> Self {
        Self { made: Vec::new() }
    }
}

impl<T> Clone for PerMembers<T> {
    fn clone(&self) -> Self {
        Self { made: self.made.clone() }
    }
}

impl<T> fmt::Debug for PerMembers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerMembers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_made_once_while_it_is_remembered_and_shared_by_copies() {
        let mut tables = PerMembers::default();
        let mut made = 0;
        let mut of = |tables: &mut PerMembers<u16>, members: &[ReplicaIx]| {
            *tables.of(members, |m| {
                made += 1;
                m.iter().sum()
            })
        };
        assert_eq!([of(&mut tables, &[1, 2]), of(&mut tables, &[1, 3])], [3, 4]);
        let mut copy = tables.clone();
        assert_eq!([of(&mut copy, &[1, 2]), of(&mut copy, &[1, 3]), of(&mut tables, &[1, 2])], [3, 4, 3]);
        // Fifteen others leave room for the one used last, and push out the one before.
        (10..25).for_each(|r| assert_eq!(of(&mut tables, &[r]), r));
        assert_eq!(of(&mut tables, &[1, 2]), 3);
        assert_eq!(of(&mut tables, &[1, 3]), 4);
        assert_eq!(made, 2 + 15 + 1);
    }
}
