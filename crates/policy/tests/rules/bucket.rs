//! `sglang-bucket`: section 1.5. A token has one character here, so lengths are prompt lengths.

use tokenyard_policy::{Choice, Fact, Rule, Why};

use crate::world::{SECOND, World, rule};

fn bucket(params: &[(&str, &str)]) -> Box<dyn Rule> {
    rule("sglang-bucket", &[&[("chars_per_token", "1")][..], params].concat())
}

/// Sends prompts of these lengths at a time in tenths of a second.
fn send(world: &mut World, rule: &mut dyn Rule, at: u64, lengths: &[u32]) -> Vec<(u16, Why)> {
    world.now = at * SECOND / 10;
    let one = |length: &u32| {
        world.prompt_tokens = *length;
        world.send(rule)
    };
    lengths.iter().map(one).collect()
}

/// The ends of all ranges but the last, at a time in tenths of a second.
fn ends(world: &World, rule: &dyn Rule, at: u64) -> Vec<f64> {
    let mut world = world.clone();
    world.now = at * SECOND / 10;
    let (_, rows) = world.explained(&mut *rule.boxed_clone());
    rows.split_last().unwrap().1.iter().map(|row| row.values[2]).collect()
}

#[test]
fn case_1_5_1_first_ranges_share_4096_characters() {
    let mut world = World::new(3);
    let mut rule = bucket(&[]);
    assert_eq!(ends(&world, &*rule, 0), [1_364.0, 2_729.0]);
    let sent = send(&mut world, &mut *rule, 0, &[1_364]);
    assert_eq!(sent, [(0, Why::Owner)]);
    for (length, owner) in [(1_365, 1), (2_729, 1), (2_730, 2), (900_000, 2), (1, 0)] {
        assert_eq!(send(&mut World::new(3), &mut *bucket(&[]), 0, &[length]), [(owner, Why::Owner)]);
    }
}

#[test]
fn case_1_5_2_three_lengths_make_three_ranges() {
    let (mut world, mut rule) = (World::new(3), bucket(&[("adjust_interval_s", "10")]));
    let sent = send(&mut world, &mut *rule, 0, &[33, 34, 34]);
    // The second and the third find the first too far ahead.
    assert_eq!(sent[0], (0, Why::Owner));
    assert!(sent[1..].iter().all(|(to, why)| *to != 0 && matches!(why, Why::Imbalanced { min: 0, .. })));
    assert_eq!(ends(&world, &*rule, 99), [1_364.0, 2_729.0]);
    assert_eq!(ends(&world, &*rule, 100), [33.0, 67.0]);
}

#[test]
fn case_1_5_3_ranges_follow_the_window() {
    let params = [("adjust_interval_s", "3"), ("balance_abs", "300")];
    let (mut world, mut rule) = (World::new(3), bucket(&params));
    send(&mut world, &mut *rule, 0, &[5, 10, 15, 20, 24, 26]);
    assert_eq!(ends(&world, &*rule, 31), [20.0, 26.0]);
    send(&mut world, &mut *rule, 40, &[10, 20, 30, 40, 45, 57]);
    assert_eq!(ends(&world, &*rule, 61), [40.0, 57.0]);
}

#[test]
fn case_1_5_4_where_lengths_run_out_a_range_is_as_long_as_a_share() {
    let params = [("adjust_interval_s", "3"), ("balance_abs", "300")];
    let (mut world, mut rule) = (World::new(3), bucket(&params));
    send(&mut world, &mut *rule, 0, &[20]);
    assert_eq!(ends(&world, &*rule, 31), [20.0, 27.0]);
    send(&mut world, &mut *rule, 40, &[7]);
    assert_eq!(ends(&world, &*rule, 61), [7.0, 10.0]);
}

