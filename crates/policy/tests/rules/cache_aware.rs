//! `sglang-cache-aware` behind its gate: section 1.1. Texts run as blocks of one character.

use tokenyard_policy::{Choice, Fact, ReplicaIx, Rule, Why};

use crate::world::{World, digest, rule};

const S: u64 = 1_000_000_000_000;

fn cache_aware(params: &[(&str, &str)]) -> Box<dyn Rule> {
    rule("sglang-cache-aware", params)
}

/// Sends a text; the loads stay as they are.
fn say(world: &mut World, rule: &mut dyn Rule, text: &str) -> (ReplicaIx, Why) {
    world.say(text);
    world.send(rule)
}

#[test]
fn section_1_1_case_4_imbalance_beats_affinity_every_time() {
    let mut rule = cache_aware(&[("balance_abs", "5"), ("balance_rel", "2")]);
    let mut world = World::new(2);
    world.outstanding = vec![20, 0];
    for _ in 0..5 {
        let sent = say(&mut world, &mut *rule, "test");
        assert_eq!(sent, (1, Why::Imbalanced { min: 0, max: 20 }));
    }
}

#[test]
fn section_1_1_case_5_a_prefix_follows_its_text() {
    let mut rule = cache_aware(&[("cache_threshold", "0.5")]);
    let mut world = World::new(2);
    let first = say(&mut world, &mut *rule, "hello world");
    assert_eq!(first, (0, Why::Miss { matched: 0, of: 11 }));
    // The other replica is as idle and has been chosen less often: only affinity explains this.
    let again = say(&mut world, &mut *rule, "hello world");
    assert_eq!(again, (0, Why::Match { matched: 11, of: 11 }));
    let prefix = say(&mut world, &mut *rule, "hello");
    assert_eq!(prefix, (0, Why::Match { matched: 5, of: 5 }));
    assert_eq!(say(&mut world, &mut *rule, "other").0, 1);
}

#[test]
fn section_1_1_case_7_events() {
    let mut rule = cache_aware(&[("knowledge", "events")]);
    let mut world = World::new(2);
    (world.block_tokens, world.prompt_tokens, world.blocks) = (4, 8, vec![1, 2]);
    world.overlap = vec![2, 2];
    world.indexed = vec![5, 5];
    world.outstanding = vec![10, 0];
    assert_eq!(world.send(&mut *rule), (1, Why::Longest { blocks: 2 }));
    world.outstanding = vec![0, 0];
    world.indexed = vec![5, 6];
    assert_eq!(world.send(&mut *rule), (0, Why::Longest { blocks: 2 }));
    // Three tokens are no block of four: nothing to score, so the smaller load.
    (world.prompt_tokens, world.blocks, world.overlap) = (3, Vec::new(), vec![0, 0]);
    world.outstanding = vec![1, 0];
    assert_eq!(world.send(&mut *rule), (1, Why::Miss { matched: 0, of: 3 }));
}

#[test]
fn section_1_1_step_5_more_blocks_beat_load_and_a_complete_tie_goes_to_the_last() {
    let mut rule = cache_aware(&[("knowledge", "events")]);
    let mut world = World::new(4);
    world.indexed = vec![9, 9, 9, 9];
    world.overlap = vec![0, 3, 4, 0];
    world.outstanding = vec![0, 0, 60, 0];
    assert_eq!(world.send(&mut *rule).0, 2);
    world.overlap = vec![3, 3, 0, 3];
    world.outstanding = vec![1, 1, 0, 1];
    let choice = world.choose(&mut *rule);
    assert_eq!(choice, Choice::Send { to: 3, why: Why::Longest { blocks: 3 }, tied: 3 });
}

#[test]
fn section_1_1_step_5_selections_count_with_events_too() {
    let mut rule = cache_aware(&[("knowledge", "events")]);
    let mut world = World::new(2);
    world.indexed = vec![1, 1];
    world.overlap = vec![1, 0];
    assert_eq!(world.send(&mut *rule).0, 0);
    // Equal loads, nothing cached: the one with fewer selections.
    world.overlap = vec![0, 0];
    let sent = [(); 3].map(|()| world.send(&mut *rule).0);
    assert_eq!(sent, [1, 0, 1]);
}

