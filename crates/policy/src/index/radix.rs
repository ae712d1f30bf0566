//! One radix tree for many tenants: who was sent which prefix.
//!
//! Tenants are labels on shared nodes, not trees of their own. Every node remembers who created it
//! (its *owner*), and a match names the owner of the deepest matched node, also where later
//! tenants hold that prefix as well. Labels carry stamps of a counter, so that the least recently
//! used leaf of a tenant can be taken away when the tenant has more than its share.
//!
//! Semantics of SMG's `kv_index` tree (lightseekorg/smg 73da68ca), where a hash map's order decides
//! upstream, the smallest tenant decides here.

mod evict;
mod lru;

use std::collections::BTreeMap;

use tokenyard_det::Digest;

/// Number of a tenant: a replica.
pub type Tenant = u16;

/// A match refreshes a stamp when the counter is a multiple of this.
const TOUCH_EVERY: u64 = 8;

/// Node numbers index the arena.
type NodeIx = u32;

const ROOT: NodeIx = 0;

/// Parent of the root and of slots that are free.
const NOWHERE: NodeIx = NodeIx::MAX;

/// One tenant on one node.
#[derive(Clone, Copy, Debug)]
struct Label {
    tenant: Tenant,
    /// Children that carry the tenant too; a leaf of the tenant has none.
    below: u32,
    /// When it was last an end point of an insert, or refreshed; 0 for a node passed through.
    stamp: u64,
}

#[derive(Clone, Debug)]
struct Node<S> {
    /// The node's symbols are `text[start..start + len]` of the tree.
    start: usize,
    len: usize,
    parent: NodeIx,
    owner: Option<Tenant>,
    /// Ascending by tenant. A node's labels contain those of its children.
    labels: Vec<Label>,
    children: BTreeMap<S, NodeIx>,
}

/// How far a prompt is known, and who is named for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Leading symbols found in the tree.
    pub matched: usize,
    /// The tenant named for the deepest node touched; `None` if nobody is left on it.
    pub owner: Option<Tenant>,
}

/// The tree. An empty tree is the default.
#[derive(Clone, Debug)]
pub struct Tree<S> {
    nodes: Vec<Node<S>>,
    /// Slots of `nodes` that may be used again.
    free: Vec<NodeIx>,
    /// Symbols of all nodes; a split changes ranges and copies nothing.
    text: Vec<S>,
    /// Symbols of `text` that no node refers to any more.
    dead: usize,
    /// Symbols held, by tenant.
    sizes: Vec<u64>,
    epoch: u64,
}

impl<S: Ord + Copy> Default for Tree<S> {
    fn default() -> Self {
        let root = Node {
            start: 0,
            len: 0,
            parent: NOWHERE,
            owner: None,
            labels: Vec::new(),
            children: BTreeMap::new(),
        };
        Self { nodes: vec![root], free: Vec::new(), text: Vec::new(), dead: 0, sizes: Vec::new(), epoch: 0 }
    }
}

impl<S> Node<S> {
    fn label(&self, tenant: Tenant) -> Option<&Label> {
        let at = self.labels.binary_search_by_key(&tenant, |l| l.tenant).ok()?;
        self.labels.get(at)
    }

    fn label_mut(&mut self, tenant: Tenant) -> Option<&mut Label> {
        let at = self.labels.binary_search_by_key(&tenant, |l| l.tenant).ok()?;
        self.labels.get_mut(at)
    }

    /// Adds the label with stamp 0; `false` if it was there.
    fn attach(&mut self, tenant: Tenant) -> bool {
        match self.labels.binary_search_by_key(&tenant, |l| l.tenant) {
            Ok(_) => false,
            Err(at) => {
                self.labels.insert(at, Label { tenant, below: 0, stamp: 0 });
                true
            }
        }
    }

    /// Takes the label away; `false` if it was not there.
    fn detach(&mut self, tenant: Tenant) -> bool {
        match self.labels.binary_search_by_key(&tenant, |l| l.tenant) {
            Ok(at) => {
                self.labels.remove(at);
                true
            }
            Err(_) => false,
        }
    }
}

