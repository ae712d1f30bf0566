//! Envoy's priority levels, panic threshold and outlier detection: section 6.6, by their pure parts.
//! How they stand around a router is in `crates/fleet/tests/around/health.rs`.

use serde::Deserialize;
use tokenyard_policy::health::{Level, effective, level_of, shares};
use tokenyard_policy::outlier::{OutlierSettings, Outliers, success_rate_threshold};

use crate::cases::cases;

const S: u64 = 1_000_000_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    levels: Vec<[u32; 2]>,
    overprovisioning: Option<u32>,
    threshold: Option<u32>,
    percent: Vec<u32>,
    exact: Option<Vec<f64>>,
    panics: Vec<bool>,
}

#[test]
fn section_6_6_cases_1_to_3_shares_of_levels() {
    let table: Vec<Case> = cases(include_str!("../data/priorities.toml"));
    assert_eq!(table.len(), 12);
    for case in table {
        let levels = case.levels.iter().map(|[healthy, hosts]| Level { healthy: *healthy, hosts: *hosts });
        let (levels, over): (Vec<Level>, _) = (levels.collect(), case.overprovisioning.unwrap_or(140));
        let got = shares(&levels, over, case.threshold.unwrap_or(50));
        assert_eq!(got.iter().map(|s| s.percent).collect::<Vec<_>>(), case.percent, "{}", case.name);
        assert_eq!(got.iter().map(|s| s.panics).collect::<Vec<_>>(), case.panics, "{}", case.name);
        assert_eq!(got.iter().map(|s| s.percent).sum::<u32>(), 100, "{}", case.name);
        let health: Vec<f64> = levels.iter().map(|level| f64::from(effective(*level, over))).collect();
        let sum: f64 = health.iter().sum();
        for (health, exact) in health.iter().zip(case.exact.unwrap_or_default()) {
            assert!((100.0 * health / sum - exact).abs() < 1e-12, "{}", case.name);
        }
        // A draw reaches each level as often as its share says.
        for (at, share) in got.iter().enumerate() {
            let draws = (1..=100).filter(|draw| level_of(&got, *draw) == at).count();
            assert_eq!(draws, share.percent as usize, "{}", case.name);
        }
    }
}

/// The defaults of the section; the share of failures is not enforced by default.
const USUAL: OutlierSettings = OutlierSettings {
    consecutive: Some(5),
    interval: 10 * S,
    ejection: 30 * S,
    most_ejection: 300 * S,
    most_percent: 10,
    at_least_one: true,
    deviations: Some(1.9),
    volume: 100,
    failure_percent: None,
    failure_volume: 50,
    hosts: 5,
};

fn fail(outliers: &mut Outliers, host: u16, times: usize, now: u64) -> Vec<bool> {
    (0..times).map(|_| outliers.answered(host, true, now)).collect()
}

#[test]
fn section_6_6_five_failures_in_a_row_eject_and_a_success_begins_anew() {
    let mut outliers = Outliers::new(USUAL, 10);
    assert_eq!(fail(&mut outliers, 0, 4, 0), [false; 4]);
    assert!(!outliers.answered(0, false, 0));
    assert_eq!(fail(&mut outliers, 0, 5, 0), [false, false, false, false, true]);
    assert!(outliers.is_out(0) && outliers.out() == 1);
    assert_eq!(fail(&mut outliers, 0, 9, 0), [false; 9], "it is out already");
}

#[test]
fn section_6_6_a_tenth_of_the_hosts_may_be_out_but_at_least_one() {
    let ejected = |settings: OutlierSettings, hosts: u32| {
        let mut outliers = Outliers::new(settings, hosts);
        (0..hosts as u16).for_each(|host| assert_eq!(fail(&mut outliers, host, 5, 0).len(), 5));
        outliers.out()
    };
    assert_eq!([4, 10, 19, 20, 100].map(|hosts| ejected(USUAL, hosts)), [1, 1, 1, 2, 10]);
    let newer = OutlierSettings { at_least_one: false, ..USUAL };
    assert_eq!([4, 9, 10, 20].map(|hosts| ejected(newer, hosts)), [0, 0, 1, 2]);
    assert_eq!(ejected(OutlierSettings { most_percent: 100, ..USUAL }, 4), 4);
    assert_eq!(ejected(OutlierSettings { consecutive: None, ..USUAL }, 4), 0);
    // Who could not be ejected needs five failures more.
    let mut outliers = Outliers::new(USUAL, 4);
    fail(&mut outliers, 0, 5, 0);
    fail(&mut outliers, 1, 5, 0);
    outliers.sweep(30 * S);
    assert_eq!(fail(&mut outliers, 1, 5, 30 * S), [false, false, false, false, true]);
}

