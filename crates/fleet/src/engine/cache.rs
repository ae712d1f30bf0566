//! The prefix cache: a forest of runs of block ids, with an order of eviction.
//!
//! One node is a run of consecutive ids that are held by the same sequences, so that a request
//! costs a few node operations whatever its length. Because an id names everything before it, a
//! block's parent is in the cache whenever the block is, and one map from first ids to nodes
//! finds every continuation.

use crate::chain::Run;
use crate::engine::starts::Starts;

/// Index of a node; [`NONE`] is no node.
pub(crate) type NodeIx = u32;
/// No node: the root, or the end of a list.
pub(crate) const NONE: NodeIx = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    first: u64,
    len: u32,
    /// Running sequences whose path goes through it.
    refs: u32,
    parent: NodeIx,
    children: u32,
    /// Neighbours in the order of eviction, while nobody holds it.
    before: NodeIx,
    after: NodeIx,
}

/// How much of a chain is cached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// Leading blocks in the cache.
    pub(crate) blocks: u32,
    /// Those of them that nobody holds.
    pub(crate) idle: u32,
}

/// Cached blocks of one replica.
#[derive(Clone, Debug)]
pub(crate) struct PrefixCache {
    nodes: Vec<Node>,
    unused: Vec<NodeIx>,
    starts: Starts,
    /// Next to be evicted.
    oldest: NodeIx,
    /// Last to be evicted.
    newest: NodeIx,
    idle: u32,
}

