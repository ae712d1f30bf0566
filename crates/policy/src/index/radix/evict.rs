//! Forgetting: the least recently used leaves of tenants that hold too much, and whole tenants.

use core::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{NOWHERE, Node, NodeIx, ROOT, Tenant, Tree};

/// Below this many dead symbols the text is not worth rewriting.
const COMPACT_FROM: usize = 4_096;

impl<S: Ord + Copy> Tree<S> {
    /// Takes every tenant that holds more than `limit` symbols off its least recent leaf, again
    /// and again, until it holds no more than that.
    ///
    /// A node that inserts only passed through has stamp 0, so once its last leaf is gone it goes
    /// next. Costs nothing while nobody is over the limit, and one pass over all nodes otherwise.
    pub fn evict(&mut self, limit: u64) {
        if self.sizes.iter().all(|size| *size <= limit) {
            return;
        }
        let mut leaves = BinaryHeap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            for label in node.labels.iter().filter(|l| l.below == 0 && self.size(l.tenant) > limit) {
                leaves.push(Reverse((label.stamp, label.tenant, at as NodeIx)));
            }
        }
        while let Some(Reverse((_, tenant, at))) = leaves.pop() {
            if self.size(tenant) <= limit {
                continue;
            }
            if let Some((stamp, parent)) = self.detach_leaf(at, tenant) {
                leaves.push(Reverse((stamp, tenant, parent)));
            }
        }
        self.compact();
    }

    /// Forgets a tenant altogether.
    pub fn remove(&mut self, tenant: Tenant) {
        if let Some(size) = self.sizes.get_mut(usize::from(tenant)) {
            *size = 0;
        }
        let mut bare = Vec::new();
        for (at, node) in self.nodes.iter_mut().enumerate() {
            if node.detach(tenant) && node.labels.is_empty() && at as NodeIx != ROOT {
                bare.push(at as NodeIx);
            }
        }
        bare.into_iter().for_each(|at| self.release(at));
        self.compact();
    }

    /// Takes a tenant off one of its leaves; the parent with its stamp if that is a leaf now.
    pub(super) fn detach_leaf(&mut self, at: NodeIx, tenant: Tenant) -> Option<(u64, NodeIx)> {
        let node = self.node_mut(at);
        node.detach(tenant);
        let (parent, len) = (node.parent, node.len as u64);
        let bare = node.labels.is_empty();
        if let Some(size) = self.sizes.get_mut(usize::from(tenant)) {
            *size = size.saturating_sub(len);
        }
        if parent == NOWHERE {
            return None;
        }
        if bare {
            self.release(at);
        }
        let label = self.node_mut(parent).label_mut(tenant)?;
        label.below -= 1;
        (label.below == 0).then_some((label.stamp, parent))
    }

    /// Gives a node without labels back. Its children have none either, so they go as well, before
    /// or after it.
    fn release(&mut self, at: NodeIx) {
        let first = self.text_of(at).first().copied();
        let node = self.node_mut(at);
        let parent = core::mem::replace(&mut node.parent, NOWHERE);
        let len = core::mem::take(&mut node.len);
        node.children = BTreeMap::new();
        self.dead += len;
        self.free.push(at);
        // A parent that went first has forgotten its children and may not be asked.
        if parent != NOWHERE
            && let Some(first) = first
            && self.node(parent).children.get(&first) == Some(&at)
        {
            self.node_mut(parent).children.remove(&first);
        }
    }

    /// Rewrites the text when most of it is dead.
    pub(super) fn compact(&mut self) {
        if self.dead < COMPACT_FROM || self.dead * 2 < self.text.len() {
            return;
        }
        let mut text = Vec::with_capacity(self.text.len() - self.dead);
        for Node { start, len, .. } in &mut self.nodes {
            let from = core::mem::replace(start, text.len());
            text.extend_from_slice(&self.text[from..from + *len]);
        }
        self.text = text;
        self.dead = 0;
    }
}
