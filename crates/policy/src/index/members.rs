//! A table over some replicas, made anew when they change.

use core::fmt;
use std::sync::Arc;

use crate::view::ReplicaIx;

/// The last table made, and the replicas it was made for. Copies share the table.
///
/// A table is a function of its replicas and of settings, so it is scratch memory: it is no part
/// of what a rule keeps, and its `Debug` form says nothing.
pub struct PerMembers<T> {
    made: Option<(Vec<ReplicaIx>, Arc<T>)>,
}

impl<T> PerMembers<T> {
    /// The table of `members`; `make` is asked only if the last one was made for others.
    pub fn of(&mut self, members: &[ReplicaIx], make: impl FnOnce(&[ReplicaIx]) -> T) -> Arc<T> {
        match &self.made {
            Some((of, table)) if of == members => Arc::clone(table),
            _ => {
                let table = Arc::new(make(members));
                self.made = Some((members.to_vec(), Arc::clone(&table)));
                table
            }
        }
    }
}

impl<T> Default for PerMembers<T> {
    fn default() -> Self {
        Self { made: None }
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
    fn a_table_is_made_once_for_the_same_members_and_shared_by_copies() {
        let mut tables = PerMembers::default();
        let mut made = 0;
        let mut of = |tables: &mut PerMembers<u16>, members: &[ReplicaIx]| {
            *tables.of(members, |m| {
                made += 1;
                m.iter().sum()
            })
        };
        assert_eq!([of(&mut tables, &[1, 2]), of(&mut tables, &[1, 2])], [3, 3]);
        let mut copy = tables.clone();
        assert_eq!([of(&mut copy, &[1, 2]), of(&mut copy, &[1, 3]), of(&mut tables, &[1, 2])], [3, 4, 3]);
        assert_eq!(made, 2);
    }
}
