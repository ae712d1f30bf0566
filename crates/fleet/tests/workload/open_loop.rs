//! Moments of open loops, and which draw depends on which setting.

use tokenyard_det::stat;
use tokenyard_fleet::time::in_s;
use tokenyard_fleet::{Request, Workload};

use crate::stage::scenario;

const REQUESTS: usize = 200_000;

fn requests(settings: &[(&str, &str)]) -> Vec<Request> {
    let mut workload = Workload::new(&scenario(settings), None);
    std::iter::from_fn(|| workload.take()).collect()
}

/// Rate and coefficient of variation of the gaps between different times.
fn rate_and_cv(all: &[Request]) -> (f64, f64) {
    let gaps: Vec<f64> = all.windows(2).map(|w| in_s(w[1].arrival - w[0].arrival)).collect();
    (all.len() as f64 / in_s(all[all.len() - 1].arrival), stat::cv(&gaps).unwrap())
}

/// Five standard errors: the mean of n gaps has the relative error CV / √n.
fn check(settings: &[(&str, &str)], rate: f64, cv: f64, error: f64) {
    let all = requests(settings);
    assert_eq!(all.len(), REQUESTS);
    let (r, c) = rate_and_cv(&all);
    assert!((r / rate - 1.0).abs() < 5.0 * error / (REQUESTS as f64).sqrt(), "{settings:?}: rate {r}");
    assert!((c / cv - 1.0).abs() < 0.03, "{settings:?}: CV {c}");
}

#[test]
fn gaps_have_the_rate_and_the_variation_asked_for() {
    let base = [("workload.requests", "200000"), ("workload.rate_rps", "25")];
    let with = |more: &[(&'static str, &'static str)]| [&base[..], more].concat();
    check(&with(&[]), 25.0, 1.0, 1.0);
    check(&with(&[("workload.arrivals", "gamma"), ("workload.burstiness", "0.25")]), 25.0, 2.0, 2.0);
    check(&with(&[("workload.arrivals", "gamma"), ("workload.burstiness", "4")]), 25.0, 0.5, 0.5);
    // Batches of 5: one gap in five, exponential with five times the mean: CV² = 2 · 5 − 1.
    check(&with(&[("workload.arrivals", "batch"), ("workload.batch_size", "5")]), 25.0, 3.0, 3.0);
}

#[test]
fn a_batch_arrives_at_one_instant() {
    let all = requests(&[
        ("workload.arrivals", "batch"),
        ("workload.batch_size", "7"),
        ("workload.requests", "70"),
    ]);
    let sizes: Vec<usize> = all.chunk_by(|a, b| a.arrival == b.arrival).map(<[Request]>::len).collect();
    assert_eq!(sizes, [7; 10]);
}

#[test]
fn one_seed_is_one_workload() {
    let settings =
        [("workload.prefix", "families"), ("workload.tenants", "9"), ("workload.requests", "3000")];
    assert_eq!(requests(&settings), requests(&settings));
    let other = requests(&[&settings[..], &[("seed", "2")]].concat());
    assert_ne!(requests(&settings), other);
}

/// Changing one thing moves nothing else.
#[test]
fn concerns_have_streams_of_their_own() {
    let base = [("workload.requests", "500"), ("workload.prefix", "families"), ("workload.tenants", "50")];
    let seen = |more: &[(&'static str, &'static str)]| {
        let all = requests(&[&base[..], more].concat());
        let column = |of: fn(&Request) -> u64| all.iter().map(of).collect::<Vec<u64>>();
        [
            column(|r| r.arrival),
            column(|r| u64::from(r.prompt)),
            column(|r| u64::from(r.output)),
            column(|r| r.family.map_or(0, u64::from)),
            column(|r| u64::from(r.tenant)),
            column(|r| u64::from(r.priority)),
        ]
    };
    let before = seen(&[]);
    let moved = |more: &[(&'static str, &'static str)]| {
        let after = seen(more);
        (0..6).filter(|i| after[*i] != before[*i]).collect::<Vec<_>>()
    };
    assert_eq!(moved(&[("workload.rate_rps", "9")]), [0]);
    assert_eq!(moved(&[("workload.arrivals", "gamma"), ("workload.burstiness", "0.3")]), [0]);
    assert_eq!(moved(&[("workload.prompt_shape", "mixture")]), [1]);
    assert_eq!(moved(&[("workload.output_shape", "exponential")]), [2]);
    assert_eq!(moved(&[("workload.zipf", "2")]), [3]);
    assert_eq!(moved(&[("workload.tenants", "51")]), [4]);
    assert_eq!(moved(&[("workload.priority_share", "0.5")]), [5]);
    assert_eq!(moved(&[("fleet.replicas", "16"), ("router.rule", "random")]), [] as [usize; 0]);
}

#[test]
fn a_family_shares_its_first_blocks_and_nothing_more() {
    let all = requests(&[
        ("workload.requests", "400"),
        ("workload.prefix", "families"),
        ("workload.families", "7"),
        ("workload.shared_tokens", "100"),
        ("fleet.block", "16"),
    ]);
    for (i, a) in all.iter().enumerate() {
        assert_eq!(a.chain.blocks(), a.prompt / 16);
        for b in &all[..i] {
            let same = a.chain.ids().zip(b.chain.ids()).take_while(|(x, y)| x == y).count();
            // 100 tokens fill 6 blocks of 16; the seventh has text of its own.
            assert_eq!(same, if a.family == b.family { 6 } else { 0 });
        }
    }
    assert_eq!(all.iter().filter_map(|r| r.family).max(), Some(6));
}

#[test]
fn families_follow_zipf() {
    let all = requests(&[
        ("workload.requests", "200000"),
        ("workload.prefix", "families"),
        ("workload.families", "20"),
        ("workload.zipf", "1"),
    ]);
    let total: f64 = (1..=20).map(|k| 1.0 / f64::from(k)).sum();
    for family in 0..20 {
        let p = 1.0 / f64::from(family + 1) / total;
        let seen = all.iter().filter(|r| r.family == Some(family)).count() as f64 / REQUESTS as f64;
        assert!((seen - p).abs() < 5.0 * (p * (1.0 - p) / REQUESTS as f64).sqrt(), "{family}: {seen} {p}");
    }
}
