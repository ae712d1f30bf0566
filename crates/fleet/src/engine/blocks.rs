//! Blocks of a replica: claimed, published into the prefix cache, released.

use crate::chain::{Chain, Run};
use crate::engine::cache::NONE;
use crate::engine::replica::{CacheChange, Out, Replica, Slot};
use crate::time::Ps;

impl Replica {
    /// Leading blocks of a chain in the cache after the last boundary before `at`.
    pub fn hits(&mut self, at: Ps, chain: &Chain, out: &mut Out) -> u32 {
        self.catch_up(at, out);
        self.cache.hits(chain.runs())
    }

    /// Blocks that nothing is in.
    pub(crate) fn free(&self) -> u32 {
        // Settings are read all the time, and a cache that is not used is far from everything else.
        let idle = if self.settings.prefix_cache { self.cache.idle() } else { 0 };
        self.settings.capacity - self.in_use - idle
    }

    /// Blocks that a claim can have.
    pub(crate) fn room(&self) -> u32 {
        self.settings.capacity - self.in_use
    }

    /// Takes blocks, evicting idle ones where free ones do not suffice. There must be room.
    #[inline]
    pub(crate) fn claim(&mut self, at: Ps, blocks: u32) {
        let free = self.free();
        if blocks > free {
            self.evict(at, blocks - free);
        }
        self.in_use += blocks;
    }

    fn evict(&mut self, at: Ps, blocks: u32) {
        let changes = &mut self.changes;
        self.cache.evict(blocks, |run| {
            if let Some(changes) = changes {
                changes.push(CacheChange { at, run, stored: false });
            }
        });
    }

    /// Puts the blocks of a sequence that are full into the cache: those before `full`.
    pub(crate) fn publish(&mut self, at: Ps, slot: Slot, full: u32) {
        let named = &self.named[slot as usize];
        let (mut path, mut deepest) = (named.path, named.deepest);
        for run in named.ids(path, full) {
            let (end, known, woken) = self.cache.publish(deepest, run);
            // The copy of a block that was cached already is freed; one that nobody held before
            // is in use now.
            self.in_use -= known - woken;
            (path, deepest) = (path + run.len, end);
            if let Some(changes) = self.changes.as_mut().filter(|_| known < run.len) {
                let run = Run { first: run.first + u64::from(known), len: run.len - known };
                changes.push(CacheChange { at, run, stored: true });
            }
        }
        let named = &mut self.named[slot as usize];
        (named.path, named.deepest) = (path, deepest);
    }

    /// Gives back everything a running sequence holds, `kv` tokens in `held` blocks.
    pub(crate) fn release(&mut self, at: Ps, slot: Slot, kv: u32, held: u32) {
        if !self.settings.prefix_cache {
            self.in_use -= held;
            return;
        }
        self.publish(at, slot, self.publishable(slot, kv));
        let named = &mut self.named[slot as usize];
        let (path, deepest) = (named.path, named.deepest);
        (named.path, named.deepest) = (0, NONE);
        self.in_use -= held - path;
        self.in_use -= self.cache.release(deepest);
    }

    /// Full blocks of a sequence that may be cached when it has `kv` tokens.
    pub(crate) fn publishable(&self, slot: Slot, kv: u32) -> u32 {
        let seq = &self.seqs[slot as usize];
        let tokens = if self.settings.cache_generated { kv } else { kv.min(seq.prompt) };
        tokens / self.settings.block
    }
}
