//! The prefix-affinity player against the published article: every oracle row, every printed number.

use serde_json::{Value, json};
use tokenyard_det::format::fixed;
use tokenyard_models::prefix_affinity::{Params, Reason, Run, Step, TRACE, curve, order, run};

fn oracle() -> serde_json::Result<Value> {
    serde_json::from_str(include_str!("../../../tests/data/article_prefix.json"))
}

fn row(step: &Step) -> Value {
    json!({
        "prefix": step.prefix,
        "baseline": step.baseline,
        "baseline_hit": step.baseline_hit,
        "baseline_prefill": step.baseline_prefill,
        "aware": step.aware,
        "aware_hit": step.aware_hit,
        "aware_prefill": step.aware_prefill,
        "reason": step.reason.id(),
        "baseline_loads": step.baseline_loads,
        "aware_loads": step.aware_loads,
        "baseline_caches": step.baseline_caches,
        "aware_caches": step.aware_caches,
        "cumulative_baseline": step.cumulative_baseline,
        "cumulative_aware": step.cumulative_aware,
    })
}

fn at(threshold: Option<u32>) -> Run {
    run(&Params { load_gap_threshold: threshold, ..Params::default() })
}

#[test]
fn every_oracle_row_is_equal() {
    let oracle = oracle().unwrap();
    let runs = oracle["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 54);
    for expected in runs {
        let input = &expected["input"];
        let number = |key: &str| input[key].as_u64().map(|v| u32::try_from(v).unwrap());
        let params = Params {
            seed: 0,
            replicas: number("replicas").unwrap(),
            cache_slots: number("cache_slots").unwrap(),
            load_gap_threshold: number("load_gap_threshold"),
        };
        let steps: Vec<Value> = run(&params).steps.iter().map(row).collect();
        let wanted = expected["steps"].as_array().unwrap();
        assert_eq!(steps.len(), wanted.len(), "{input}");
        for (i, (got, want)) in steps.iter().zip(wanted).enumerate() {
            assert_eq!(got, want, "{input}, step {i}");
        }
    }
}

#[test]
fn the_trace_is_the_published_one() {
    let trace: Vec<Value> =
        TRACE.iter().map(|r| json!([r.prefix, r.prefix_tokens, r.fresh_tokens])).collect();
    assert_eq!(Value::from(trace), oracle().unwrap()["trace"]);
}

#[test]
fn the_default_run_prints_what_the_article_prints() {
    let run = run(&Params::default());
    assert_eq!((run.baseline_hits, run.aware_hits), (4, 6));
    assert_eq!((run.baseline_prefill, run.aware_prefill), (29_180, 21_180));
    assert_eq!(fixed(run.saved_share() * 100.0, 1), "27.4");
    assert_eq!(run.escapes, 2);
}

#[test]
fn without_escape_one_replica_takes_most() {
    let run = at(None);
    assert_eq!(run.aware_loads, [8, 2, 2]);
    assert_eq!((run.aware_hits, run.escapes), (9, 0));
}

#[test]
fn the_whole_curve_is_as_published_and_not_monotone() {
    let points = curve(&Params::default());
    let thresholds: Vec<Option<u32>> = points.iter().map(|p| p.threshold).collect();
    assert_eq!(thresholds, [Some(0), Some(1), Some(2), Some(3), Some(4), Some(5), None]);
    let of = |threshold: Option<u32>| {
        let point = points.iter().find(|p| p.threshold == threshold).unwrap();
        (point.hits, point.prefill)
    };
    assert_eq!(of(Some(0)), (4, 29_180));
    assert_eq!(of(Some(1)), (4, 29_180));
    assert_eq!(of(Some(2)), (6, 21_180));
    assert_eq!(of(Some(3)), (6, 21_980));
    assert_eq!(of(Some(5)), (9, 11_580));
    assert_eq!(of(None), (9, 11_580));
    for wide in 5..=100 {
        assert_eq!(at(Some(wide)).aware_prefill, 11_580, "threshold {wide}");
    }
}

#[test]
fn one_escape_at_threshold_three_hits_all_the_same() {
    let run = at(Some(3));
    let lucky = run.steps.iter().filter(|s| s.reason == Reason::LoadImbalance && s.aware_hit).count();
    assert_eq!(lucky, 1);
}

/// Orders computed with a separate implementation of the documented loop.
#[test]
fn shuffled_orders_are_the_documented_ones() {
    assert_eq!(order(0), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(order(1), [4, 10, 2, 6, 9, 3, 1, 11, 8, 5, 0, 7]);
    assert_eq!(order(2), [5, 6, 0, 10, 1, 9, 11, 7, 4, 2, 3, 8]);
    assert_eq!(order(200), [2, 9, 0, 7, 1, 8, 11, 10, 5, 4, 6, 3]);
    assert_eq!(order(u32::MAX), [9, 1, 5, 0, 11, 4, 3, 6, 8, 7, 2, 10]);
}
