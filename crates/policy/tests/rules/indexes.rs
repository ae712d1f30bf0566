//! What rules keep, against plain lists that do the same slowly.

use proptest::collection::vec;
use proptest::prelude::*;
use tokenyard_policy::ReplicaIx;
use tokenyard_policy::index::expiry::{Expiring, Limits};
use tokenyard_policy::index::holders::Holders;
use tokenyard_policy::index::radix::Tree;
use tokenyard_policy::index::table::Table;

/// Prompts of few symbols, as chains: an id stands for all before it.
fn prompt() -> impl Strategy<Value = Vec<u64>> {
    vec(0_u64..2, 1..6).prop_map(|symbols| {
        let chain = symbols.into_iter().scan(1, |id, symbol| {
            *id = *id * 2 + symbol;
            Some(*id)
        });
        chain.collect()
    })
}

/// Prompts with who was sent them.
fn sent() -> impl Strategy<Value = Vec<(Vec<u64>, ReplicaIx)>> {
    vec((prompt(), 0_u16..3), 1..40)
}

/// Moves a key to the end of a list, the most recent place.
fn touch(list: &mut Vec<u64>, key: u64) {
    list.retain(|k| *k != key);
    list.push(key);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn holders_are_one_list_of_recent_chunks_for_each_replica(
        sent in sent(), asked in prompt(), capacity in 1_usize..8, forgotten in 0_u16..6,
    ) {
        let (mut index, mut lists) = (Holders::default(), vec![Vec::new(); 3]);
        for (prompt, to) in &sent {
            index.record(prompt, *to, capacity);
            let list = &mut lists[usize::from(*to)];
            for chunk in prompt {
                touch(list, *chunk);
                if list.len() > capacity {
                    list.remove(0);
                }
            }
        }
        if forgotten < 3 {
            index.forget(forgotten);
            lists[usize::from(forgotten)].clear();
        }
        let anybody = asked.iter().take_while(|c| lists.iter().any(|l| l.contains(c))).count();
        let credit = |contiguous| {
            let mut into = [9; 3];
            index.credit(&asked, contiguous, &mut into);
            into
        };
        for (replica, list) in lists.iter().enumerate() {
            let loose = asked[..anybody].iter().filter(|c| list.contains(c)).count();
            let tight = asked.iter().take_while(|c| list.contains(c)).count();
            prop_assert_eq!(credit(false)[replica] as usize, loose);
            prop_assert_eq!(credit(true)[replica] as usize, tight);
            prop_assert_eq!(index.len(replica as ReplicaIx), list.len());
        }
    }

    #[test]
    fn the_table_is_one_list_of_recent_chunks_with_names(
        sent in sent(), asked in prompt(), capacity in 1_usize..8, ttl in 0_u64..40,
    ) {
        let (mut table, mut order) = (Table::default(), Vec::new());
        let mut names = std::collections::BTreeMap::<u64, (u64, Vec<ReplicaIx>)>::new();
        for (now, (prompt, to)) in (0..).zip(&sent) {
            table.sweep(now, ttl);
            names.retain(|_, (written, _)| now - *written <= ttl);
            order.retain(|chunk| names.contains_key(chunk));
            table.record(prompt, *to, now, capacity);
            for chunk in prompt {
                touch(&mut order, *chunk);
                let entry = names.entry(*chunk).or_default();
                entry.0 = now;
                entry.1.push(*to);
                if order.len() > capacity {
                    names.remove(&order.remove(0));
                }
            }
        }
        let has = |replica, chunk: &&u64| names.get(*chunk).is_some_and(|(_, on)| on.contains(&replica));
        let mut want: Vec<_> =
            (0..3).map(|r| (r, asked.iter().take_while(|c| has(r, c)).count() as u32)).collect();
        want.retain(|(_, count)| *count > 0);
        prop_assert_eq!(table.matches(&asked, &[0, 1, 2]), want);
        prop_assert_eq!(table.len(), names.len());
    }

    #[test]
    fn expiring_blocks_are_a_list_of_deadlines(
        sent in sent(), asked in prompt(), ttl in 1_u64..30, most in 1_u64..12, share in 0_u64..5,
    ) {
        let limits = Limits { ttl, most, shrink_to: share as f64 / 4.0 };
        let mut index = Expiring::default();
        // Deadline; then the deepest, the largest id, the largest replica go first.
        let mut list: Vec<(u64, u32, u64, ReplicaIx)> = Vec::new();
        for (now, (prompt, to)) in (0..).zip(&sent) {
            index.expire(now);
            list.retain(|(deadline, ..)| *deadline > now);
            index.record(prompt, *to, now, &limits);
            for (depth, id) in (0..).zip(prompt) {
                list.retain(|(_, _, known, at)| (known, at) != (id, to));
                list.push((now + ttl, depth, *id, *to));
            }
            if list.len() as u64 > most {
                list.sort_unstable_by_key(|(deadline, depth, id, at)| {
                    (core::cmp::Reverse(*deadline), *depth, *id, *at)
                });
                list.truncate((most as f64 * limits.shrink_to) as usize);
            }
        }
        for replica in 0..3 {
            let known = |id: &&u64| list.iter().any(|(_, _, k, at)| (*k, *at) == (**id, replica));
            let want = asked.iter().take_while(known).count();
            prop_assert_eq!(index.overlap(&asked, replica) as usize, want);
        }
        prop_assert_eq!(index.len(), list.len());
    }

    /// Whoever is named on the deepest node holds all that is matched, and nobody else does.
    #[test]
    fn everybody_who_holds_the_longest_match_is_named(
        sent in vec((vec(0_u64..2, 0..6), 0_u16..4), 1..30), asked in vec(0_u64..2, 0..7), among in 1_u16..16,
    ) {
        let mut tree = Tree::default();
        for (now, (prompt, to)) in (0..).zip(&sent) {
            tree.insert_at(prompt, *to, now);
        }
        let among: Vec<ReplicaIx> = (0..4).filter(|r| among & (1 << r) != 0).collect();
        let known = |r: &ReplicaIx| sent.iter().any(|(_, to)| to == r);
        let longest = |r: &ReplicaIx| tree.longest_of(&asked, *r);
        let most = among.iter().map(longest).max().unwrap_or(0);
        let (matched, named) = tree.holders(&asked, &among);
        prop_assert_eq!(matched, most);
        let want: Vec<_> = among.iter().copied().filter(|r| known(r) && longest(r) == most).collect();
        prop_assert_eq!(named, want);
    }

    #[test]
    fn a_tenant_that_forgets_loses_enough_and_nobody_else_loses_anything(
        sent in vec((vec(0_u64..2, 1..6), 0_u16..2), 1..30), excess in 1_u64..20,
    ) {
        let mut tree = Tree::default();
        for (now, (prompt, to)) in (0..).zip(&sent) {
            tree.insert_at(prompt, *to, now);
        }
        let before = [tree.size(0), tree.size(1)];
        let newest = sent.iter().rev().find(|(_, to)| *to == 0).map(|(prompt, _)| prompt);
        tree.forget_oldest(0, excess);
        prop_assert_eq!(tree.size(1), before[1]);
        prop_assert!(before[0] - tree.size(0) >= excess.min(before[0]));
        if let Some(newest) = newest.filter(|_| tree.size(0) > 0) {
            prop_assert_eq!(tree.longest_of(newest, 0), newest.len(), "the last use goes last");
        }
    }
}