impl PrefixCache {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            unused: Vec::new(),
            starts: Starts::default(),
            oldest: NONE,
            newest: NONE,
            idle: 0,
        }
    }

    /// Cached blocks that nobody holds.
    pub(crate) fn idle(&self) -> u32 {
        self.idle
    }

    /// How much of the chain is cached, `limit` blocks at most. Changes nothing.
    pub(crate) fn find(&self, chain: impl Iterator<Item = Run>, limit: u32) -> Found {
        let mut found = Found::default();
        self.walk(chain, limit, |node, blocks| {
            found.blocks += blocks;
            found.idle += if node.refs == 0 { blocks } else { 0 };
        });
        found
    }

    /// Leading blocks of a chain that are cached. No run of it continues the one before.
    pub(crate) fn hits(&self, runs: &[Run]) -> u32 {
        let mut hits = 0;
        for run in runs {
            let (mut first, mut rest) = (run.first, run.len);
            while rest > 0 {
                let Some(at) = self.starts.get(first) else { return hits };
                let len = self.nodes[at as usize].len;
                if len > rest {
                    return hits + rest;
                }
                (hits, first, rest) = (hits + len, first + u64::from(len), rest - len);
            }
        }
        hits
    }

    /// Visits the cached head of a chain: node and how many of its blocks are matched. Only the
    /// last visit can be to a part of a node.
    fn walk(&self, chain: impl Iterator<Item = Run>, limit: u32, mut visit: impl FnMut(&Node, u32)) {
        let mut left = limit;
        for run in merged(chain) {
            let (mut first, mut rest) = (run.first, run.len.min(left));
            left -= rest;
            while rest > 0 {
                let Some(at) = self.starts.get(first) else { return };
                let node = &self.nodes[at as usize];
                let blocks = node.len.min(rest);
                visit(node, blocks);
                if blocks < node.len {
                    return;
                }
                first += u64::from(blocks);
                rest -= blocks;
            }
        }
    }

    /// Takes a reference to the first `blocks` blocks of a chain, all of which must be cached.
    /// Returns the deepest node of the path.
    pub(crate) fn acquire(&mut self, chain: impl Iterator<Item = Run>, blocks: u32) -> NodeIx {
        let (mut deepest, mut left) = (NONE, blocks);
        for run in merged(chain) {
            let (first, len) = (run.first, run.len.min(left));
            deepest = self.hold_cached(deepest, first, len).0;
            left -= len;
            if left == 0 {
                break;
            }
        }
        deepest
    }

    /// Takes references along a run as far as it is cached. Returns the deepest node, how many
    /// blocks were held, and how many of those nobody held before.
    fn hold_cached(&mut self, deepest: NodeIx, first: u64, len: u32) -> (NodeIx, u32, u32) {
        let (mut deepest, mut first, mut rest, mut woken) = (deepest, first, len, 0);
        while rest > 0 {
            let Some(at) = self.starts.get(first) else { break };
            let blocks = self.nodes[at as usize].len.min(rest);
            let at = self.cut(at, blocks);
            let node = &mut self.nodes[at as usize];
            node.refs += 1;
            if node.refs == 1 {
                woken += blocks;
                self.unlink(at);
            }
            (deepest, first, rest) = (at, first + u64::from(blocks), rest - blocks);
        }
        (deepest, len - rest, woken)
    }

    /// Makes the first `blocks` blocks of a node a node of their own and returns it. The rest
    /// keeps its index, its references and, next to its new parent, its place in the order of eviction.
    fn cut(&mut self, at: NodeIx, blocks: u32) -> NodeIx {
        let node = self.nodes[at as usize];
        if blocks == node.len {
            return at;
        }
        let head = self.add(Node { len: blocks, children: 1, before: NONE, after: NONE, ..node });
        let tail = &mut self.nodes[at as usize];
        tail.first += u64::from(blocks);
        tail.len -= blocks;
        tail.parent = head;
        self.starts.insert(node.first, head);
        self.starts.insert(node.first + u64::from(blocks), at);
        if node.refs == 0 {
            self.link(head, at);
        }
        head
    }

    /// Appends a run of blocks, just filled, to a path that ends at `deepest`. What is cached
    /// already is held instead. Returns the new end of the path, how many blocks were cached
    /// already, and how many of those nobody held.
    pub(crate) fn publish(&mut self, deepest: NodeIx, run: Run) -> (NodeIx, u32, u32) {
        let (deepest, known, woken) = self.hold_cached(deepest, run.first, run.len);
        let (first, len) = (run.first + u64::from(known), run.len - known);
        if len == 0 {
            return (deepest, known, woken);
        }
        if let Some(end) = self.nodes.get_mut(deepest as usize) {
            // Mine alone, and nothing hangs on it: it simply grows.
            if end.refs == 1 && end.children == 0 && end.first + u64::from(end.len) == first {
                end.len += len;
                return (deepest, known, woken);
            }
            end.children += 1;
        }
        let node = Node { first, len, refs: 1, parent: deepest, children: 0, before: NONE, after: NONE };
        let at = self.add(node);
        self.starts.insert(first, at);
        (at, known, woken)
    }

    /// Gives up one reference along a path, deepest first. Returns how many blocks nobody holds
    /// any more.
    pub(crate) fn release(&mut self, deepest: NodeIx) -> u32 {
        let (mut at, mut freed) = (deepest, 0);
        while let Some(node) = self.nodes.get_mut(at as usize) {
            node.refs -= 1;
            let (refs, len, parent) = (node.refs, node.len, node.parent);
            if refs == 0 {
                freed += len;
                self.idle += len;
                let newest = self.newest;
                self.link_between(at, newest, NONE);
            }
            at = parent;
        }
        freed
    }

    /// Evicts blocks that nobody holds, in order, `blocks` of them or all there are.
    /// Tells `gone` of every run that goes.
    pub(crate) fn evict(&mut self, blocks: u32, mut gone: impl FnMut(Run)) {
        let mut left = blocks;
        while left > 0 && self.oldest != NONE {
            let at = self.oldest;
            let node = &mut self.nodes[at as usize];
            let take = node.len.min(left);
            node.len -= take;
            left -= take;
            let (first, len, parent) = (node.first, node.len, node.parent);
            gone(Run { first: first + u64::from(len), len: take });
            self.idle -= take;
            if len == 0 {
                self.unlink(at);
                self.starts.remove(first);
                self.unused.push(at);
                if let Some(parent) = self.nodes.get_mut(parent as usize) {
                    parent.children -= 1;
                }
            }
        }
    }

    fn add(&mut self, node: Node) -> NodeIx {
        if let Some(at) = self.unused.pop() {
            self.nodes[at as usize] = node;
            return at;
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeIx
    }

    /// Puts a node into the order of eviction directly after another.
    fn link(&mut self, at: NodeIx, before: NodeIx) {
        let after = self.nodes[before as usize].after;
        self.link_between(at, before, after);
    }

    fn link_between(&mut self, at: NodeIx, before: NodeIx, after: NodeIx) {
        let node = &mut self.nodes[at as usize];
        (node.before, node.after) = (before, after);
        match self.nodes.get_mut(before as usize) {
            Some(node) => node.after = at,
            None => self.oldest = at,
        }
        match self.nodes.get_mut(after as usize) {
            Some(node) => node.before = at,
            None => self.newest = at,
        }
    }

    /// Takes a node out of the order of eviction, with its blocks.
    fn unlink(&mut self, at: NodeIx) {
        let Node { len, before, after, .. } = self.nodes[at as usize];
        self.idle -= len;
        match self.nodes.get_mut(before as usize) {
            Some(node) => node.after = after,
            None => self.oldest = after,
        }
        match self.nodes.get_mut(after as usize) {
            Some(node) => node.before = before,
            None => self.newest = before,
        }
    }
}

