//! Laws of the routing lab over its whole parameter space. The engine skips and batches ticks;
//! here it is compared, to the bit, with a plain reading of the rules that takes every tick alone.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "routing_lab_laws/plain.rs"]
mod plain;

use plain::Plain;
use proptest::prelude::*;
use tokenyard_det::Digest;
use tokenyard_models::routing_lab::{
    Fallback, MAX_TICK, PARAMS, Params, Reason, Rule, Run, Summary, Workload, run, summarise, summary,
};
use tokenyard_param::{Kind, Value, Values};

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn assert_same(run: &Run, plain: &Plain<'_>) {
    assert_eq!(run.requests(), plain.records);
    assert_eq!(summary(run).makespan, plain.end);
    assert_eq!(run.decisions().len(), plain.loads.len());
    for (i, loads) in plain.loads.iter().enumerate() {
        assert_eq!(run.loads(i), loads, "decision {i}");
    }
    for (i, cache) in plain.caches.iter().enumerate() {
        assert_eq!(run.cache_after(i), cache, "request {i}");
    }
    assert_eq!(run.sample_ticks(), plain.samples.iter().map(|s| s.0).collect::<Vec<_>>());
    for (i, (tick, loads, generated)) in plain.samples.iter().enumerate() {
        assert_eq!(run.sampled_loads(i), loads, "after tick {tick}");
        for (r, expected) in generated.iter().enumerate() {
            assert_eq!(bits(run.sampled_generated(i, r)), bits(expected), "replica {r} after tick {tick}");
        }
    }
    let tokens = summary(run).output_tokens_per_tick * f64::from(plain.end);
    assert!((tokens - plain.output_tokens()).abs() <= 1e-9 * tokens, "{tokens} output tokens");
    for (ours, expected) in run.replicas.iter().zip(&plain.replicas) {
        assert_eq!(ours.prefill_ticks, expected.prefill_ticks);
        assert_eq!(ours.decode_ticks, expected.decode_ticks);
    }
}

fn assert_laws(params: &Params, workload: &Workload, run: &Run) {
    let s = summary(run);
    let all = params.count as usize;
    let assigned: u32 = s.assigned.iter().sum();
    let served: u32 = s.served.iter().sum();
    assert_eq!((assigned as usize, served), (run.decisions().len(), s.completed));
    assert!(run.decisions().windows(2).all(|d| d[0].tick <= d[1].tick && d[0].request < d[1].request));
    assert_eq!(run.cut, s.completed < params.count);
    if !run.cut {
        assert_eq!((run.decisions().len(), s.completed as usize), (all, all));
    }
    for (i, (record, q)) in run.requests().iter().zip(workload.requests()).enumerate() {
        let steps = [record.admitted, record.prefilled, record.finished];
        let done: Vec<u32> = steps.iter().copied().flatten().collect();
        assert!(steps.iter().skip(done.len()).all(Option::is_none), "request {i} skipped a step");
        assert!(done.first().is_none_or(|t| *t >= q.arrival) && done.is_sorted(), "request {i}: {record:?}");
        assert!(record.ttft.is_none_or(|t| t >= 1) && record.e2e >= record.ttft.filter(|_| done.len() == 3));
        if record.admitted.is_some() {
            let need = q.prompt_tokens.div_ceil(params.block_tokens);
            assert!(record.blocks_at_admission + need <= params.kv_blocks, "request {i}");
            assert!(record.running_at_admission < params.max_batch, "request {i}");
        }
        let cache = run.cache_after(i);
        assert!(
            cache.len() <= params.prefix_cache_slots as usize && (params.prefix_cache || cache.is_empty())
        );
        assert!(cache.iter().enumerate().all(|(j, f)| !cache[..j].contains(f)), "request {i}: {cache:?}");
    }
    for r in &run.replicas {
        assert!((0.0..=1.0).contains(&r.utilisation) && (0.0..=1.0).contains(&r.prefill_share));
    }
}

fn assert_one_prefill_at_a_time(run: &Run, params: &Params) {
    for replica in 0..params.replicas {
        let mine = run.requests().iter().filter(|r| r.replica == Some(replica));
        let spans: Vec<_> = mine.filter_map(|r| r.admitted.map(|a| (a, r.prefilled))).collect();
        for pair in spans.windows(2) {
            assert!(pair[0].1.is_some_and(|end| end < pair[1].0), "replica {replica}: {pair:?}");
        }
    }
}

fn assert_same_bits(a: &Summary, b: &Summary) {
    let digest = |s: &Summary| {
        let mut digest = Digest::default();
        s.digest(&mut digest);
        digest.finish()
    };
    assert_eq!(digest(a), digest(b), "{a:?}\n{b:?}");
}

