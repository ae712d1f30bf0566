//! Serving systems: llm-d's eight pods, and rollouts with two stragglers.

use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::scenario::Draft;

use crate::{draft, report, with};

/// llm-d, 2025-09-24: 8 pods of Qwen3-32B on two H100, 307 328 KV tokens each; 150 tenants with a
/// prefix of 6 000 tokens, questions of 1 200, answers of 1 000; 60 s of Poisson arrivals.
///
/// A running request holds its KV blocks here, so round robin's knee lies near 10 requests a
/// second and not near 30, where a model that counts the cache alone has it.
fn pods(rate: u32) -> Draft {
    draft(&[
        ("fleet.replicas", "8"),
        ("fleet.preset", "qwen3-32b-2x-h100"),
        ("fleet.kv_blocks", "19208"),
        ("workload.requests", &(60 * rate).to_string()),
        ("workload.rate_rps", &rate.to_string()),
        ("workload.prefix", "families"),
        ("workload.families", "150"),
        ("workload.zipf", "0"),
        ("workload.shared_tokens", "6000"),
        ("workload.prompt_shape", "constant"),
        ("workload.prompt_mean", "1200"),
        ("workload.output_shape", "constant"),
        ("workload.output_mean", "1000"),
    ])
}

fn under(draft: &Draft, rule: &str) -> Report {
    report(&with(draft, &[("router.rule", rule)]))
}

fn told(r: &Report) -> String {
    format!("{:.0} ms, hit {:.3}, {:.0} tok/s", r.ttft.mean, r.token_hit_rate, r.output_tps)
}

#[test]
fn llm_d_prefix_and_load_near_the_knee_of_round_robin() {
    let pods = pods(12);
    let (turns, load) = (under(&pods, "round-robin"), under(&pods, "least-outstanding"));
    let aware = under(&pods, "kv-aware");
    let all = format!("{}; {}; {}", told(&turns), told(&load), told(&aware));
    assert!(aware.ttft.mean * 10.0 <= turns.ttft.mean, "{all}");
    assert!((load.ttft.mean / turns.ttft.mean - 1.0).abs() < 0.10, "{all}");
}

#[test]
fn llm_d_saturated_prefix_only_collapses() {
    let pods = pods(30);
    let (turns, load) = (under(&pods, "round-robin"), under(&pods, "least-outstanding"));
    let (aware, only) = (under(&pods, "kv-aware"), under(&pods, "pure-kv"));
    let all = format!("{}; {}; {}; {}", told(&turns), told(&load), told(&aware), told(&only));
    assert!(aware.output_tps >= 1.3 * turns.output_tps, "{all}");
    assert!((load.output_tps / turns.output_tps - 1.0).abs() < 0.10, "{all}");
    assert!(only.output_tps < 0.25 * aware.output_tps, "{all}");
}

/// Where little is shared, knowing prefixes changes nothing.
#[test]
fn llm_d_parity_when_little_is_shared() {
    let pods = with(&pods(12), &[("workload.shared_tokens", "32"), ("workload.families", "100000")]);
    let (load, aware) = (under(&pods, "least-outstanding"), under(&pods, "kv-aware"));
    let ratio = aware.output_tps / load.output_tps;
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
}

/// Ray, 2026-08-25: 80 rollouts in steps of 8, 10 turns in a row, 16 turns in flight, four
/// replicas; the first prompt is 2 048 shared, 512 of the step and 1 024 own tokens, answers have
/// 1 024, and the first and fifth rollout of a step end with 8 192.
fn rollouts(seed: u32) -> Draft {
    draft(&[
        ("seed", &seed.to_string()),
        ("fleet.replicas", "4"),
        ("workload.arrivals", "closed"),
        ("workload.concurrency", "16"),
        ("workload.requests", "800"),
        ("workload.prefix", "sessions"),
        ("workload.shared_tokens", "2048"),
        ("workload.rollouts", "80"),
        ("workload.rollout_turns", "10"),
        ("workload.rollout_step", "8"),
        ("workload.rollout_step_tokens", "512"),
        ("workload.straggler_every", "4"),
        ("workload.straggler_tokens", "8192"),
        ("workload.growth_tokens", "0"),
        ("workload.prompt_shape", "constant"),
        ("workload.prompt_mean", "1024"),
        ("workload.output_shape", "constant"),
        ("workload.output_mean", "1024"),
    ])
}

/// The order of P99 rollout time and of unevenness is KV-aware < hash < pure KV; that of the hit
/// rate is the reverse. Least outstanding ties KV-aware, and the page says so.
#[test]
fn ray_rollouts_with_two_stragglers() {
    let rules = ["kv-aware", "consistent-hash", "pure-kv", "least-outstanding", "round-robin"];
    let mut sums = [[0.0; 3]; 5];
    for seed in 1..=3 {
        for (sum, rule) in sums.iter_mut().zip(rules) {
            let r = under(&rollouts(seed), rule);
            let figures = [r.session.p99 / 1_000.0, r.token_hit_rate, r.block_cv];
            sum.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure / 3.0);
        }
    }
    let [aware, hash, pure, least, _] = sums;
    assert!(aware[0] < hash[0] && hash[0] < pure[0], "P99: {sums:?}");
    assert!(aware[1] < hash[1] && hash[1] < pure[1], "hit rate: {sums:?}");
    assert!(aware[2] < hash[2] && hash[2] < pure[2], "unevenness: {sums:?}");
    assert!((pure[2] - 3_f64.sqrt()).abs() < 0.05, "one of four has everything: {sums:?}");
    assert!((least[0] / aware[0] - 1.0).abs() < 0.05, "least outstanding ties: {sums:?}");
}