/// How long a host stays out that fails again the moment it is back, in sweeps of 10 s.
#[test]
fn section_6_6_an_ejection_is_30_s_times_their_number_and_300_s_at_most() {
    let mut outliers = Outliers::new(USUAL, 10);
    let (mut now, mut lasted) = (0, Vec::new());
    for _ in 0..12 {
        fail(&mut outliers, 3, 5, now);
        let since = now;
        while outliers.is_out(3) {
            now += 10 * S;
            outliers.sweep(now);
        }
        lasted.push((now - since) / S);
    }
    assert_eq!(lasted, [30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 300, 300]);
}

#[test]
fn section_6_6_ejections_end_at_sweeps_and_calm_intervals_forgive_them() {
    let mut outliers = Outliers::new(USUAL, 10);
    let out_for = |outliers: &mut Outliers, now: &mut u64| {
        fail(outliers, 3, 5, *now);
        let since = *now;
        while outliers.is_out(3) {
            *now = (*now / (10 * S) + 1) * 10 * S;
            outliers.sweep(*now);
        }
        (*now - since) / S
    };
    // Ejected 3 s after a sweep, 30 s are over at 33 s: the sweep at 40 s ends it.
    let mut now = 3 * S;
    assert_eq!(out_for(&mut outliers, &mut now), 37);
    // Two calm sweeps: the first is an interval after the host came back, and takes its one back.
    for _ in 0..2 {
        now += 10 * S;
        outliers.sweep(now);
    }
    assert_eq!(out_for(&mut outliers, &mut now), 30, "forgiven, it is the first ejection again");
}

#[test]
fn section_6_6_the_threshold_of_success_rates() {
    // The example of upstream's own comment has the factor 1.9.
    let rates = [50.0, 100.0, 100.0, 100.0, 100.0];
    let (mean, threshold) = success_rate_threshold(&rates, 1.9).unwrap();
    assert_eq!((mean, threshold), (90.0, 52.0));
    assert_eq!(success_rate_threshold(&[], 1.9), None);
}

/// Answers within an interval: successes and failures of each host, never five failures in a row.
fn interval(settings: OutlierSettings, answers: &[[u32; 2]]) -> Vec<u16> {
    let mut outliers = Outliers::new(OutlierSettings { consecutive: None, ..settings }, answers.len() as u32);
    for (host, [well, badly]) in answers.iter().enumerate() {
        (0..*well).for_each(|_| assert!(!outliers.answered(host as u16, false, 0)));
        (0..*badly).for_each(|_| assert!(!outliers.answered(host as u16, true, 0)));
    }
    let ejected = outliers.sweep(10 * S);
    let out: Vec<u16> = (0..answers.len() as u16).filter(|host| outliers.is_out(*host)).collect();
    assert_eq!(out.len(), ejected as usize);
    out
}

#[test]
fn section_6_6_a_success_rate_1_9_deviations_below_the_mean_ejects() {
    assert_eq!(interval(USUAL, &[[100, 0], [50, 50], [100, 0], [100, 0], [100, 0]]), [1]);
    // With four hosts nobody is judged, nor is one with 99 requests.
    assert!(interval(USUAL, &[[100, 0], [50, 50], [100, 0], [100, 0]]).is_empty());
    assert!(interval(USUAL, &[[100, 0], [50, 49], [100, 0], [100, 0], [100, 0]]).is_empty());
    // The threshold is strict: where all are equal nobody is below the mean.
    assert!(interval(USUAL, &[[50, 50]; 6]).is_empty());
    let off = OutlierSettings { deviations: None, ..USUAL };
    assert!(interval(off, &[[100, 0], [50, 50], [100, 0], [100, 0], [100, 0]]).is_empty());
    // An interval is judged by itself.
    let mut outliers = Outliers::new(OutlierSettings { consecutive: None, ..USUAL }, 5);
    for host in 0..5 {
        (0..50).for_each(|_| assert!(!outliers.answered(host, host == 0, 0)));
    }
    assert_eq!(outliers.sweep(10 * S), 0);
    for host in 0..5 {
        (0..50).for_each(|_| assert!(!outliers.answered(host, host == 0, 10 * S)));
    }
    assert_eq!(outliers.sweep(20 * S), 0, "50 in each of two intervals are not 100 in one");
}

#[test]
fn section_6_6_85_percent_of_failures_eject_where_that_is_enforced() {
    let share = OutlierSettings { deviations: None, failure_percent: Some(85), ..USUAL };
    let others = |one: [u32; 2]| [one, [50, 0], [50, 0], [50, 0], [50, 0]];
    assert_eq!(interval(share, &others([15, 85])), [0], "the threshold counts as reached");
    assert!(interval(share, &others([16, 84])).is_empty());
    assert!(interval(share, &others([7, 42])).is_empty(), "49 requests are too few");
    assert!(interval(share, &[[0, 90], [50, 0], [50, 0], [50, 0]]).is_empty(), "four hosts are too few");
    assert!(interval(OutlierSettings { failure_percent: None, ..share }, &others([0, 90])).is_empty());
    // All hosts alike are outliers by their share, as far as the percentage allows.
    assert_eq!(interval(share, &[[0, 90]; 5]), [0]);
}