/// Checks one run against everything; gives it back for further questions.
fn check(params: &Params, rule: Rule) -> Run {
    let workload = Workload::generate(params);
    let recorded = run(params, &workload, rule);
    assert_same(&recorded, &Plain::simulate(params, &workload, rule));
    assert_laws(params, &workload, &recorded);
    assert_one_prefill_at_a_time(&recorded, params);
    assert_same_bits(summary(&recorded), &summarise(params, &workload, rule));
    recorded
}

/// Any value of a parameter, its two ends more often than chance would have them.
fn any_value(kind: Kind) -> BoxedStrategy<Value> {
    match kind {
        Kind::Int { min, max, default, .. } => {
            let near = (default / 2).max(min)..=(default.saturating_mul(2)).min(max);
            prop_oneof![1 => Just(min), 1 => Just(max), 3 => min..=max, 5 => near]
                .prop_map(Value::Int)
                .boxed()
        }
        Kind::Real { min, max, default, .. } => {
            let near = (default / 2.0).max(min)..=(default * 2.0).min(max);
            prop_oneof![1 => Just(min), 1 => Just(max), 3 => min..=max, 5 => near]
                .prop_map(Value::Real)
                .boxed()
        }
        Kind::Switch { .. } => any::<bool>().prop_map(Value::Switch).boxed(),
        other => Just(other.default_value()).boxed(),
    }
}

