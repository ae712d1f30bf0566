use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

impl<S: Ord + Copy> Tree<S> {
    /// What holds for every tree at any time.
    fn check(&self) {
        let mut sizes = vec![0_u64; self.sizes.len()];
        let mut live = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            let at = at as NodeIx;
            if self.free.contains(&at) {
                assert!(node.labels.is_empty() && node.children.is_empty() && node.len == 0);
                continue;
            }
            live += node.len;
            assert_eq!(node.parent == NOWHERE, at == ROOT);
            assert!(at == ROOT || !node.labels.is_empty(), "a node without tenants is given back");
            assert!(node.labels.is_sorted_by_key(|l| l.tenant));
            for (first, child) in &node.children {
                assert_eq!(self.node(*child).parent, at);
                assert_eq!(self.text_of(*child).first().copied().map(|s| s == *first), Some(true));
                assert!(self.node(*child).labels.iter().all(|l| node.label(l.tenant).is_some()));
            }
            for label in &node.labels {
                let carries = |c: &&NodeIx| self.node(**c).label(label.tenant).is_some();
                assert_eq!(label.below as usize, node.children.values().filter(carries).count());
                sizes[usize::from(label.tenant)] += node.len as u64;
            }
        }
        assert_eq!(sizes, self.sizes);
        assert_eq!(live + self.dead, self.text.len());
    }
}

#[test]
fn section_1_1_case_8_eviction() {
    let mut tree = Tree::default();
    tree.insert(&chars("hello"), 1);
    tree.insert(&chars("hello"), 2);
    tree.insert(&chars("world"), 2);
    assert_eq!((tree.size(1), tree.size(2)), (5, 10));
    tree.evict(5);
    tree.check();
    assert_eq!((tree.size(1), tree.size(2)), (5, 5));
    assert_eq!(tree.longest_of(&chars("hello"), 2), 0);
    assert_eq!(tree.longest_of(&chars("world"), 2), 5);
    assert_eq!(tree.longest_of(&chars("hello"), 1), 5);
}

#[test]
fn section_1_1_case_8_match() {
    let mut tree = Tree::default();
    tree.insert(&chars("application"), 1);
    tree.insert(&chars("app"), 2);
    tree.check();
    assert_eq!(tree.longest(&chars("apple")).matched, 4);
    assert_eq!(tree.longest(&chars("application")), Match { matched: 11, owner: Some(1) });
    // The upper part of the split keeps its creator, although tenant 2 ends exactly there.
    assert_eq!(tree.longest(&chars("app")), Match { matched: 3, owner: Some(1) });
}

#[test]
fn a_match_refreshes_one_time_in_eight_and_so_decides_who_is_forgotten() {
    for refreshed in [false, true] {
        let mut tree = Tree::default();
        tree.insert(&chars("aaa"), 0);
        tree.insert(&chars("bbb"), 0);
        // Stamps so far: 0 and 1. Matches take 2 to 7 and refresh nothing; 8 does.
        let matches = if refreshed { 7 } else { 6 };
        (0..matches).for_each(|_| {
            tree.longest(&chars("aaa"));
        });
        tree.evict(3);
        let kept = if refreshed { "aaa" } else { "bbb" };
        assert_eq!(tree.longest_of(&chars(kept), 0), 3);
        assert_eq!(tree.size(0), 3);
    }
}

#[test]
fn once_a_leaf_goes_its_chain_goes_next_up_to_an_end_point() {
    let mut tree = Tree::default();
    tree.insert(&chars("end"), 0);
    tree.insert(&chars("endless"), 0);
    tree.insert(&chars("endlessly"), 1);
    tree.insert(&chars("endlezz"), 0);
    // Tenant 0: "end" is an end point, "le" passed through, "ss" and "zz" leaves, "other" newer.
    tree.insert(&chars("other"), 0);
    assert_eq!(tree.size(0), 14);
    tree.evict(11);
    // "ss" (stamp 1) went and left 12; "zz" (3) went, and "le" needs not.
    assert_eq!((tree.size(0), tree.longest_of(&chars("endlezz"), 0)), (10, 5));
    tree.evict(8);
    assert_eq!(
        (tree.size(0), tree.longest_of(&chars("endlezz"), 0)),
        (8, 3),
        "stamp 0 before stamp 0 of end"
    );
    tree.check();
}

#[test]
fn an_owner_that_was_evicted_is_replaced_by_another_tenant_for_good() {
    let mut tree = Tree::default();
    tree.insert(&chars("prefix"), 7);
    tree.insert(&chars("prefix"), 3);
    tree.insert(&chars("prefix"), 5);
    assert_eq!(tree.longest(&chars("prefix")).owner, Some(7));
    tree.remove(7);
    assert_eq!(tree.longest(&chars("prefix")).owner, Some(3));
    tree.insert(&chars("prefix"), 7);
    tree.insert(&chars("prefix"), 1);
    assert_eq!(tree.longest(&chars("prefix")).owner, Some(3), "the answer was kept");
    [1, 3, 5, 7].into_iter().for_each(|t| tree.remove(t));
    tree.check();
    assert_eq!(tree.longest(&chars("prefix")), Match { matched: 0, owner: None });
}

