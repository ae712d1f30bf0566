//! `power-of-two-distinct`, section 1.3, and `peak-ewma`.

use proptest::collection::vec;
use proptest::prelude::*;
use tokenyard_det::math;
use tokenyard_policy::{By, Choice, Fact, Rule, Why};

use crate::world::{SECOND, World, rule};

/// Two candidates with `loads` in flight and so many percent of usage, `None` without a report.
fn pair(loads: [u32; 2], usage: [Option<u32>; 2]) -> World {
    let mut world = World::new(2);
    world.outstanding = loads.to_vec();
    world.kv_blocks = vec![100; 2];
    world.kv_used = usage.iter().map(|u| u.unwrap_or(0)).collect();
    world.reported_at = usage.iter().map(|u| u.map(|_| 0)).collect();
    world
}

fn sent(world: &mut World, compare: &str) -> u16 {
    world.send(&mut *rule("power-of-two-distinct", &[("compare", compare)])).0
}

#[test]
fn case_1_3_1_two_reports_are_compared_by_usage_whatever_the_counts() {
    let mut world = pair([0, 90], [Some(80), Some(30)]);
    assert_eq!((sent(&mut world, "usage"), sent(&mut world, "count")), (1, 0));
}

#[test]
fn case_1_3_2_if_either_report_is_missing_both_fall_back_to_counts() {
    for usage in [[Some(80), None], [None, Some(80)], [None, None]] {
        let mut world = pair([3, 2], usage);
        assert_eq!(sent(&mut world, "usage"), 1, "{usage:?}");
    }
    // The fault of the past: 0.8 against 1 request, and the one with a request loses.
    let mut world = pair([50, 1], [Some(80), None]);
    assert_eq!((sent(&mut world, "usage"), sent(&mut world, "mixed")), (1, 0));
}

#[test]
fn case_1_3_3_one_candidate_is_taken_without_a_draw() {
    let mut world = World::new(1);
    let before = world.stream.clone();
    assert_eq!(world.send(&mut *rule("power-of-two-distinct", &[])), (0, Why::Only));
    assert_eq!(world.stream, before);
    world.routable.clear();
    assert_eq!(world.choose(&mut *rule("power-of-two-distinct", &[])), Choice::Nobody);
}

/// Without replacement the one busiest of all is never taken, and each pair is as likely.
#[test]
fn the_busiest_is_never_taken_and_pairs_are_uniform() {
    let mut world = World::new(4);
    world.outstanding[1] = 9;
    let mut rule = rule("power-of-two-distinct", &[]);
    let mut pairs = [[0_u32; 4]; 4];
    for _ in 0..12_000 {
        let (to, why) = world.send(&mut *rule);
        let Why::Sampled { of: [a, b], .. } = why else { panic!("{why:?}") };
        assert_ne!(to, 1);
        pairs[usize::from(a)][usize::from(b)] += 1;
    }
    for (a, row) in pairs.iter().enumerate() {
        for (b, count) in row.iter().enumerate() {
            assert!(if a == b { *count == 0 } else { (850..1_150).contains(count) }, "{a} {b}: {count}");
        }
    }
}

fn first_token(rule: &mut dyn Rule, by: u16, seconds: u64, at: u64) {
    rule.learn(&Fact::FirstToken { by, ttft: seconds * SECOND, at: at * SECOND });
}

fn ewma(world: &mut World, rule: &mut dyn Rule, at: u64) -> f64 {
    world.now = at * SECOND;
    world.explained(rule).1[0].values[1]
}

#[test]
fn a_larger_sample_is_taken_at_once_and_a_peak_is_down_to_a_third_after_the_decay_time() {
    let mut world = World::new(1);
    let mut rule = rule("peak-ewma", &[]);
    first_token(&mut *rule, 0, 2, 0);
    assert!((ewma(&mut world, &mut *rule, 0) - 2.0).abs() < 1e-12);
    first_token(&mut *rule, 0, 8, 0);
    assert!((ewma(&mut world, &mut *rule, 0) - 8.0).abs() < 1e-12);
    assert!((ewma(&mut world, &mut *rule, 10) - 8.0 * math::exp(-1.0)).abs() < 1e-9);
    // A smaller sample pulls by the time that has passed since it was looked at.
    let before = ewma(&mut world, &mut *rule, 10);
    first_token(&mut *rule, 0, 1, 17);
    let kept = math::exp(-0.7);
    assert!((ewma(&mut world, &mut *rule, 17) - before * kept - (1.0 - kept)).abs() < 1e-9);
}