/// The window is dropped when a request arrives, and not when the clock strikes.
#[test]
fn case_1_5_5_a_window_counts_on_while_nobody_comes() {
    let params = [("adjust_interval_s", "3"), ("balance_abs", "300")];
    let (mut world, mut rule) = (World::new(2), bucket(&params));
    send(&mut world, &mut *rule, 0, &[100]);
    let chars = |world: &World, rule: &dyn Rule| {
        let mut world = world.clone();
        world.explained(&mut *rule.boxed_clone()).1[0].values[0]
    };
    world.now = 900 * SECOND;
    assert_eq!(chars(&world, &*rule), 100.0);
    send(&mut world, &mut *rule, 9_000, &[2]);
    assert_eq!(chars(&world, &*rule), 2.0);
}

#[test]
fn case_1_5_6_after_balance_the_next_two_go_to_two_others() {
    let (mut world, mut rule) = (World::new(3), bucket(&[("adjust_interval_s", "10")]));
    send(&mut world, &mut *rule, 0, &[33, 34, 34]);
    let sent = send(&mut world, &mut *rule, 110, &[33, 33, 33]);
    assert_eq!(sent[0], (0, Why::Owner));
    let [(b, _), (c, _)] = [sent[1], sent[2]];
    assert!(b != 0 && c != 0 && b != c, "{sent:?}");
}

/// The difference must be above `abs` and the ratio above `rel`.
#[test]
fn case_1_5_7_the_gate_is_strict_in_both_ways() {
    for (abs, rel, imbalanced) in
        [("31", "1", true), ("32", "1", false), ("0", "2.9", true), ("0", "3", false)]
    {
        let (mut world, mut rule) = (World::new(2), bucket(&[("balance_abs", abs), ("balance_rel", rel)]));
        // 16 characters and 48 of them, sent by hand: only one is routable at a time.
        world.routable = vec![1];
        send(&mut world, &mut *rule, 0, &[16]);
        world.routable = vec![0];
        send(&mut world, &mut *rule, 0, &[48]);
        world.routable = vec![0, 1];
        let sent = send(&mut world, &mut *rule, 0, &[1]);
        assert_eq!(matches!(sent[0].1, Why::Imbalanced { min: 16, max: 48 }), imbalanced, "{abs} {rel}");
    }
}

/// From the second time on everything is in the first range, until the next adjustment.
#[test]
fn case_1_5_8_a_replica_that_leaves_sends_everything_to_the_first_range() {
    for (discovery, owners) in [("on", [0, 0, 0]), ("off", [0, 1, 2])] {
        let (mut world, mut rule) =
            (World::new(3), bucket(&[("balance_abs", "100000"), ("discovery", discovery)]));
        send(&mut world, &mut *rule, 0, &[1, 1_400, 2_800]);
        rule.learn(&Fact::Left(2));
        rule.learn(&Fact::Joined(2));
        let sent = send(&mut world, &mut *rule, 1, &[1, 1_400, 2_800]);
        assert_eq!(sent.iter().map(|(to, _)| *to).collect::<Vec<_>>(), owners, "{discovery}");
    }
}

#[test]
fn an_owner_that_is_down_is_stood_in_for_by_the_least_loaded() {
    let (mut world, mut rule) = (World::new(3), bucket(&[("balance_abs", "100000")]));
    send(&mut world, &mut *rule, 0, &[2_000]);
    world.routable = vec![1, 2];
    assert_eq!(send(&mut world, &mut *rule, 0, &[5]), [(2, Why::Fallback { step: 1 })]);
    world.routable = Vec::new();
    assert_eq!(world.choose(&mut *rule), Choice::Nobody);
}

#[test]
fn a_token_has_so_many_characters() {
    let (mut world, mut rule) = (World::new(3), rule("sglang-bucket", &[]));
    assert_eq!(send(&mut world, &mut *rule, 0, &[341]), [(0, Why::Owner)]);
    assert_eq!(send(&mut World::new(3), &mut *rule.boxed_clone(), 0, &[342])[0].0, 1);
}
