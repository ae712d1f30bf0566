//! The parts of `epp`: section 5. Scorers from a table through the rule, filters and detectors by
//! their pure functions.
//!
//! Not here, because the simulator has nothing of it: latency predictions and headroom tiers
//! (5.1 and 5.2: it has no predictor) and LoRA adapters (5.1). Flow control's bands and time limits
//! (5.5) are the gateway's, in `crates/fleet/tests/around/health.rs`; the decider between prefill and
//! decode pools (5.6) is in `disaggregate.rs`.

use std::collections::BTreeMap;

use serde::Deserialize;
use tokenyard_det::Stream;
use tokenyard_policy::endpoint_picker::{
    Affinity, Sticky, Turns, Utilization, cold, concurrency, sticky, weighted,
};

use crate::cases::cases;
use crate::world::{World, rule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    weight: String,
    #[serde(default)]
    params: BTreeMap<String, String>,
    #[serde(default)]
    waiting: Vec<u32>,
    #[serde(default)]
    running: Vec<u32>,
    #[serde(default)]
    outstanding: Vec<u32>,
    #[serde(default)]
    prefill_tokens: Vec<u64>,
    /// In percent of the blocks.
    #[serde(default)]
    kv_used: Vec<u32>,
    #[serde(default)]
    overlap: Vec<u32>,
    #[serde(default)]
    prompt_tokens: u32,
    scores: Vec<f64>,
}

#[test]
fn section_5_scorers() {
    let table: Vec<Case> = cases(include_str!("../data/epp.toml"));
    assert_eq!(table.len(), 17);
    for case in table {
        let off = ["queue_weight", "kv_weight", "prefix_weight"].map(|key| (key, "0"));
        let on = [(case.weight.as_str(), "1")];
        let params = case.params.iter().map(|(key, text)| (key.as_str(), text.as_str()));
        let params: Vec<_> = off.into_iter().chain(on).chain(params).collect();
        let mut world = World::new(case.scores.len() as u16);
        (world.block_tokens, world.prompt_tokens, world.blocks) = (1, case.prompt_tokens, Vec::new());
        (world.waiting, world.running, world.outstanding) = (case.waiting, case.running, case.outstanding);
        (world.prefill_tokens, world.overlap, world.kv_used) =
            (case.prefill_tokens, case.overlap, case.kv_used);
        world.kv_blocks = vec![100; case.scores.len()];
        let (_, rows) = world.explained(&mut *rule("epp", &params));
        let scores: Vec<f64> = rows.iter().map(|row| row.values[5]).collect();
        for (score, want) in scores.iter().zip(&case.scores) {
            assert!((score - want).abs() < 1e-12, "{}: {scores:?}", case.name);
        }
        assert_eq!(scores.len(), case.scores.len(), "{}", case.name);
    }
}

/// Ranks are places among all who ever had a cold request, so a score may run out before the last.
#[test]
fn who_had_a_cold_request_longest_ago_comes_first_after_those_who_never_had() {
    let scores = |places: &[Option<usize>]| {
        let mut into = vec![9.0];
        cold(places, &mut into);
        into
    };
    assert_eq!(scores(&[Some(1), None, Some(0)]), [0.0, 1.0, 0.5]);
    assert_eq!(scores(&[Some(3), Some(0)]), [0.0, 1.0]);
    assert_eq!(scores(&[Some(5)]), [1.0]);
    assert!(scores(&[]).is_empty());
}

const HALF: Utilization = Utilization { queue_depth: 5, kv_usage: 0.9, headroom: 0.0 };

#[test]
fn case_5_8_the_utilization_detector() {
    let pool = |reports: &[Option<(u32, f64)>]| HALF.saturation(reports.iter().copied());
    let near = |value: f64, want: f64| assert!((value - want).abs() < 0.000_5, "{value} {want}");
    near(pool(&[Some((2, 0.5))]), 0.556);
    near(pool(&[Some((10, 0.1))]), 2.0);
    near(pool(&[Some((1, 0.1)), Some((15, 0.2))]), 1.6);
    near(pool(&[None, Some((20, 0.0)), Some((0, 0.99))]), 2.033);
    near(pool(&[]), 1.0);
}

#[test]
fn section_5_5_the_utilization_filter_is_strict_and_takes_headroom() {
    assert!(HALF.keeps(Some((4, 0.89))));
    assert!(!HALF.keeps(Some((5, 0.1))) && !HALF.keeps(Some((0, 0.9))) && !HALF.keeps(None));
    let room = Utilization { headroom: 0.2, ..HALF };
    assert!(room.keeps(Some((5, 1.0))) && !room.keeps(Some((6, 0.1))));
}

#[test]
fn section_5_5_concurrency_is_a_share_of_all_places() {
    assert_eq!(concurrency([50, 100, 30].into_iter(), 100), 0.6);
    assert_eq!(concurrency([300, 0].into_iter(), 100), 1.5);
    assert_eq!(concurrency([].into_iter(), 100), 1.0);
}

#[test]
fn case_5_9_the_affinity_filter() {
    let filter = |most_penalty_ms| Affinity { threshold: 0.8, most_penalty_ms };
    let idle = [0.0; 3];
    assert_eq!(sticky(&filter(18_000.0), &[0.9, 0.85, 0.1], &idle), Sticky::Only);
    assert_eq!(sticky(&filter(18_000.0), &[0.1, 0.7, 0.1], &idle), Sticky::All, "nobody is sticky");
    let pair = |penalty, ttft: f64| sticky(&filter(penalty), &[0.9, 0.1], &[ttft, 50.0]);
    assert_eq!(pair(100.0, 500.0), Sticky::All);
    assert_eq!(pair(1_000.0, 500.0), Sticky::Only);
    assert_eq!(pair(0.0, 5_000.0), Sticky::Only);
    assert_eq!(pair(450.0, 500.0), Sticky::Only, "450 is not more than 450");
    // The threshold counts as reached, and one candidate is no choice.
    assert_eq!(sticky(&filter(0.0), &[0.8, 0.1], &idle[..2]), Sticky::Only);
    assert_eq!(sticky(&filter(0.0), &[0.9], &[0.0]), Sticky::All);
    let off = Affinity { threshold: 0.0, most_penalty_ms: 0.0 };
    assert_eq!(sticky(&off, &[0.9, 0.1], &idle[..2]), Sticky::All);
}

#[test]
fn weighted_draws_are_proportional_to_scores() {
    let mut stream = Stream::new(1, "test", 0);
    let mut drawn = [0.0_f64; 4];
    for _ in 0..20_000 {
        drawn[weighted(&[3.0, 0.0, 1.0, 2.0], &mut stream).unwrap()] += 1.0 / 20_000.0;
    }
    for (share, want) in drawn.iter().zip([0.5, 0.0, 1.0 / 6.0, 1.0 / 3.0]) {
        assert!((share - want).abs() < 0.015, "{drawn:?}");
    }
    let before = stream.clone();
    assert_eq!(weighted(&[0.0, 0.0], &mut stream), None);
    assert_eq!(stream, before, "nothing is drawn for a score of 0");
}

#[test]
fn turns_go_round_and_ties_of_other_sizes_disturb_them() {
    let mut turns = Turns::default();
    assert_eq!([(); 5].map(|()| turns.next(3)), [0, 1, 2, 0, 1]);
    assert_eq!(turns.next(1), 0);
    assert_eq!(turns.count(), 2, "a lone best is no tie");
    // 2 of 2 is the first again, and the counter begins anew.
    assert_eq!([turns.next(2), turns.next(3)], [0, 0]);
}