/// Symbols that two texts share from the start.
fn shared<S: PartialEq>(a: &[S], b: &[S]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

impl<S: Ord + Copy> Tree<S> {
    /// Symbols that a tenant holds; 0 for one never seen.
    #[must_use]
    pub fn size(&self, tenant: Tenant) -> u64 {
        self.sizes.get(usize::from(tenant)).copied().unwrap_or(0)
    }

    /// Records that `tenant` was sent `text`. An empty text makes the tenant known.
    ///
    /// Costs one ordered look-up for each node passed, and one allocation for a new leaf.
    pub fn insert(&mut self, text: &[S], tenant: Tenant) {
        let at = self.place(text, tenant);
        let stamp = self.next_epoch();
        if let Some(label) = self.node_mut(at).label_mut(tenant) {
            label.stamp = stamp;
        }
    }

    /// Labels the way of a text, which ends on the node that is given.
    fn place(&mut self, text: &[S], tenant: Tenant) -> NodeIx {
        if self.sizes.len() <= usize::from(tenant) {
            self.sizes.resize(usize::from(tenant) + 1, 0);
        }
        self.node_mut(ROOT).attach(tenant);
        let (mut at, mut done) = (ROOT, 0);
        while let Some(first) = text.get(done) {
            let Some(&child) = self.node(at).children.get(first) else {
                return self.add_leaf(at, &text[done..], tenant);
            };
            let common = shared(self.text_of(child), &text[done..]);
            let child = if common < self.node(child).len { self.split(child, common) } else { child };
            self.attach(child, tenant);
            (at, done) = (child, done + common);
        }
        at
    }

    /// How much of `text` is known, and to whom. Counts as a use in one of eight calls.
    pub fn longest(&mut self, text: &[S]) -> Match {
        let (at, found) = self.find(text);
        self.node_mut(at).owner = found.owner;
        let stamp = self.next_epoch();
        if stamp.is_multiple_of(TOUCH_EVERY)
            && let Some(label) = found.owner.and_then(|o| self.node_mut(at).label_mut(o))
        {
            label.stamp = stamp;
        }
        found
    }

    /// What [`Tree::longest`] would answer. Counts as no use.
    #[must_use]
    pub fn known(&self, text: &[S]) -> Match {
        self.find(text).1
    }

    fn find(&self, text: &[S]) -> (NodeIx, Match) {
        let (at, matched) = self.descend(text, |_| true);
        let node = self.node(at);
        let owner = node.owner.filter(|o| node.label(*o).is_some());
        (at, Match { matched, owner: owner.or_else(|| node.labels.first().map(|l| l.tenant)) })
    }

    /// Leading symbols of `text` that one tenant holds. Counts as no use.
    #[must_use]
    pub fn longest_of(&self, text: &[S], tenant: Tenant) -> usize {
        self.descend(text, |node| node.label(tenant).is_some()).1
    }

    /// Feeds everything that later answers depend on, in the order of the tree.
    pub fn digest(&self, into: &mut Digest, symbol: impl Fn(S) -> u64) {
        into.u64(self.epoch);
        let mut stack = vec![ROOT];
        while let Some(at) = stack.pop() {
            let node = self.node(at);
            into.u64(node.len as u64);
            self.text_of(at).iter().for_each(|s| into.u64(symbol(*s)));
            into.u64(node.owner.map_or(u64::MAX, u64::from));
            into.u64(node.labels.len() as u64);
            for label in &node.labels {
                into.u64(u64::from(label.tenant));
                into.u64(label.stamp);
            }
            into.u64(node.children.len() as u64);
            stack.extend(node.children.values().rev());
        }
    }

    /// The deepest node that `text` touches on a way of nodes that pass, and the symbols matched.
    fn descend(&self, text: &[S], passes: impl Fn(&Node<S>) -> bool) -> (NodeIx, usize) {
        let (mut at, mut matched) = (ROOT, 0);
        while let Some(first) = text.get(matched) {
            let Some(&child) = self.node(at).children.get(first) else { break };
            if !passes(self.node(child)) {
                break;
            }
            let common = shared(self.text_of(child), &text[matched..]);
            (at, matched) = (child, matched + common);
            if common < self.node(child).len {
                break;
            }
        }
        (at, matched)
    }

    /// Labels a node that a whole text passes through.
    fn attach(&mut self, at: NodeIx, tenant: Tenant) {
        let node = self.node_mut(at);
        if node.attach(tenant) {
            let (parent, len) = (node.parent, node.len as u64);
            self.sizes[usize::from(tenant)] += len;
            if let Some(label) = self.node_mut(parent).label_mut(tenant) {
                label.below += 1;
            }
        }
    }

    fn add_leaf(&mut self, parent: NodeIx, rest: &[S], tenant: Tenant) -> NodeIx {
        let Some(&first) = rest.first() else { return parent };
        let start = self.text.len();
        self.text.extend_from_slice(rest);
        let (len, children) = (rest.len(), BTreeMap::new());
        let leaf =
            self.add_node(Node { start, len, parent, owner: Some(tenant), labels: Vec::new(), children });
        self.node_mut(parent).children.insert(first, leaf);
        self.attach(leaf, tenant);
        leaf
    }

    /// Cuts a node after `at` of its symbols, 0 < `at` < length; gives the upper part, which has
    /// the labels, stamps and owner of the lower one.
    fn split(&mut self, lower: NodeIx, at: usize) -> NodeIx {
        let node = self.node(lower);
        let (start, parent, owner) = (node.start, node.parent, node.owner);
        let (first, second) = (self.text[start], self.text[start + at]);
        let labels = node.labels.iter().map(|l| Label { below: 1, ..*l }).collect();
        let children = BTreeMap::from([(second, lower)]);
        let upper = self.add_node(Node { start, len: at, parent, owner, labels, children });
        let node = self.node_mut(lower);
        (node.start, node.len, node.parent) = (start + at, node.len - at, upper);
        self.node_mut(parent).children.insert(first, upper);
        upper
    }

    fn add_node(&mut self, node: Node<S>) -> NodeIx {
        if let Some(at) = self.free.pop() {
            *self.node_mut(at) = node;
            return at;
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeIx
    }

    fn next_epoch(&mut self) -> u64 {
        let epoch = self.epoch;
        self.epoch = epoch.wrapping_add(1);
        epoch
    }

    fn node(&self, at: NodeIx) -> &Node<S> {
        &self.nodes[at as usize]
    }

    fn node_mut(&mut self, at: NodeIx) -> &mut Node<S> {
        &mut self.nodes[at as usize]
    }

    fn text_of(&self, at: NodeIx) -> &[S] {
        let node = self.node(at);
        &self.text[node.start..node.start + node.len]
    }
}

#[cfg(test)]
mod tests;