#[test]
fn a_digest_sees_owners_and_stamps() {
    let digest = |inserts: [(&str, Tenant); 3], touched: &str| {
        let mut tree = Tree::default();
        inserts.into_iter().for_each(|(text, tenant)| tree.insert(&chars(text), tenant));
        // The sixth match takes stamp 8.
        (0..6).for_each(|_| {
            tree.longest(&chars(touched));
        });
        let mut digest = Digest::default();
        tree.digest(&mut digest, u64::from);
        digest.finish()
    };
    let other = [("a", 1), ("b", 1), ("b", 1)];
    assert_ne!(digest(other, "a"), digest(other, "b"), "stamps");
    assert_eq!(digest(other, "a"), digest(other, "a"));
    let [first, second] = [1, 2].map(|creator| [("x", creator), ("x", 2), ("x", 1)]);
    assert_ne!(digest(first, "?"), digest(second, "?"), "owners");
}

#[test]
fn dead_text_is_rewritten() {
    let mut tree = Tree::default();
    for round in 0..40_u32 {
        let text: Vec<u32> = (0..500).map(|i| round * 1_000 + i).collect();
        tree.insert(&text, (round % 2) as Tenant);
        tree.evict(1_000);
        tree.check();
        assert_eq!(tree.longest_of(&text, (round % 2) as Tenant), 500);
    }
    assert!(tree.text.len() < 12_000, "{}", tree.text.len());
}

#[derive(Clone, Debug)]
enum Step {
    Insert(Vec<u8>, Tenant),
    Match(Vec<u8>),
    Evict(u64),
    Remove(Tenant),
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    vec(0_u8..3, 0..9)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (text(), 0_u16..4).prop_map(|(t, w)| Step::Insert(t, w)),
        3 => text().prop_map(Step::Match),
        1 => (0_u64..20).prop_map(Step::Evict),
        1 => (0_u16..4).prop_map(Step::Remove),
    ]
}

fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Against the plain list of inserts: the longest common prefix with anything inserted, and
    /// whoever inserted that prefix first.
    #[test]
    fn without_forgetting_a_tree_answers_like_the_list_of_inserts(
        inserts in vec((text(), 0_u16..4), 0..25),
        asked in vec(text(), 1..10),
    ) {
        let mut tree = Tree::default();
        for (text, tenant) in &inserts {
            tree.insert(text, *tenant);
            tree.check();
        }
        for wanted in asked {
            let matched = inserts.iter().map(|(t, _)| common(t, &wanted)).max().unwrap_or(0);
            let first = inserts.iter().find(|(t, _)| t.starts_with(&wanted[..matched])).map(|(_, w)| *w);
            let found = tree.longest(&wanted);
            prop_assert_eq!(found.matched, matched);
            if matched > 0 {
                prop_assert_eq!(found.owner, first);
            }
            for tenant in 0..4 {
                let own = inserts.iter().filter(|(_, w)| *w == tenant);
                let longest = own.map(|(t, _)| common(t, &wanted)).max().unwrap_or(0);
                prop_assert_eq!(tree.longest_of(&wanted, tenant), longest);
            }
        }
        for tenant in 0..4 {
            let own = inserts.iter().filter(|(_, w)| *w == tenant);
            let mut prefixes: Vec<&[u8]> = own.flat_map(|(t, _)| (1..=t.len()).map(|n| &t[..n])).collect();
            prefixes.sort_unstable();
            prefixes.dedup();
            prop_assert_eq!(tree.size(tenant), prefixes.len() as u64);
        }
    }

    #[test]
    fn any_sequence_keeps_the_tree_sound(steps in vec(step(), 0..60)) {
        let mut tree = Tree::default();
        for step in steps {
            match step {
                Step::Insert(text, tenant) => {
                    tree.insert(&text, tenant);
                    prop_assert_eq!(tree.longest_of(&text, tenant), text.len());
                }
                Step::Match(text) => {
                    let before = tree.clone();
                    let found = tree.longest(&text);
                    let held = (0..4).map(|t| before.longest_of(&text, t)).max();
                    prop_assert_eq!(Some(found.matched), held);
                    prop_assert!(found.owner.is_none_or(|o| before.longest_of(&text, o) == found.matched));
                }
                Step::Evict(limit) => {
                    tree.evict(limit);
                    prop_assert!((0..4).all(|t| tree.size(t) <= limit));
                }
                Step::Remove(tenant) => {
                    tree.remove(tenant);
                    prop_assert_eq!(tree.size(tenant), 0);
                }
            }
            tree.check();
        }
    }

    /// The newest text of a tenant is what it forgets last.
    #[test]
    fn eviction_takes_from_the_oldest(inserts in vec((text(), 0_u16..3), 1..25), limit in 0_u64..20) {
        let mut tree = Tree::default();
        inserts.iter().for_each(|(text, tenant)| tree.insert(text, *tenant));
        let before: Vec<u64> = (0..3).map(|t| tree.size(t)).collect();
        tree.evict(limit);
        for tenant in 0..3 {
            let newest = inserts.iter().rev().find(|(_, w)| *w == tenant).map(|(t, _)| t);
            if let Some(newest) = newest.filter(|t| t.len() as u64 <= limit) {
                prop_assert_eq!(tree.longest_of(newest, tenant), newest.len());
            }
            if before[usize::from(tenant)] <= limit {
                prop_assert_eq!(tree.size(tenant), before[usize::from(tenant)]);
            }
        }
    }
}
