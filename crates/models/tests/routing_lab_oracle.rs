//! The routing lab against the published results: every row of the oracle file, the printed
//! table, and the medians over two hundred seeds.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use serde_json::Value as Json;
use tokenyard_det::{format, stat};
use tokenyard_models::routing_lab::{PARAMS, Params, Rule, Summary, Workload, run, summarise, summary};
use tokenyard_param::{Kind, Value, Values};

fn oracle() -> Json {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/article_lab.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn rows<'a>(data: &'a Json, key: &str) -> &'a [Json] {
    data[key].as_array().unwrap()
}

/// Equal, or within 1e-9 of the expected value.
fn close(actual: f64, expected: &Json) -> bool {
    let expected = expected.as_f64().unwrap();
    (actual - expected).abs() <= 1e-9 * expected.abs()
}

fn counts(expected: &Json) -> Vec<u32> {
    expected.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect()
}

fn assert_summary(s: &Summary, expected: &Json) {
    let whole =
        [("completed", s.completed), ("makespan", s.makespan), ("assigned_spread", s.assigned_spread)];
    let real = [
        ("ttft_p50", s.ttft_p50),
        ("ttft_p95", s.ttft_p95),
        ("ttft_mean", s.ttft_mean),
        ("e2e_p50", s.e2e_p50),
        ("e2e_p95", s.e2e_p95),
        ("slo_attainment", s.slo_attainment),
        ("output_tokens_per_tick", s.output_tokens_per_tick),
        ("cache_hit_rate", s.cache_hit_rate),
        ("load_fairness", s.load_fairness),
    ];
    let columns = [
        ("assigned", &s.assigned),
        ("served", &s.served),
        ("prefill_ticks", &s.prefill_ticks),
        ("decode_ticks", &s.decode_ticks),
    ];
    for (key, value) in whole {
        assert_eq!(Some(u64::from(value)), expected[key].as_u64(), "{key} of {expected}");
    }
    for (key, value) in real {
        assert!(close(value, &expected[key]), "{key} is {value}, expected {expected}");
    }
    for (key, value) in columns {
        assert_eq!(*value, counts(&expected[key]), "{key} of {expected}");
    }
    let checked = whole.len() + real.len() + columns.len();
    let published = expected.as_object().unwrap().keys().filter(|k| *k != "policy" && *k != "placements");
    assert_eq!(checked, published.count(), "a published field is not compared");
}

fn rule(expected: &Json) -> Rule {
    let id = expected["policy"].as_str().unwrap();
    Rule::ALL.into_iter().find(|r| r.id() == id).unwrap()
}

#[test]
fn the_default_workload_is_the_published_one() {
    let data = oracle();
    let workload = Workload::generate(&Params::default());
    let drawn: Vec<Json> = workload
        .requests()
        .iter()
        .map(|r| {
            serde_json::json!([
                r.arrival,
                r.prompt_tokens,
                r.prefix_tokens,
                r.output_tokens,
                r.prefix_id,
                r.tenant,
                r.heavy
            ])
        })
        .collect();
    assert_eq!(drawn, rows(&data, "workload"));
    let (s, expected) = (workload.summary(), &data["workload_summary"]);
    assert!(close(s.mean, &expected["mean"]) && close(s.cv, &expected["cv"]), "{s:?}");
    assert!(close(s.heavy_share, &expected["heavy_share"]), "{s:?}");
    assert_eq!(serde_json::json!([s.min, s.max]), serde_json::json!([expected["min"], expected["max"]]));
}

#[test]
fn defaults_have_the_published_names_and_values() {
    let data = oracle();
    let published = [&data["defaults"]["workload"], &data["defaults"]["fleet"]];
    let mut keys = 0;
    for (key, expected) in published.iter().flat_map(|group| group.as_object().unwrap()) {
        if key == "max_ticks" {
            assert_eq!(expected, tokenyard_models::routing_lab::MAX_TICK);
            continue;
        }
        keys += 1;
        let spec = PARAMS.iter().find(|s| s.key == key).unwrap_or_else(|| panic!("{key} is missing"));
        match spec.kind.default_value() {
            Value::Switch(on) => assert_eq!(expected, on, "{key}"),
            value => assert_eq!(value.number(), expected.as_f64(), "{key}"),
        }
    }
    assert_eq!(keys, PARAMS.len());
}

#[test]
fn parameter_tables_are_well_formed() {
    for (i, spec) in PARAMS.iter().enumerate() {
        assert!(PARAMS[..i].iter().all(|s| s.link != spec.link && s.key != spec.key), "{}", spec.key);
        let steps = match spec.kind {
            Kind::Int { min, max, step, page, .. } => [step as f64, page as f64, (max - min) as f64],
            Kind::Real { min, max, step, page, .. } => [step, page, max - min],
            _ => continue,
        };
        assert!(0.0 < steps[0] && steps[0] < steps[1] && steps[1] <= steps[2], "{}", spec.key);
    }
}

