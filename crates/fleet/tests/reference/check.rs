//! What is true of a reference engine after every boundary and every call.

use std::collections::BTreeMap;

use super::Reference;
use super::calls::need;

impl Reference {
    /// The laws of the state. `parents` names the block before each id, if it has one.
    pub(crate) fn check(&self, parents: &BTreeMap<u64, Option<u64>>) {
        let settings = &self.settings;
        assert!(self.in_use() + self.cache.idle() <= settings.capacity, "more blocks than there are");
        assert!(self.running.len() <= settings.max_seqs as usize);
        let mut held: BTreeMap<u64, u32> = BTreeMap::new();
        for member in &self.running {
            let tokens = member.kv.max(member.target);
            assert!(member.blocks >= need(tokens, settings.block), "a token has no block");
            assert!(member.blocks <= need(tokens + 1, settings.block), "a block has no token");
            assert!(member.path.len() as u32 <= member.kv / settings.block, "only full blocks are cached");
            for (position, id) in member.path.iter().enumerate() {
                assert_eq!(member.block_id(position as u32), Some(*id), "a path follows the chain");
                *held.entry(*id).or_default() += 1;
            }
        }
        for (id, entry) in self.cache.entries() {
            assert_eq!(entry.refs, held.remove(id).unwrap_or(0), "references to {id}");
            let parent = parents.get(id).expect("only ids of the scenario are cached");
            assert!(parent.is_none_or(|parent| self.cache.contains(parent)), "{id} lost its parent");
        }
        assert!(held.is_empty(), "held, but not in the cache: {held:?}");
        assert!(settings.prefix_cache || self.cache.entries().is_empty());
        let is_empty = self.running.is_empty() && self.line.is_empty();
        assert!(self.next.is_some() || is_empty, "idle with work in the line");
    }
}