#[test]
fn section_1_1_step_5_an_empty_index_leaves_the_history() {
    let mut rule = cache_aware(&[("knowledge", "events")]);
    let mut world = World::new(2);
    assert_eq!(say(&mut world, &mut *rule, "abc").1, Why::Miss { matched: 0, of: 3 });
    assert_eq!(say(&mut world, &mut *rule, "abc").1, Why::Match { matched: 3, of: 3 });
    // With an index, whatever the history says: a miss, by load, and nothing is remembered.
    world.indexed = vec![0, 1];
    world.outstanding = vec![1, 0];
    assert_eq!(say(&mut world, &mut *rule, "abcdef"), (1, Why::Miss { matched: 0, of: 6 }));
    world.indexed = vec![0, 0];
    assert_eq!(say(&mut world, &mut *rule, "abcdef").1, Why::Match { matched: 3, of: 6 });
    // A router that does not say how much it has indexed has an index.
    world.indexed = Vec::new();
    assert_eq!(say(&mut world, &mut *rule, "abcdef").1, Why::Miss { matched: 0, of: 6 });
}

#[test]
fn section_1_1_step_6_the_threshold_is_strict() {
    let mut rule = cache_aware(&[("cache_threshold", "0.5")]);
    let mut world = World::new(2);
    say(&mut world, &mut *rule, "abcdefgh");
    assert_eq!(say(&mut world, &mut *rule, "abcd1234").1, Why::Miss { matched: 4, of: 8 });
    assert_eq!(say(&mut world, &mut *rule, "abcde678").1, Why::Match { matched: 5, of: 8 });
}

#[test]
fn section_1_1_step_6_a_hit_is_remembered_whole() {
    let mut rule = cache_aware(&[("cache_threshold", "0.5")]);
    let mut world = World::new(2);
    say(&mut world, &mut *rule, "abcdef");
    assert_eq!(say(&mut world, &mut *rule, "abcdefgh").1, Why::Match { matched: 6, of: 8 });
    assert_eq!(say(&mut world, &mut *rule, "abcdefgh").1, Why::Match { matched: 8, of: 8 });
}

#[test]
fn section_1_1_step_6_the_rate_is_over_all_tokens_of_the_prompt() {
    let mut rule = cache_aware(&[("cache_threshold", "0.5")]);
    let mut world = World::new(2);
    (world.block_tokens, world.prompt_tokens, world.blocks) = (16, 32, vec![1, 2]);
    world.send(&mut *rule);
    // One block of 16 known of 31 tokens is more than half, of 32 it is not.
    (world.prompt_tokens, world.blocks) = (31, vec![1]);
    assert_eq!(world.clone().send(&mut *rule.clone()).1, Why::Match { matched: 16, of: 31 });
    world.prompt_tokens = 32;
    assert_eq!(world.send(&mut *rule).1, Why::Miss { matched: 16, of: 32 });
}