#[test]
fn looking_often_is_looking_once() {
    let decayed = |looks: u64| {
        let (mut world, mut rule) = (World::new(1), rule("peak-ewma", &[]));
        first_token(&mut *rule, 0, 5, 0);
        (1..=looks).map(|i| ewma(&mut world, &mut *rule, 12 * i / looks)).last().unwrap()
    };
    assert!((decayed(1) - decayed(12)).abs() < 1e-9);
}

#[test]
fn a_slow_replica_is_left_alone_until_its_peak_is_forgotten() {
    let mut world = World::new(2);
    let mut rule = rule("peak-ewma", &[("among", "all")]);
    first_token(&mut *rule, 0, 4, 0);
    first_token(&mut *rule, 1, 1, 0);
    // 4 s x 1 against 1 s x 3, then against 1 s x 5.
    world.outstanding = vec![0, 2];
    assert_eq!(world.send(&mut *rule), (1, Why::Least { by: By::PeakCost }));
    world.outstanding = vec![0, 4];
    assert_eq!(world.send(&mut *rule), (0, Why::Least { by: By::PeakCost }));
}

#[test]
fn a_replica_that_never_answered_gets_one_request_or_all() {
    for (unseen, second) in [("penalty", 0), ("free", 1)] {
        let mut world = World::new(2);
        let mut rule = rule("peak-ewma", &[("unseen", unseen)]);
        first_token(&mut *rule, 0, 1, 0);
        world.outstanding = vec![6, 0];
        assert_eq!(world.send(&mut *rule).0, 1);
        world.outstanding = vec![6, 1];
        assert_eq!(world.send(&mut *rule).0, second, "{unseen}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The average stays between 0 and the largest sample of the last while.
    #[test]
    fn an_average_is_never_above_the_largest_sample(samples in vec((0_u64..50, 0_u64..9), 1..20)) {
        let (mut world, mut rule, mut at) = (World::new(1), rule("peak-ewma", &[]), 0);
        let mut largest = 0;
        for (seconds, pause) in samples {
            at += pause;
            first_token(&mut *rule, 0, seconds, at);
            largest = largest.max(seconds);
            let value = ewma(&mut world, &mut *rule, at);
            prop_assert!(value >= 0.0 && value <= largest as f64 + 1e-9);
            prop_assert!(value >= seconds as f64 - 1e-9, "a peak counts at once");
        }
    }
}

/// A reason names what was compared: usages where both report one, counts where nobody does.
#[test]
fn two_distinct_choices_say_what_they_compared() {
    for (compare, reports, by) in [
        ("usage", [true, true], By::KvUsage),
        ("usage", [true, false], By::Outstanding),
        ("count", [true, true], By::Outstanding),
        ("mixed", [true, true], By::KvUsage),
        ("mixed", [true, false], By::UsageOrOutstanding),
        ("mixed", [false, true], By::UsageOrOutstanding),
        ("mixed", [false, false], By::Outstanding),
    ] {
        let mut world = World::new(2);
        world.reported_at = reports.map(|there| there.then_some(0)).to_vec();
        (world.kv_used, world.kv_blocks) = (vec![5, 50], vec![100; 2]);
        let (_, why) = world.send(&mut *rule("power-of-two-distinct", &[("compare", compare)]));
        assert!(
            matches!(why, Why::Sampled { by: named, .. } if named == by),
            "{compare} {reports:?}: {why:?}"
        );
    }
    let mut world = World::new(3);
    let (_, why) = world.send(&mut *rule("peak-ewma", &[]));
    assert!(matches!(why, Why::Sampled { by: By::PeakCost, .. }), "{why:?}");
}
