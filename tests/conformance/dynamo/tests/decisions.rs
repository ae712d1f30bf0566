//! Decisions of `dynamo-kv` against those of upstream's selector, over states drawn from a seed.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::io::Write as _;

use tokenyard_conformance_dynamo::chance::ChiSquare;
use tokenyard_conformance_dynamo::upstream::{Upstream, config};
use tokenyard_conformance_dynamo::{Coverage, State, compare, coverage, draw, ours};
use tokenyard_det::Stream;
use tokenyard_policy::dynamo::{self, Params, Role};
use tokenyard_policy::{Draw, TieBreak};

const SEED: u64 = 20_261_129;
const STATES: u64 = 120_000;

/// The harness swallows what tests print with macros; this is to be seen when they pass, too.
fn say(text: &str) {
    std::io::stdout().lock().write_all(format!("\n{text}\n").as_bytes()).unwrap();
}

#[test]
fn every_decision_is_upstreams() {
    let mut seen = Coverage::default();
    let mut differences = Vec::new();
    for number in 0..STATES {
        let state = draw::state(SEED, number);
        if let Err(difference) = compare::decide(&state, &mut seen) {
            differences.push(format!("{difference}\n{state:?}"));
        }
    }
    say(&format!("{seen}\ndifferences {}", differences.len()));
    let first = differences.first().map_or("", String::as_str);
    assert!(differences.is_empty(), "{} of {STATES} states differ; the first: {first}", differences.len());
    is_covered(&seen);
}

/// Fewer than these, and the comparison above says less than it seems to.
fn is_covered(seen: &Coverage) {
    let share = |count: u64, least: u64| count * 100 >= seen.states * least;
    assert!(seen.states >= 100_000 && share(seen.small, 33));
    for (name, count) in coverage::SETTINGS.iter().zip(seen.off) {
        assert!(share(count, 20), "{name} is off its default in {count} states only");
    }
    assert!(share(seen.all_off, 19) && share(seen.by_request, 45));
    assert!(seen.roles.iter().chain(&seen.tiers).all(|count| share(*count, 20)));
    for count in [seen.decode_credit, seen.lower_tiers, seen.shared, seen.required, seen.preferred] {
        assert!(share(count, 5), "{seen}");
    }
    for count in [seen.overloaded, seen.unavailable, seen.allowed, seen.pinned, seen.ties] {
        assert!(share(count, 8), "{seen}");
    }
    assert!(seen.refused.iter().all(|count| *count >= 500), "{seen}");
    assert!(seen.decisions >= 3 * STATES && seen.rules >= 10_000, "{seen}");
}

