//! `envoy-cswrr`: section 6.3.

use serde::Deserialize;
use tokenyard_policy::{Fact, Rates, Rule, Why};

use crate::cases::cases;
use crate::world::{SECOND, World, rule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    qps: f64,
    util: f64,
    eps: f64,
    penalty: String,
    weight: f64,
}

/// A report of a replica at a second: requests a second and use.
fn report(world: &mut World, replica: usize, at: u64, finished: f64, busy: f64) {
    world.reported_at[replica] = Some(at * SECOND);
    world.rates[replica] = Rates { finished, busy, ..Rates::default() };
}

/// Weights at a second; a decision is made then.
fn weights(world: &mut World, rule: &mut dyn Rule, at: u64) -> Vec<f64> {
    world.now = at * SECOND;
    world.explained(rule).1.iter().map(|row| row.values[3]).collect()
}

#[test]
fn section_6_3_cases_1_to_4() {
    let table: Vec<Case> = cases(include_str!("../data/orca.toml"));
    assert_eq!(table.len(), 7);
    for case in table {
        let params = [("error_utilization_penalty", &*case.penalty), ("blackout_s", "0")];
        let (mut world, mut rule) = (World::new(1), rule("envoy-cswrr", &params));
        report(&mut world, 0, 1, case.qps, case.util);
        world.rates[0].failed = case.eps;
        assert_eq!(weights(&mut world, &mut *rule, 2), [case.weight], "{}", case.name);
    }
}

/// Equal weights although one serves half: what is equal is the cost of a request.
#[test]
fn case_6_3_5_half_as_fast_and_half_as_busy_takes_turns_with_the_other() {
    let (mut world, mut rule) = (World::new(2), rule("envoy-cswrr", &[("blackout_s", "0")]));
    report(&mut world, 0, 1, 100.0, 0.5);
    report(&mut world, 1, 1, 50.0, 0.25);
    world.now = 2 * SECOND;
    let sent: Vec<u16> = (0..6).map(|_| world.send(&mut *rule).0).collect();
    assert!(sent == [0, 1, 0, 1, 0, 1] || sent == [1, 0, 1, 0, 1, 0], "{sent:?}");
}

#[test]
fn case_6_3_6_a_report_counts_after_the_blackout_and_until_it_expires() {
    let (mut world, mut rule) = (World::new(1), rule("envoy-cswrr", &[]));
    report(&mut world, 0, 3, 100.0, 0.5);
    assert_eq!(weights(&mut world, &mut *rule, 12), [1.0]);
    assert_eq!(weights(&mut world, &mut *rule, 13), [200.0]);
    assert_eq!(weights(&mut world, &mut *rule, 183), [200.0]);
    assert_eq!(weights(&mut world, &mut *rule, 184), [1.0]);
    // Reporting begins again, and so does the blackout.
    report(&mut world, 0, 200, 100.0, 0.5);
    assert_eq!(weights(&mut world, &mut *rule, 209), [1.0]);
    assert_eq!(weights(&mut world, &mut *rule, 210), [200.0]);
}

#[test]
fn case_6_3_7_the_median_stands_in_for_who_has_no_valid_weight() {
    for (median, want) in [("upper", 400.0), ("mean", 300.0)] {
        let params = [("blackout_s", "0"), ("median", median)];
        let (mut world, mut rule) = (World::new(4), rule("envoy-cswrr", &params));
        for (replica, qps) in [(0, 100.0), (1, 50.0), (3, 200.0), (2, 10.0)] {
            report(&mut world, replica, 1, qps, 0.5);
        }
        // Replica 2 reports nothing of use; of 100, 200 and 400 the middle is 200.
        world.rates[2].finished = 0.0;
        assert_eq!(weights(&mut world, &mut *rule, 2), [200.0, 100.0, 200.0, 400.0]);
        // Of 200 and 400 it is 400 or 300.
        world.rates[1].finished = 0.0;
        world.reported_at[1] = Some(3 * SECOND);
        rule.learn(&Fact::Left(1));
        assert_eq!(weights(&mut world, &mut *rule, 4), [200.0, want, want, 400.0], "{median}");
    }
}

#[test]
fn weights_change_on_the_clock_and_turns_go_by_them() {
    let (mut world, mut rule) =
        (World::new(2), rule("envoy-cswrr", &[("blackout_s", "0"), ("update_s", "5")]));
    report(&mut world, 0, 1, 30.0, 0.5);
    report(&mut world, 1, 1, 10.0, 0.5);
    assert_eq!(weights(&mut world, &mut *rule, 4), [1.0, 1.0]);
    assert_eq!(weights(&mut world, &mut *rule, 5), [60.0, 20.0]);
    // What is reported after the clock has struck waits for the next time.
    report(&mut world, 0, 7, 10.0, 0.5);
    assert_eq!(weights(&mut world, &mut *rule, 9), [60.0, 20.0]);
    let sent: Vec<u16> = (0..400).map(|_| world.send(&mut *rule).0).collect();
    assert_eq!(sent.iter().filter(|to| **to == 0).count(), 300);
    assert_eq!(weights(&mut world, &mut *rule, 10), [20.0, 20.0]);
}

/// Replicas of language models serve a few requests a second; the cut then hides what differs.
#[test]
fn small_weights_are_cut_until_they_are_scaled() {
    for (scale, want) in [("1", [1.0, 1.0]), ("100", [190.0, 110.0])] {
        let params = [("blackout_s", "0"), ("weight_scale", scale)];
        let (mut world, mut rule) = (World::new(2), rule("envoy-cswrr", &params));
        report(&mut world, 0, 1, 1.9, 1.0);
        report(&mut world, 1, 1, 1.1, 1.0);
        assert_eq!(weights(&mut world, &mut *rule, 2), want, "{scale}");
        assert!(matches!(world.send(&mut *rule).1, Why::Turn { .. }));
    }
}