fn any_params() -> impl Strategy<Value = Params> {
    let values: Vec<_> = PARAMS.iter().map(|spec| any_value(spec.kind)).collect();
    values.prop_map(|given| {
        let mut values = Values::defaults(&PARAMS);
        for (at, value) in given.into_iter().enumerate() {
            assert!(values.set(at, value), "{}", PARAMS[at].key);
        }
        Params::from_values(&values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_run_equals_the_plain_reading_and_keeps_the_laws(params in any_params(), rule in 0..6_usize) {
        check(&params, Rule::ALL[rule]);
    }
}

#[test]
fn corners_equal_the_plain_reading_too() {
    let d = Params::default();
    let corners = [
        Params { count: 1, ..d },
        Params { count: 2, arrival_rate: 0.01, replicas: 1, ..d },
        Params { replicas: 1, max_batch: 1, ..d },
        Params { replicas: 16, max_batch: 64, heavy_ratio: 1.0, arrival_rate: 2.0, ..d },
        Params { kv_blocks: 256, heavy_ratio: 1.0, ..d },
        Params { kv_blocks: 256, block_tokens: 128, max_batch: 64, arrival_rate: 2.0, count: 400, ..d },
        Params { decode_tokens_per_tick: 8.0, batch_penalty: 0.0, ..d },
        Params { decode_tokens_per_tick: 0.1, batch_penalty: 1.0, max_batch: 64, ..d },
        Params { prefill_tokens_per_tick: 4_096, arrival_rate: 2.0, ..d },
        Params { prefix_cache: false, prefix_families: 64, ..d },
        Params { prefix_cache_slots: 1, cache_threshold: 1.0, balance_abs_threshold: 0, ..d },
    ];
    for params in corners {
        Rule::ALL.into_iter().for_each(|rule| {
            check(&params, rule);
        });
    }
}

#[test]
fn arrivals_after_the_last_tick_cut_the_run() {
    let params = Params { count: 2_000, arrival_rate: 0.01, ..Params::default() };
    let run = check(&params, Rule::RoundRobin);
    assert!(run.cut && run.decisions().len() < 2_000);
    assert_eq!(summary(&run).makespan, MAX_TICK + 1);
}

#[test]
fn an_arrival_in_the_very_last_tick_is_still_routed() {
    let slow = Params { count: 300, arrival_rate: 0.01, ..Params::default() };
    let last = Workload::generate(&slow).requests()[299].arrival;
    // Gaps scale with the inverse of the rate.
    let params = Params { arrival_rate: 0.01 * f64::from(last) / f64::from(MAX_TICK), ..slow };
    assert_eq!(Workload::generate(&params).requests()[299].arrival, MAX_TICK);
    let run = check(&params, Rule::PowerOfTwo);
    assert!(run.cut && run.decisions().len() == 300 && run.requests()[299].admitted == Some(MAX_TICK));
}

#[test]
fn thresholds_must_be_exceeded() {
    let params = Params { balance_abs_threshold: 256, ..Params::default() };
    let q = Workload::generate(&params).requests()[40];
    let share = f64::from(q.prefix_tokens) / f64::from(q.prompt_tokens);
    let fallback = |cache_threshold| {
        let run = check(&Params { cache_threshold, ..params }, Rule::PrefixAware);
        match run.decisions()[40].reason {
            Reason::Prefix { fallback, .. } => fallback,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(fallback(share), Some(Fallback::SmallPrefix));
    assert_eq!(fallback(share - 1e-9), None);
}

#[test]
fn nothing_finished_means_no_latency_rather_than_zero() {
    let slow = Params { count: 1, heavy_ratio: 1.0, decode_tokens_per_tick: 0.0, ..Params::default() };
    let workload = Workload::generate(&slow);
    let s = summarise(&slow, &workload, Rule::Random);
    assert_eq!(s.completed, 0);
    assert!(s.e2e_p50.is_nan() && s.e2e_p95.is_nan() && !s.ttft_p50.is_nan());
}

/// No table of this lab holds zeros, but the fields are public.
#[test]
fn a_fleet_of_zeros_is_no_reason_to_panic() {
    let mut zeros =
        Params { seed: 0, replicas: 0, max_batch: 0, kv_blocks: 0, block_tokens: 0, ..Params::default() };
    zeros =
        Params { prefill_tokens_per_tick: 0, decode_tokens_per_tick: 0.0, prefix_cache_slots: 0, ..zeros };
    for params in
        [Params { count: 0, ..zeros }, Params { arrival_rate: 0.0, prefix_families: 0, ..zeros }, zeros]
    {
        let workload = Workload::generate(&params);
        for rule in Rule::ALL {
            let recorded = run(&params, &workload, rule);
            assert_same_bits(summary(&recorded), &summarise(&params, &workload, rule));
            assert_eq!((summary(&recorded).completed, recorded.cut), (0, params.count > 0));
        }
    }
}

#[test]
fn the_default_runs_reach_the_published_peak_of_blocks() {
    let params = Params::default();
    let workload = Workload::generate(&params);
    let peak = |rule| Plain::simulate(&params, &workload, rule).peak_blocks;
    assert_eq!(Rule::ALL.into_iter().map(peak).max(), Some(1_428));
}

#[test]
fn reasons_explain_the_choice() {
    let params = Params { arrival_rate: 0.4, balance_abs_threshold: 2, ..Params::default() };
    let workload = Workload::generate(&params);
    let mut fallbacks = Vec::new();
    for rule in Rule::ALL {
        let run = run(&params, &workload, rule);
        for (i, d) in run.decisions().iter().enumerate() {
            let loads = run.loads(i);
            let load = loads[d.replica as usize];
            let low = *loads.iter().min().unwrap();
            assert_eq!(run.blocks(i).is_empty(), rule != Rule::LeastKv);
            match d.reason {
                Reason::Draw { draw } => assert_eq!(d.replica, (draw * 4.0).floor() as u32),
                Reason::Cursor { cursor } => assert_eq!((cursor as usize, d.replica), (i, cursor % 4)),
                Reason::Least { load: least, ties } => {
                    assert_eq!((least, low), (load, load));
                    assert_eq!(loads.iter().filter(|l| **l == low).count(), ties as usize);
                }
                Reason::Probes { first, second, first_load, second_load } => {
                    assert_eq!(first_load, loads[first as usize]);
                    assert_eq!(second_load, loads[second as usize]);
                    assert_eq!(d.replica, if second_load < first_load { second } else { first });
                }
                Reason::Score { score } => {
                    let own = u64::from(run.blocks(i)[d.replica as usize]);
                    assert_eq!(score, 1_000 * own + u64::from(load));
                }
                Reason::Prefix { owner, min, max, fallback, .. } => {
                    assert_eq!((min, Some(&max)), (low, loads.iter().max()));
                    assert_eq!(fallback.is_none().then_some(d.replica), owner.filter(|_| fallback.is_none()));
                    assert!(fallback.is_none() || load == low);
                    fallbacks.extend(fallback);
                }
            }
        }
    }
    assert!(fallbacks.contains(&Fallback::Imbalanced) && fallbacks.contains(&Fallback::NoOwner));
    let strict = Params { cache_threshold: 1.0, balance_abs_threshold: 256, ..params };
    let strict = run(&strict, &workload, Rule::PrefixAware);
    let small = |d: &tokenyard_models::routing_lab::Decision| {
        matches!(d.reason, Reason::Prefix { fallback: Some(Fallback::SmallPrefix), .. })
    };
    assert_eq!(strict.decisions().iter().filter(|d| small(d)).count(), 160 - 6);
}

#[test]
fn the_digest_sees_rule_seed_and_every_parameter_that_matters() {
    let digest = |params: &Params, rule| {
        let mut digest = Digest::default();
        run(params, &Workload::generate(params), rule).digest(&mut digest);
        digest.finish()
    };
    let d = Params::default();
    let mut seen: Vec<u64> = Rule::ALL.iter().map(|rule| digest(&d, *rule)).collect();
    seen.push(digest(&Params { seed: 1, ..d }, Rule::Random));
    seen.push(digest(&Params { batch_penalty: 0.050_000_000_1, ..d }, Rule::Random));
    assert_eq!(seen[0], digest(&d, Rule::Random));
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 8);
}
