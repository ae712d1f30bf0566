//! `envoy-least-request`: sections 6.1 and 6.2.

use serde::Deserialize;
use tokenyard_policy::{By, Choice, Fact, ReplicaConfig, TieBreak, Why};

use crate::cases::cases;
use crate::world::{SECOND, World, rule};

fn weights(world: &mut World, weights: &[u32]) {
    for (config, weight) in world.config.iter_mut().zip(weights) {
        *config = ReplicaConfig { weight: Some(weight * 1_000), ..ReplicaConfig::default() };
    }
}

/// How many of so many decisions went to each of three.
fn spread(world: &mut World, params: &[(&str, &str)], decisions: usize) -> [usize; 3] {
    let mut rule = rule("envoy-least-request", params);
    let sent: Vec<u16> = (0..decisions).map(|_| world.send(&mut *rule).0).collect();
    [0, 1, 2].map(|r| sent.iter().filter(|to| **to == r).count())
}

/// Drawn with replacement: the one busiest of n is taken one time in n², and not never.
#[test]
fn case_6_1_1_the_busiest_is_taken_one_time_in_n_squared() {
    for (replicas, most, least) in [(2, 2_650, 2_350), (4, 740, 520)] {
        let mut world = World::new(replicas);
        world.outstanding[1] = 9;
        let mut rule = rule("envoy-least-request", &[]);
        let hit = (0..10_000).filter(|_| world.send(&mut *rule).0 == 1).count();
        assert!((least..most).contains(&hit), "{replicas}: {hit}");
    }
}

#[test]
fn case_6_1_2_the_first_draw_stays_unless_another_has_strictly_fewer() {
    let mut world = World::new(5);
    world.outstanding = vec![1, 0, 1, 0, 2];
    let mut rule = rule("envoy-least-request", &[]);
    for _ in 0..200 {
        let (to, why) = world.send(&mut *rule);
        let Why::Sampled { of: [a, b], .. } = why else { panic!("{why:?}") };
        let load = |r: u16| world.outstanding[usize::from(r)];
        assert_eq!(to, if load(b) < load(a) { b } else { a });
    }
}

#[test]
fn case_6_1_3_no_number_of_draws_is_sure_of_the_least_and_a_full_scan_is() {
    let mut world = World::new(3);
    world.outstanding = vec![3, 1, 2];
    // Never drawn in eight: (2/3)^8, 390 of 10 000.
    let [_, least, _] = spread(&mut world, &[("choice_count", "8")], 10_000);
    assert!((9_530..9_690).contains(&least), "{least}");
    let (_, why) = world.send(&mut *rule("envoy-least-request", &[("choice_count", "8")]));
    assert_eq!(why, Why::SampledOf { draws: 8, by: By::Outstanding });
    assert_eq!(spread(&mut world, &[("selection", "full-scan")], 100), [0, 100, 0]);
    world.outstanding = vec![1, 4, 1];
    let [a, b, c] = spread(&mut world, &[("selection", "full-scan")], 4_000);
    assert!(b == 0 && (1_850..2_150).contains(&a) && a + c == 4_000, "{a} {c}");
}

#[test]
fn case_6_1_4_weights_take_turns_that_shrink_with_requests_in_flight() {
    let mut world = World::new(3);
    weights(&mut world, &[1, 2, 1]);
    assert_eq!(spread(&mut world, &[], 4_000), [1_000, 2_000, 1_000]);
    // Weights 1/1, 2/4, 1/1.
    world.outstanding = vec![0, 3, 0];
    assert_eq!(spread(&mut world, &[], 5_000), [2_000, 1_000, 2_000]);
    // Bias 0 is weighted round robin; bias 2 is 1/1, 2/16, 1/1.
    assert_eq!(spread(&mut world, &[("active_request_bias", "0")], 4_000), [1_000, 2_000, 1_000]);
    assert_eq!(spread(&mut world, &[("active_request_bias", "2")], 1_700), [800, 100, 800]);
}

/// Weights are looked at when a replica is put in again: until its next turn it is taken for as
/// idle as it was.
#[test]
fn case_6_1_5_bursts_go_by_old_weights() {
    let mut world = World::new(2);
    weights(&mut world, &[1, 8]);
    let mut rule = rule("envoy-least-request", &[]);
    let first: Vec<u16> = (0..9).map(|_| world.send(&mut *rule).0).collect();
    assert_eq!(first.iter().filter(|to| **to == 0).count(), 1);
    // Replica 1 is suddenly full, and has the turn it was put in for before.
    world.outstanding = vec![0, 799];
    let mut after: Vec<u16> = (0..6).map(|_| world.send(&mut *rule).0).collect();
    assert!(after.contains(&1), "{after:?}");
    after = (0..50).map(|_| world.send(&mut *rule).0).collect();
    assert!(!after.contains(&1), "{after:?}");
}

#[test]
fn a_bias_that_is_written_down_forces_weights_in_newer_builds() {
    let mut world = World::new(2);
    assert!(matches!(world.send(&mut *rule("envoy-least-request", &[])).1, Why::Sampled { .. }));
    let forced = [("bias_forces_weights", "on")];
    assert_eq!(world.send(&mut *rule("envoy-least-request", &forced)).1, Why::Turn { cursor: 0 });
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlowStart {
    name: String,
    window: String,
    aggression: String,
    age: f64,
    factor: f64,
}

#[test]
fn section_6_2_cases_1_to_6() {
    let table: Vec<SlowStart> = cases(include_str!("../data/slow_start.toml"));
    assert_eq!(table.len(), 9);
    for case in table {
        let params = [("slow_start_s", &*case.window), ("slow_start_aggression", &*case.aggression)];
        let mut world = World::new(2);
        world.age[0] = (case.age * 1e12) as u64;
        let (choice, rows) = world.explained(&mut *rule("envoy-least-request", &params));
        assert!((rows[0].values[1] - case.factor).abs() < 1e-12, "{}: {}", case.name, rows[0].values[1]);
        assert!((rows[1].values[1] - 1.0).abs() < 1e-12, "{}", case.name);
        // Somebody in slow start makes weights unequal.
        let turns = matches!(choice, Choice::Send { why: Why::Turn { .. }, .. });
        assert_eq!(turns, case.factor < 1.0, "{}", case.name);
    }
}

#[test]
fn section_6_2_slow_start_changes_nothing_when_everybody_is_new() {
    let mut world = World::new(3);
    world.age.fill(6 * SECOND);
    assert_eq!(spread(&mut world, &[("slow_start_s", "60")], 3_000), [1_000; 3]);
    // One that is new among old ones gets a tenth of their turns.
    world.age = vec![u64::MAX, 6 * SECOND, u64::MAX];
    assert_eq!(spread(&mut world, &[("slow_start_s", "60")], 2_100), [1_000, 100, 1_000]);
    // Without a window age is nothing.
    world.ties = TieBreak::First;
    assert!(matches!(world.send(&mut *rule("envoy-least-request", &[])).1, Why::Sampled { .. }));
}

/// Whoever comes back is met with a schedule made anew.
#[test]
fn a_replica_that_comes_back_makes_the_schedule_anew() {
    let mut world = World::new(2);
    let mut rule = rule("envoy-least-request", &[("slow_start_s", "60")]);
    assert!(matches!(world.send(&mut *rule).1, Why::Sampled { .. }));
    rule.learn(&Fact::Left(1));
    rule.learn(&Fact::Joined(1));
    world.age[1] = 0;
    assert!(matches!(world.send(&mut *rule).1, Why::Turn { .. }));
}