#[test]
fn section_1_1_step_6_an_owner_that_is_gone_sends_to_the_first_and_teaches_nothing() {
    let mut rule = cache_aware(&[]);
    let mut world = World::new(3);
    world.outstanding = vec![1, 1, 0];
    assert_eq!(say(&mut world, &mut *rule, "prompt").0, 2);
    world.routable = vec![0, 1];
    world.outstanding = vec![9, 1, 0];
    let (choice, rows) = world.explained(&mut *rule);
    assert_eq!(choice, Choice::Send { to: 0, why: Why::OwnerGone, tied: 1 });
    assert_eq!(rows[0].values[..2], [9.0, 0.0]);
    // Not counted as a selection, not inserted: the owner has everything when it is back.
    world.routable = vec![0, 1, 2];
    let (choice, rows) = world.explained(&mut *rule);
    assert_eq!(choice, Choice::Send { to: 2, why: Why::Match { matched: 6, of: 6 }, tied: 1 });
    assert_eq!(rows[0].values, [9.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(rows[2].values, [0.0, 1.0, 6.0, 6.0, 0.0, 0.0]);
}

#[test]
fn section_1_1_quirk_overflow_is_remembered_and_traffic_snaps_back() {
    let mut rule = cache_aware(&[("balance_abs", "5"), ("balance_rel", "1")]);
    let mut world = World::new(2);
    assert_eq!(say(&mut world, &mut *rule, "shared").0, 0);
    world.outstanding = vec![6, 0];
    assert_eq!(say(&mut world, &mut *rule, "shared").1, Why::Imbalanced { min: 0, max: 6 });
    let (_, rows) = world.clone().explained(&mut *rule.clone());
    assert_eq!((rows[0].values[2], rows[1].values[2]), (6.0, 6.0), "both hold it now");
    world.outstanding = vec![5, 0];
    assert_eq!(say(&mut world, &mut *rule, "shared"), (0, Why::Match { matched: 6, of: 6 }));
}

#[test]
fn equals_go_by_selections_in_smg_and_by_number_in_the_tree() {
    for (variant, want) in [("smg", [0, 1, 2, 0]), ("in-tree", [0, 0, 0, 0])] {
        let mut rule = cache_aware(&[("variant", variant)]);
        let mut world = World::new(3);
        let sent = ["a", "b", "c", "d"].map(|text| say(&mut world, &mut *rule, text).0);
        assert_eq!(sent, want, "{variant}");
    }
}

#[test]
fn a_miss_may_go_to_the_smallest_tree_whatever_the_load() {
    let mut rule = cache_aware(&[("miss_target", "smallest-tree")]);
    let mut world = World::new(3);
    world.outstanding = vec![0, 0, 60];
    let sent = ["aaaa", "bb", "c", "ddd", "e"].map(|text| say(&mut world, &mut *rule, text).0);
    // Sizes 4, 2, 1: then 3 more for the third, then the second is the smallest.
    assert_eq!(sent, [0, 1, 2, 2, 1]);
}

#[test]
fn a_replica_taken_out_is_forgotten_in_the_tree_and_ages_in_smg() {
    for (variant, known) in [("smg", true), ("in-tree", false)] {
        let mut rule = cache_aware(&[("variant", variant)]);
        let mut world = World::new(2);
        say(&mut world, &mut *rule, "prompt");
        rule.learn(&Fact::Left(0));
        rule.learn(&Fact::Joined(0));
        let why = say(&mut world, &mut *rule, "prompt").1;
        assert_eq!(matches!(why, Why::Match { .. }), known, "{variant}");
    }
}

#[test]
fn the_tree_is_cut_back_when_the_interval_has_passed_and_never_without_one() {
    for (interval, kept_at) in [("60", 59), ("0", 1_000_000)] {
        let params = [("max_tree_size", "4"), ("eviction_interval_s", interval), ("balance_abs", "1000")];
        let mut rule = cache_aware(&params);
        let mut world = World::new(1);
        say(&mut world, &mut *rule, "aaaa");
        say(&mut world, &mut *rule, "bbbb");
        world.now = kept_at * S;
        assert!(matches!(say(&mut world, &mut *rule.clone(), "aaaa").1, Why::Match { .. }));
        world.now = 60 * S;
        let why = say(&mut world, &mut *rule.clone(), "aaaa").1;
        assert_eq!(matches!(why, Why::Match { .. }), interval == "0");
        assert!(matches!(say(&mut world, &mut *rule, "bbbb").1, Why::Match { .. }), "the newer one stays");
    }
}

#[test]
fn the_clock_keeps_its_beat_over_a_long_pause() {
    let mut rule = cache_aware(&[("max_tree_size", "4"), ("eviction_interval_s", "10")]);
    let mut world = World::new(1);
    world.now = 25 * S;
    say(&mut world, &mut *rule, "aaaa");
    say(&mut world, &mut *rule, "bbbb");
    let known = |at: u64| {
        let mut world = world.clone();
        world.now = at;
        matches!(say(&mut world, &mut *rule.clone(), "aaaa").1, Why::Match { .. })
    };
    assert!(known(30 * S - 1), "the next beat after 25 s is at 30 s");
    assert!(!known(30 * S));
}

#[test]
fn a_tree_in_blocks_is_held_to_a_size_in_tokens() {
    let mut rule = cache_aware(&[("max_tree_size", "100"), ("eviction_interval_s", "1")]);
    let mut world = World::new(1);
    world.block_tokens = 16;
    for first in 0..20 {
        (world.blocks, world.prompt_tokens) = (vec![first * 10, first * 10 + 1], 32);
        world.send(&mut *rule);
        world.now += S;
    }
    let (_, rows) = world.explained(&mut *rule);
    assert_eq!(rows[0].values[3], 96.0, "three prompts of 32 tokens fit into 100");
}

#[test]
fn what_is_kept_shows_in_the_digest() {
    let mut rule = cache_aware(&[]);
    let mut world = World::new(2);
    let mut seen = vec![digest(&*rule)];
    for text in ["a", "a", "ab", "b"] {
        say(&mut world, &mut *rule, text);
        seen.push(digest(&*rule));
    }
    seen.dedup();
    assert_eq!(seen.len(), 5);
}
