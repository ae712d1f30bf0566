//! The prefix cache, block by block.

use std::collections::BTreeMap;

/// What is known of one cached block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// How many running sequences hold it. 0: idle.
    pub(crate) refs: u32,
    /// The number of the release that took its last reference; of no meaning while it is held.
    pub(crate) lost: u64,
}

/// Cached blocks by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    entries: BTreeMap<u64, Entry>,
    releases: u64,
}

impl Cache {
    pub(crate) fn contains(&self, id: u64) -> bool {
        self.entries.contains_key(&id)
    }

    /// Adds a reference to a block, and the block itself if it is not there.
    pub(crate) fn take(&mut self, id: u64) {
        self.entries.entry(id).or_default().refs += 1;
    }

    /// Takes back a reference as if it had never been given: the place in the order of eviction
    /// is as before.
    pub(crate) fn untake(&mut self, id: u64) {
        self.entry(id).refs -= 1;
    }

    /// Drops a reference. A block without one is idle, behind all that are idle already.
    pub(crate) fn release(&mut self, id: u64) {
        self.releases += 1;
        let lost = self.releases;
        let entry = self.entry(id);
        entry.refs -= 1;
        if entry.refs == 0 {
            entry.lost = lost;
        }
    }

    /// Blocks with a reference.
    pub(crate) fn referenced(&self) -> u32 {
        self.entries.values().filter(|entry| entry.refs > 0).count() as u32
    }

    /// Blocks without one.
    pub(crate) fn idle(&self) -> u32 {
        self.entries.values().filter(|entry| entry.refs == 0).count() as u32
    }

    /// Removes the idle block that lost its last reference first.
    pub(crate) fn evict(&mut self) {
        let idle = self.entries.iter().filter(|(_, entry)| entry.refs == 0);
        let first = idle.min_by_key(|(_, entry)| entry.lost).map(|(id, _)| *id);
        self.entries.remove(&first.expect("a claim evicts only what is idle"));
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// All blocks, by id.
    pub(crate) fn entries(&self) -> &BTreeMap<u64, Entry> {
        &self.entries
    }

    fn entry(&mut self, id: u64) -> &mut Entry {
        self.entries.get_mut(&id).expect("whoever drops a reference has one")
    }
}
