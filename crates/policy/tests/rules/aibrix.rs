//! `aibrix-prefix-cache`: section 8.1. Texts run as blocks of one character, in upstream's blocks
//! of four.

use tokenyard_det::Stream;
use tokenyard_policy::{Fact, ReplicaIx, Rule, Why};

use crate::world::{World, rule};

const MIN: u64 = 60_000_000_000_000;

fn aibrix(params: &[(&str, &str)]) -> Box<dyn Rule> {
    let all: Vec<_> = [("chunk_tokens", "4")].into_iter().chain(params.iter().copied()).collect();
    rule("aibrix-prefix-cache", &all)
}

fn say(world: &mut World, rule: &mut dyn Rule, text: &str) -> (ReplicaIx, Why) {
    world.say_chained(text);
    world.send(rule)
}

/// Four idle pods, requests that never finish. Pods are named as upstream's test names them: p4
/// is the first chosen, p3 the next, p2 the first of the other two.
#[test]
fn case_8_1_the_whole_sequence() {
    for seed in 0..50 {
        let mut world = World::new(4);
        world.stream = Stream::new(seed, "test", 0);
        let mut rule = aibrix(&[]);
        let mut go = |world: &mut World, text: &str| {
            let (to, why) = say(world, &mut *rule, text);
            world.outstanding[usize::from(to)] += 1;
            (to, why)
        };
        let (p4, why) = go(&mut world, "abcdegfh");
        assert_eq!(why, Why::Miss { matched: 0, of: 8 });
        let (p3, _) = go(&mut world, "wxyz");
        assert_ne!(p3, p4);
        assert_eq!(go(&mut world, "abcdegfh"), (p4, Why::Match { matched: 8, of: 8 }));
        // p4 matches all of it, but its 2 are more than 0.75 + 0.829.
        let (p2, why) = go(&mut world, "abcd");
        assert_eq!(why, Why::Miss { matched: 4, of: 4 });
        assert!(p2 != p3 && p2 != p4);
        let p1 = (0..4).find(|p| ![p2, p3, p4].contains(p)).unwrap();
        // Both p2 and p4 match a third, and p2 has fewer.
        assert_eq!(go(&mut world, "abcdefghijkl"), (p2, Why::Match { matched: 4, of: 12 }));
        // Counts are 0, 2, 1, 2: up to 2.079 is not too many.
        let (_, rows) = { world.clone() }.explained(&mut *rule_with(&world, "abcdefgh"));
        assert!((rows[0].values[2] - 2.079).abs() < 0.001, "{rows:?}");
        assert_eq!(go(&mut world, "abcdefgh"), (p2, Why::Match { matched: 8, of: 8 }));
        world.outstanding[usize::from(p2)] = 9;
        assert_eq!(go(&mut world, "abcdefgh"), (p1, Why::Imbalanced { min: 0, max: 9 }));
    }
}

/// A rule without history, to show the limit of the world's loads.
fn rule_with(world: &World, text: &str) -> Box<dyn Rule> {
    let mut rule = aibrix(&[]);
    say(&mut World::new(world.replicas), &mut *rule, text);
    rule
}

#[test]
fn with_the_gate_open_a_match_still_counts_among_the_least_loaded() {
    let mut world = World::new(3);
    let mut rule = aibrix(&[]);
    world.routable = vec![1];
    say(&mut world, &mut *rule, "abcdefgh");
    world.routable = vec![0, 1, 2];
    world.outstanding = vec![0, 0, 9];
    assert_eq!(say(&mut world, &mut *rule, "abcdefgh"), (1, Why::Match { matched: 8, of: 8 }));
    world.outstanding = vec![0, 1, 9];
    let gated = say(&mut world, &mut *rule.clone(), "abcdefgh");
    assert_eq!(gated, (0, Why::Imbalanced { min: 0, max: 9 }));
    let mut open = rule.clone();
    world.outstanding = vec![0, 1, 8];
    assert_eq!(say(&mut world, &mut *open, "abcdefgh").0, 1, "8 is not more than 8");
}

#[test]
fn only_full_blocks_count() {
    let mut world = World::new(2);
    let mut rule = aibrix(&[]);
    let (first, _) = say(&mut world, &mut *rule, "abcdefg");
    assert_eq!(say(&mut world, &mut *rule, "abcdefg"), (first, Why::Match { matched: 4, of: 7 }));
    assert_eq!(say(&mut world, &mut *rule, "abc").1, Why::Miss { matched: 0, of: 3 });
}

#[test]
fn blocks_go_after_their_time_at_the_next_sweep_and_names_stay_while_anybody_is_sent_them() {
    let mut world = World::new(2);
    let mut rule = aibrix(&[]);
    for (replica, minute) in [(0, 0), (1, 19)] {
        world.routable = vec![replica];
        world.now = minute * MIN;
        say(&mut world, &mut *rule, "abcd");
    }
    world.routable = vec![0];
    world.now = 38 * MIN;
    assert!(matches!(say(&mut world, &mut *rule.clone(), "abcd").1, Why::Match { .. }), "kept by the other");
    world.now = 39 * MIN + 999_999_999_999;
    assert!(matches!(say(&mut world, &mut *rule.clone(), "abcd").1, Why::Match { .. }));
    world.now = 39 * MIN + 1_000_000_000_000;
    assert!(matches!(say(&mut world, &mut *rule, "abcd").1, Why::Miss { .. }));
}

#[test]
fn the_table_has_room_for_so_many_tokens() {
    let mut world = World::new(1);
    let mut rule = aibrix(&[("table_tokens", "8")]);
    for text in ["aaaa", "bbbb", "cccc"] {
        say(&mut world, &mut *rule, text);
    }
    assert!(matches!(say(&mut world, &mut *rule.clone(), "aaaa").1, Why::Miss { .. }));
    assert!(matches!(say(&mut world, &mut *rule, "bbbb").1, Why::Match { .. }));
}

#[test]
fn a_replica_that_left_matches_nothing() {
    let mut world = World::new(1);
    let mut rule = aibrix(&[]);
    say(&mut world, &mut *rule, "abcd");
    rule.learn(&Fact::Left(0));
    assert!(matches!(say(&mut world, &mut *rule, "abcd").1, Why::Miss { matched: 0, .. }));
}