#[test]
fn default_runs_match_with_every_placement() {
    let data = oracle();
    let params = Params::default();
    let workload = Workload::generate(&params);
    assert_eq!(rows(&data, "default_runs").len(), Rule::ALL.len());
    for expected in rows(&data, "default_runs") {
        let run = run(&params, &workload, rule(expected));
        assert_summary(summary(&run), expected);
        let placed: Vec<u32> = run.decisions().iter().map(|d| d.replica).collect();
        assert_eq!(placed, counts(&expected["placements"]));
    }
}

#[test]
fn every_row_of_the_grid_matches() {
    let data = oracle();
    assert_eq!(rows(&data, "grid").len(), 540);
    for row in rows(&data, "grid") {
        let mut values = Values::defaults(&PARAMS);
        for (key, given) in row["input"].as_object().unwrap() {
            let at = values.position(key).unwrap();
            let value = match given {
                Json::Bool(on) => Value::Switch(*on),
                number => PARAMS[at].parse(&number.to_string()).unwrap(),
            };
            assert!(values.set(at, value), "{key}");
        }
        let params = Params::from_values(&values);
        let workload = Workload::generate(&params);
        let rule = rule(&row["expect"]);
        assert_summary(&summarise(&params, &workload, rule), &row["expect"]);
        assert_summary(summary(&run(&params, &workload, rule)), &row["expect"]);
    }
}

/// Rule, TTFT P95, SLO, cache, spread, tokens per tick, as printed.
const PRINTED: [(&str, [&str; 5]); 6] = [
    ("random", ["324.2", "88", "38", "10", "14.4"]),
    ("round-robin", ["84.3", "94", "46", "0", "15.1"]),
    ("least-outstanding", ["52.1", "98", "39", "10", "16.6"]),
    ("power-of-two", ["90.1", "94", "37", "8", "16.6"]),
    ("least-kv", ["559.0", "81", "45", "50", "12.5"]),
    ("prefix-aware", ["151.3", "91", "67", "11", "17.2"]),
];

#[test]
fn the_printed_table_comes_out_to_the_digit() {
    let params = Params::default();
    let workload = Workload::generate(&params);
    for (rule, (id, cells)) in Rule::ALL.into_iter().zip(PRINTED) {
        let s = summarise(&params, &workload, rule);
        let ours = [
            format::fixed(s.ttft_p95, 1),
            format::percent(s.slo_attainment),
            format::percent(s.cache_hit_rate),
            s.assigned_spread.to_string(),
            format::fixed(s.output_tokens_per_tick, 1),
        ];
        assert_eq!((rule.id(), ours.each_ref().map(String::as_str)), (id, cells));
    }
    let w = workload.summary();
    assert_eq!([format::fixed(w.mean, 0), format::fixed(w.cv, 2)], ["957", "0.75"]);
    assert_eq!((w.min, w.max), (436, 3_079));
}

#[test]
fn least_outstanding_prints_its_replicas() {
    let params = Params::default();
    let run = run(&params, &Workload::generate(&params), Rule::LeastOutstanding);
    let column = |f: fn(&tokenyard_models::routing_lab::ReplicaRecord) -> f64| {
        run.replicas.iter().map(|r| format::percent(f(r))).collect::<Vec<_>>()
    };
    assert_eq!(column(|r| r.utilisation), ["96", "82", "99", "91"]);
    assert_eq!(column(|r| r.prefill_share), ["5", "7", "7", "5"]);
    let s = summary(&run);
    assert_eq!([format::fixed(s.ttft_p50, 1), format::fixed(s.e2e_p95, 0)], ["2.0", "837"]);
    assert_eq!(s.assigned, [45, 42, 38, 35]);
}

#[test]
fn low_load_ties_all_rules_but_prefix_aware() {
    let params = Params { arrival_rate: 0.05, ..Params::default() };
    let workload = Workload::generate(&params);
    for rule in Rule::ALL {
        let p95 = summarise(&params, &workload, rule).ttft_p95;
        let expected = if rule == Rule::PrefixAware { 2.0..=2.5 } else { 7.0..=8.0 };
        assert!(expected.contains(&p95), "{} has {p95}", rule.id());
    }
}

#[test]
fn medians_over_two_hundred_seeds_are_within_three_percent() {
    let published = [239.0, 185.0, 100.0, 126.0, 354.0, 112.0];
    let mut tails: [Vec<f64>; 6] = Default::default();
    for seed in 7_000..7_200 {
        let params = Params { seed, ..Params::default() };
        let workload = Workload::generate(&params);
        for (tail, rule) in tails.iter_mut().zip(Rule::ALL) {
            tail.push(summarise(&params, &workload, rule).ttft_p95);
        }
    }
    for ((mut tail, expected), rule) in tails.into_iter().zip(published).zip(Rule::ALL) {
        stat::sort(&mut tail);
        let median = stat::quantile(&tail, 0.5).unwrap();
        assert!((median / expected - 1.0).abs() <= 0.03, "{}: {median}, expected {expected}", rule.id());
    }
}