/// Runs that continue each other as one: a node does not end where its neighbour was joined on.
fn merged(chain: impl Iterator<Item = Run>) -> impl Iterator<Item = Run> {
    let mut chain = chain.peekable();
    std::iter::from_fn(move || {
        let mut run = chain.next()?;
        while let Some(next) = chain.next_if(|next| next.first == run.first + u64::from(run.len)) {
            run.len += next.len;
        }
        Some(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(first: u64, len: u32) -> Run {
        Run { first, len }
    }

    fn gone(cache: &mut PrefixCache, blocks: u32) -> Vec<u64> {
        let mut ids = Vec::new();
        cache.evict(blocks, |run| ids.extend((run.first..run.first + u64::from(run.len)).rev()));
        ids
    }

    #[test]
    fn a_shared_prefix_is_held_once_and_evicted_last() {
        let mut cache = PrefixCache::new();
        let (a, ..) = cache.publish(NONE, run(10, 4));
        assert_eq!(cache.find([run(10, 9)].into_iter(), 9), Found { blocks: 4, idle: 0 });
        assert_eq!(cache.hits(&[run(10, 9)]), 4);
        assert_eq!(cache.hits(&[run(10, 3), run(50, 2)]), 3);
        let b = cache.acquire([run(10, 2)].into_iter(), 2);
        let (b, known, woken) = cache.publish(b, run(50, 3));
        assert_eq!((known, woken), (0, 0));
        assert_eq!(cache.release(a), 2, "the other two are still held");
        assert_eq!(cache.release(b), 5);
        assert_eq!(cache.idle(), 7);
        assert_eq!(gone(&mut cache, 100), [13, 12, 52, 51, 50, 11, 10]);
        assert_eq!(cache.find([run(10, 1)].into_iter(), 1), Found::default());
    }

    #[test]
    fn an_own_tail_grows_in_place_and_a_known_one_is_held() {
        let mut cache = PrefixCache::new();
        let (a, ..) = cache.publish(NONE, run(1, 2));
        let (grown, ..) = cache.publish(a, run(3, 2));
        assert_eq!(a, grown);
        let (b, known, woken) = cache.publish(NONE, run(1, 6));
        assert_eq!((known, woken), (4, 0));
        assert_eq!(cache.release(a), 0);
        assert_eq!(cache.release(b), 6);
        let (c, known, woken) = cache.publish(NONE, run(1, 3));
        assert_eq!((known, woken), (3, 3));
        assert_eq!(gone(&mut cache, 100), [6, 5, 4]);
        assert_eq!(cache.release(c), 3);
    }

    #[test]
    fn two_runs_that_continue_each_other_are_found_inside_one_node() {
        let mut cache = PrefixCache::new();
        cache.publish(NONE, run(1, 5));
        let chain = [run(1, 2), run(3, 2), run(9, 1)];
        assert_eq!(cache.find(chain.into_iter(), 9).blocks, 4);
    }

    #[test]
    fn half_an_idle_run_keeps_its_place_in_the_order() {
        let mut cache = PrefixCache::new();
        let (a, ..) = cache.publish(NONE, run(1, 4));
        let (b, ..) = cache.publish(NONE, run(100, 2));
        cache.release(a);
        cache.release(b);
        let c = cache.acquire([run(1, 2)].into_iter(), 2);
        assert_eq!(cache.idle(), 4);
        assert_eq!(gone(&mut cache, 3), [4, 3, 101]);
        cache.release(c);
        assert_eq!(gone(&mut cache, 9), [100, 2, 1]);
    }
}