/// Settings with one of them made another, which must be noticed.
fn altered(params: &Params) -> [(&'static str, Params); 9] {
    let p = *params;
    [
        ("overlap_credit", Params { overlap_credit: p.overlap_credit + 0.25, ..p }),
        ("credit_decay", Params { credit_decay: p.credit_decay + 0.25, ..p }),
        ("prefill_scale", Params { prefill_scale: p.prefill_scale + 0.25, ..p }),
        ("host_weight", Params { host_weight: p.host_weight + 0.25, ..p }),
        ("disk_weight", Params { disk_weight: p.disk_weight + 0.25, ..p }),
        ("shared_weight", Params { shared_weight: p.shared_weight + 0.25, ..p }),
        ("request_weight", Params { request_weight: p.request_weight + 0.25, ..p }),
        ("role", Params { role: if p.role == Role::Any { Role::Decode } else { Role::Any }, ..p }),
        ("track_prefill", Params { track_prefill: !p.track_prefill, ..p }),
    ]
}

#[test]
fn a_setting_that_differs_on_one_side_is_noticed() {
    let states = 2_000;
    let mut noticed = [0_u64; 9];
    for number in 0..states {
        let state = draw::state(SEED + 1, number);
        let Some(scored) = compare::score(&state).unwrap() else { continue };
        for (count, (_, params)) in noticed.iter_mut().zip(altered(&state.params)) {
            let wrong = ours::costs(&state, &params, &scored.eligible);
            let is_seen = wrong.iter().zip(&scored.theirs).any(|(a, b)| (a - b).abs() > 1e-9);
            *count += u64::from(is_seen);
        }
    }
    for (count, (name, _)) in noticed.iter().zip(altered(&Params::default())) {
        assert!(*count >= states / 20, "{name} is noticed in {count} of {states} states only");
    }
}

/// States with a choice to draw: several workers, and either a temperature or a tie.
fn chancy(hot: bool, wanted: usize) -> Vec<(State, Vec<f64>)> {
    let drawn = (0..100_000).map(|number| draw::state(SEED + 2, number));
    let scored = drawn.filter(|state| (state.params.temperature > 0.0) == hot).filter_map(|state| {
        let scored = compare::score(&state).unwrap()?;
        let least = scored.ours.iter().fold(f64::INFINITY, |least, cost| least.min(*cost));
        let tied = scored.ours.iter().filter(|cost| **cost == least).count();
        (scored.ours.len() > 1 && (hot || tied > 1)).then_some((state, scored.ours))
    });
    scored.take(wanted).collect()
}

/// What our code says that each worker's chance is.
fn probabilities(state: &State, costs: &[f64]) -> Vec<f64> {
    let mut all = Vec::new();
    if state.params.temperature > 0.0 {
        dynamo::probabilities(costs, state.params.temperature, &mut all);
    } else {
        let least = costs.iter().fold(f64::INFINITY, |least, cost| least.min(*cost));
        let tied = costs.iter().filter(|cost| **cost == least).count() as f64;
        all.extend(costs.iter().map(|cost| if *cost == least { 1.0 / tied } else { 0.0 }));
    }
    all
}

const DRAWS: u32 = 4_000;

/// Counts of upstream's and of our choices, by candidate.
fn counts(state: &State, costs: &[f64]) -> [Vec<u32>; 2] {
    let eligible = ours::eligible(state).unwrap();
    let upstream = Upstream::new(state);
    let selector = upstream.seeded(SEED + state.number);
    let mut stream = Stream::new(SEED, "chance", state.number);
    let mut counts = [vec![0; eligible.len()], vec![0; eligible.len()]];
    for _ in 0..DRAWS {
        let theirs = upstream.decide(&selector).unwrap().to;
        counts[0][eligible.binary_search(&theirs).unwrap()] += 1;
        let mut draw = Draw { stream: &mut stream, ties: TieBreak::Upstream };
        let (ours, _) = dynamo::pick(costs, state.params.temperature, &mut draw, &mut Vec::new()).unwrap();
        counts[1][ours] += 1;
    }
    counts
}

#[test]
fn draws_have_our_probabilities_on_both_sides() {
    for (what, hot) in [("temperature", true), ("ties", false)] {
        let states = chancy(hot, 300);
        assert_eq!(states.len(), 300);
        let mut sums = [ChiSquare::default(); 2];
        for (state, costs) in &states {
            let probabilities = probabilities(state, costs);
            for (sum, counts) in sums.iter_mut().zip(counts(state, costs)) {
                let test = ChiSquare::of(&counts, &probabilities);
                assert!(test.fits(), "{what}: {test:?}, {counts:?} by {probabilities:?}\n{state:?}");
                sum.add(test);
            }
        }
        let [theirs, ours] = sums;
        say(&format!(
            "{what}: 300 states of {DRAWS} draws; chi-square upstream {:.1}, ours {:.1}, degrees of freedom {}",
            theirs.statistic, ours.statistic, theirs.freedom
        ));
        assert!(theirs.freedom > 300 && sums.iter().all(|sum| sum.score().abs() < 4.0), "{sums:?}");
    }
}

#[test]
fn the_wrong_temperature_does_not_fit() {
    let misfits = chancy(true, 100).into_iter().filter(|(state, costs)| {
        let mut wrong = state.clone();
        wrong.params.temperature *= 1.5;
        let [theirs, _] = counts(state, costs);
        !ChiSquare::of(&theirs, &probabilities(&wrong, costs)).fits()
    });
    assert!(misfits.count() >= 25);
}

#[test]
fn defaults_are_upstreams() {
    let ours = config(&Params::default());
    let theirs = dynamo_kv_router::KvRouterConfig::default();
    assert_eq!(ours.overlap_score_credit, theirs.overlap_score_credit);
    assert_eq!(ours.overlap_score_credit_decay, theirs.overlap_score_credit_decay);
    assert_eq!(ours.prefill_load_scale, theirs.prefill_load_scale);
    assert_eq!(ours.decode_active_request_weight, theirs.decode_active_request_weight);
    assert_eq!(ours.host_cache_hit_weight, theirs.host_cache_hit_weight);
    assert_eq!(ours.disk_cache_hit_weight, theirs.disk_cache_hit_weight);
    assert_eq!(ours.router_temperature, theirs.router_temperature);
    assert_eq!(ours.shared_cache_multiplier, theirs.shared_cache_multiplier);
    assert_eq!(Params::default().track_prefill, theirs.router_track_prefill_tokens);
}

/// Why `Role::Decode` is every pool but one of prefill workers.
#[test]
fn every_pool_but_a_prefill_pool_is_scored_as_decode() {
    use dynamo_kv_router::WorkerType;
    assert_eq!(WorkerType::Prefill.default_selector_label(), "prefill");
    for pool in [WorkerType::Decode, WorkerType::Aggregated, WorkerType::Encode] {
        assert_eq!(pool.default_selector_label(), "decode");
    }
}
