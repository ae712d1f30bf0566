//! The tree as Ray Serve's prefix-aware router keeps it: every node on the way of an insert counts
//! as used then, and a match names everybody on the deepest node.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{NOWHERE, NodeIx, ROOT, Tenant, Tree};

impl<S: Ord + Copy> Tree<S> {
    /// As [`Tree::insert`], with `stamp` as the last use of every node on the way. Stamps of a tree
    /// kept like this are times of insertion.
    pub fn insert_at(&mut self, text: &[S], tenant: Tenant, stamp: u64) {
        let mut at = self.place(text, tenant);
        self.next_epoch();
        while at != NOWHERE {
            let node = self.node_mut(at);
            let parent = node.parent;
            if let Some(label) = node.label_mut(tenant) {
                label.stamp = stamp;
            }
            at = parent;
        }
    }

    /// Leading symbols of `text` on a way of nodes that some of `among` is on, and who of them is
    /// on the last. At the root that is everybody who is known. `among` ascends.
    #[must_use]
    pub fn holders(&self, text: &[S], among: &[Tenant]) -> (usize, Vec<Tenant>) {
        let on = |tenant: &Tenant| among.binary_search(tenant).is_ok();
        let (at, matched) = self.descend(text, |node| node.labels.iter().any(|l| on(&l.tenant)));
        let labels = self.node(at).labels.iter().map(|l| l.tenant);
        (matched, labels.filter(on).collect())
    }

    /// Takes a tenant off its least recently used nodes until it has lost `excess` symbols; nodes
    /// of one stamp go together. The root stays. One pass over all nodes.
    pub fn forget_oldest(&mut self, tenant: Tenant, excess: u64) {
        let mut leaves = BinaryHeap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if let Some(label) = node.label(tenant).filter(|l| l.below == 0) {
                leaves.push(Reverse((label.stamp, at as NodeIx)));
            }
        }
        let (mut lost, mut last) = (0, None);
        while let Some(Reverse((stamp, at))) = leaves.pop() {
            if at == ROOT || (lost >= excess && last != Some(stamp)) {
                break;
            }
            (lost, last) = (lost + self.node(at).len as u64, Some(stamp));
            if let Some((stamp, parent)) = self.detach_leaf(at, tenant) {
                leaves.push(Reverse((stamp, parent)));
            }
        }
        self.compact();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(inserts: &[(&str, Tenant, u64)]) -> Tree<char> {
        let mut tree = Tree::default();
        for (text, tenant, stamp) in inserts {
            tree.insert_at(&text.chars().collect::<Vec<_>>(), *tenant, *stamp);
        }
        tree
    }

    fn holders(tree: &Tree<char>, text: &str, among: &[Tenant]) -> (usize, Vec<Tenant>) {
        tree.holders(&text.chars().collect::<Vec<_>>(), among)
    }

    #[test]
    fn everybody_on_the_deepest_node_is_named() {
        let tree = tree(&[("hello", 0, 1), ("hello", 1, 2), ("hello there", 1, 3), ("help", 2, 4)]);
        assert_eq!(holders(&tree, "hello", &[0, 1, 2]), (5, vec![0, 1]));
        assert_eq!(holders(&tree, "hello there", &[0, 1, 2]), (11, vec![1]));
        assert_eq!(holders(&tree, "hello there", &[0, 2]), (5, vec![0]), "not past who is asked for");
        assert_eq!(holders(&tree, "hellx", &[0, 1, 2]), (4, vec![0, 1]), "a node matched in part");
        assert_eq!(holders(&tree, "x", &[0, 2]), (0, vec![0, 2]));
    }

    /// The example of upstream's own description: sizes 10 and 14.
    #[test]
    fn sizes_are_those_of_upstreams_example() {
        let tree = tree(&[("helloworld", 0, 1), ("hellothere", 1, 2), ("hellothomas", 1, 3)]);
        assert_eq!((tree.size(0), tree.size(1)), (10, 14));
    }

    #[test]
    fn nodes_of_the_oldest_stamp_go_together_and_used_ways_stay() {
        let mut tree = tree(&[("hello", 0, 1), ("hello world", 0, 1), ("hello there", 0, 2), ("abc", 0, 3)]);
        let size = tree.size(0);
        tree.forget_oldest(0, 1);
        assert_eq!(size - tree.size(0), 5, "`world` alone is as old as the first stamp");
        tree.forget_oldest(0, 1);
        assert_eq!(tree.size(0), 3);
        tree.forget_oldest(0, 100);
        assert_eq!(tree.size(0), 0);
        assert_eq!(holders(&tree, "abc", &[0]), (0, vec![0]), "the root stays");
    }
}
