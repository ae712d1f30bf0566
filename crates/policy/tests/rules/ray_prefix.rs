//! `ray-prefix-affinity`: section 3.3. Texts run as blocks of one character.

use tokenyard_policy::{Choice, Fact, ReplicaIx, Rule, Why};

use crate::world::{World, rule};

const S: u64 = 1_000_000_000_000;

fn ray(params: &[(&str, &str)]) -> Box<dyn Rule> {
    rule("ray-prefix-affinity", params)
}

fn say(world: &mut World, rule: &mut dyn Rule, text: &str) -> (ReplicaIx, Why) {
    world.say(text);
    world.send(rule)
}

/// A text that these replicas hold, sent to each while it is the least loaded of its group.
fn teach(world: &mut World, rule: &mut dyn Rule, text: &str, replicas: &[ReplicaIx]) {
    let all = std::mem::take(&mut world.routable);
    for &replica in replicas {
        world.routable = vec![replica];
        assert_eq!(say(world, rule, text).0, replica);
    }
    world.routable = all;
}

#[test]
fn case_3_3_1_the_shortest_queue_of_all_who_matched() {
    let mut world = World::new(2);
    let mut rule = ray(&[]);
    teach(&mut world, &mut *rule, "abcd", &[0, 1]);
    world.outstanding = vec![7, 3];
    assert_eq!(say(&mut world, &mut *rule, "abcd5678"), (1, Why::Match { matched: 4, of: 8 }));
}

#[test]
fn case_3_3_2_a_miss_goes_to_the_smallest_trees_though_another_is_idle() {
    let mut world = World::new(3);
    let mut rule = ray(&[]);
    teach(&mut world, &mut *rule, &"x".repeat(900), &[2]);
    world.outstanding = vec![2, 2, 0];
    // One of twenty is a rate of 0.05.
    let text = format!("x{}", "y".repeat(19));
    world.say(&text);
    let choice = world.choose(&mut *rule);
    assert_eq!(choice, Choice::Send { to: 0, why: Why::Miss { matched: 1, of: 20 }, tied: 2 });
}

#[test]
fn case_3_3_3_affinity_at_any_load_unless_a_threshold_is_set() {
    let mut world = World::new(2);
    let mut rule = ray(&[]);
    teach(&mut world, &mut *rule, "abcd", &[0]);
    world.outstanding = vec![500, 0];
    assert_eq!(say(&mut world, &mut *rule, "abcd"), (0, Why::Match { matched: 4, of: 4 }));
    let mut rule = ray(&[("imbalanced_threshold", "10")]);
    world.outstanding = vec![0, 0];
    teach(&mut world, &mut *rule, "abcd", &[0]);
    world.outstanding = vec![10, 0];
    assert_eq!(say(&mut world, &mut *rule.clone(), "abcd").0, 0, "10 is not more than 10");
    world.outstanding = vec![500, 0];
    assert_eq!(say(&mut world, &mut *rule, "abcd"), (1, Why::Imbalanced { min: 0, max: 500 }));
}

#[test]
fn an_imbalance_draws_two_distinct_replicas_of_all() {
    let mut world = World::new(4);
    world.outstanding = vec![0, 1, 2, 90];
    let mut rule = ray(&[("imbalanced_threshold", "10")]);
    let mut sent = [0_u32; 4];
    for _ in 0..6_000 {
        sent[usize::from(world.send(&mut *rule).0)] += 1;
    }
    // Of six pairs three hold the first, two more the second, one more the third.
    assert_eq!(sent[3], 0, "the busiest is never the smaller of two");
    assert!((2_850..3_150).contains(&sent[0]) && (1_850..2_150).contains(&sent[1]), "{sent:?}");
}

#[test]
fn the_rate_counts_from_the_threshold_on() {
    let mut world = World::new(2);
    let mut rule = ray(&[("match_rate_threshold", "0.5")]);
    teach(&mut world, &mut *rule, "abcd", &[0]);
    assert_eq!(say(&mut world, &mut *rule.clone(), "abcd1234").1, Why::Match { matched: 4, of: 8 });
    assert_eq!(say(&mut world, &mut *rule, "abcd12345").1, Why::Miss { matched: 4, of: 9 });
}

#[test]
fn the_group_is_sought_in_the_whole_tree() {
    let mut world = World::new(3);
    let mut rule = ray(&[]);
    assert_eq!(say(&mut world, &mut *rule, "aaaa").0, 0);
    teach(&mut world, &mut *rule, "bbbbbbbb", &[1]);
    // Replica 2 was sent least, but is no candidate: nobody is in the group, and two are drawn.
    // The smallest tree among the candidates is replica 0's.
    world.routable = vec![0, 1];
    world.outstanding = vec![3, 1, 0];
    assert_eq!(say(&mut world, &mut *rule, "qqqq"), (1, Why::Miss { matched: 0, of: 4 }));
}

#[test]
fn nothing_is_forgotten_unless_eviction_is_on() {
    for (on, known) in [("off", true), ("on", false)] {
        let params = [
            ("do_eviction", on),
            ("eviction_threshold", "8"),
            ("eviction_target", "6"),
            ("eviction_interval_s", "10"),
        ];
        let mut rule = ray(&params);
        let mut world = World::new(1);
        say(&mut world, &mut *rule, "aaaaa");
        world.now = S;
        say(&mut world, &mut *rule, "bbbbb");
        world.now = 10 * S - 1;
        assert!(matches!(say(&mut world, &mut *rule.clone(), "aaaaa").1, Why::Match { .. }));
        world.now = 10 * S;
        assert_eq!(matches!(say(&mut world, &mut *rule.clone(), "aaaaa").1, Why::Match { .. }), known);
        assert!(matches!(say(&mut world, &mut *rule, "bbbbb").1, Why::Match { .. }), "the newer one stays");
    }
}

#[test]
fn a_replica_that_left_comes_back_with_an_empty_tree() {
    let mut world = World::new(2);
    let mut rule = ray(&[]);
    teach(&mut world, &mut *rule, "abcd", &[0]);
    rule.learn(&Fact::Left(0));
    rule.learn(&Fact::Joined(0));
    let choice = world.clone().choose(&mut *rule.clone());
    assert_eq!(choice, Choice::Send { to: 0, why: Why::Miss { matched: 0, of: 4 }, tied: 2 });
}
