//! Conditions of disaggregated prefill: sections 2, 4.2, 5.6, 8.4 and 9.4. They are held here alone.

use serde::Deserialize;
use tokenyard_policy::disaggregate::{
    LEGACY_LOCAL, LONG_INPUT, Pool, PrefixBased, TOKEN_CAP, aibrix_decode, aibrix_pair, aibrix_prefill,
    by_load, exceeds_cap, needs_context_server, wants_prefill_only,
};

#[derive(Deserialize)]
struct Table {
    llm_d: Vec<LlmD>,
    token_cap: Vec<TokenCap>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LlmD {
    name: String,
    non_cached: u32,
    #[serde(default)]
    prompt: u32,
    input: u32,
    cached: Option<u32>,
    remote: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenCap {
    name: String,
    prompt: u32,
    overlap: u32,
    cap: u32,
    remote: bool,
}

fn table() -> Table {
    toml::from_str(include_str!("../data/disaggregate.toml")).unwrap()
}

#[test]
fn section_5_6_cases_1_to_7_and_report_17() {
    let table = table();
    assert_eq!(table.llm_d.len(), 11);
    for case in table.llm_d {
        let decider = PrefixBased { non_cached: case.non_cached, prompt: case.prompt };
        assert_eq!(decider.disaggregates(case.input, case.cached), case.remote, "{}", case.name);
    }
    assert!(!PrefixBased::default().disaggregates(100_000, Some(0)), "the default never does");
}

#[test]
fn section_2_case_k_the_token_cap() {
    let table = table();
    assert_eq!(table.token_cap.len(), 3);
    for case in table.token_cap {
        assert_eq!(exceeds_cap(case.prompt, case.overlap, 16, case.cap), case.remote, "{}", case.name);
    }
    assert!(!exceeds_cap(5_000, 0, 16, TOKEN_CAP) && exceeds_cap(5_001, 0, 16, TOKEN_CAP));
    assert!(!exceeds_cap(1_000, 0, 16, LEGACY_LOCAL) && exceeds_cap(1_001, 0, 16, LEGACY_LOCAL));
}

#[test]
fn section_2_load_decides_where_the_cap_does_not() {
    let roomy = Pool { most: 100.0, load: 50.0, queued: 0 };
    let [full, queued] = [Pool { load: 51.0, ..roomy }, Pool { queued: 1, ..roomy }];
    assert!(roomy.is_roomy() && !full.is_roomy() && !queued.is_roomy());
    assert!(by_load(&roomy, &roomy, 1, None), "a roomy prefill pool is used");
    assert!(!by_load(&full, &roomy, LONG_INPUT, None), "the decode pool does it itself");
    assert!(by_load(&full, &roomy, LONG_INPUT + 1, None), "a long input never stays");
    assert!(by_load(&full, &queued, 1, None), "without predictions it goes");
    assert!(!by_load(&full, &full, 1, Some([1.0, 2.0])));
    assert!(by_load(&full, &full, 1, Some([2.0, 2.0])), "equal predictions disaggregate");
}

#[test]
fn section_2_other_conditions() {
    assert!(needs_context_server(10, 0, 100), "nothing matches");
    assert!(!needs_context_server(10, 10, 0));
    assert!(needs_context_server(10, 9, 0) && !needs_context_server(10, 9, 1));
    assert!(wants_prefill_only(1) && !wants_prefill_only(0) && !wants_prefill_only(2));
}

/// R1 has all of the prompt and 4 requests, its decode side 8 running and 50 % free; R2 nothing and 0,
/// 2 and 80 %.
#[test]
fn section_8_4_case_4_a_pair() {
    let prefill = [aibrix_prefill(100, 4, 4), aibrix_prefill(0, 0, 4)];
    assert_eq!(prefill, [1.0, 10.0]);
    let decode = [(8, 50.0), (2, 80.0)]
        .map(|(running, free)| aibrix_decode([running, 8], [100.0, 100.0], [free, 80.0]));
    assert_eq!(decode, [1.6, 0.25]);
    let (best, sum) = aibrix_pair(&[[prefill[0], decode[0]], [prefill[1], decode[1]]]).unwrap();
    assert_eq!(best, 0);
    assert!((sum - 1.1).abs() < 1e-12);
    let (_, other) = aibrix_pair(&[[prefill[1], decode[1]], [prefill[0], decode[0]]]).unwrap();
    assert_eq!(other, sum, "the order of pairs is nothing");
    let second = prefill[1] / 10.0 + decode[1] / 1.6;
    assert!((second - 1.156_25).abs() < 1e-12);
    assert_eq!(aibrix_pair(&[[1.0, 1.0], [1.0, 1.0]]).unwrap().0, 0, "the first among equals");
    assert_eq!(aibrix_pair(&[]), None);
    // Who generates fast is preferred.
    assert!(aibrix_decode([1, 1], [9.0, 9.0], [1.0, 1.0]) < aibrix_decode([1, 1], [1.0, 9.0], [1.0, 1.0]));
}
