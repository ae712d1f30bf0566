//! Rules with a gate: a request that a rule gives to nobody is refused, and may come back.

#![expect(clippy::panic, reason = "helpers of tests fail as tests do")]

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::{Report, Status};
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::Draft;
use tokenyard_fleet::world::End;

fn report(fields: &[(&str, &str)]) -> (End, Report) {
    let mut draft = Draft::default();
    for (path, text) in fields {
        draft.set(path, text).unwrap_or_else(|problem| panic!("{path}: {problem:?}"));
    }
    let scenario = draft.build(None).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut world = World::new(&scenario, None);
    let end = run_to_end(&mut world);
    (end, Report::of(&world))
}

/// A report read for every decision is as old as the decision.
#[test]
fn reports_read_afresh_are_never_stale() {
    let (end, report) = report(&[
        ("router.rule", "epp"),
        ("router.rule_params.saturation", "utilization"),
        ("router.rule_params.sheddable", "on"),
        ("router.rule_params.staleness_ms", "0"),
        ("workload.requests", "60"),
        ("workload.rate_rps", "1"),
    ]);
    assert_eq!(end, End::Drained);
    assert_eq!(report.ended.get(&Status::Served), Some(&60), "{:?}", report.ended);
}

/// More than two replicas can prefill at once.
const CROWD: [(&str, &str); 4] = [
    ("workload.requests", "300"),
    ("workload.rate_rps", "300"),
    ("workload.prompt_mean", "4000"),
    ("fleet.replicas", "2"),
];
const BUSY: [(&str, &str); 2] =
    [("router.rule", "dynamo-kv"), ("router.rule_params.busy_prefill_tokens", "8000")];
const SATURATED: [(&str, &str); 4] = [
    ("router.rule", "epp"),
    ("router.rule_params.saturation", "tokens"),
    ("router.rule_params.sheddable", "on"),
    ("router.rule_params.max_token_concurrency", "8000"),
];

/// With every replica over its busy threshold, or a saturated pool, requests are refused: they are
/// not the gateway's, they do not wait, and whoever is served meets less of a queue than without.
#[test]
fn what_a_gate_keeps_out_is_refused_and_not_put_in_a_line() {
    for gate in [&BUSY[..], &SATURATED[..]] {
        let (end, gated) = report(&[gate, &CROWD[..]].concat());
        let (_, open) = report(&[&gate[..1], &CROWD[..]].concat());
        let ended = |status| gated.ended.get(&status).copied().unwrap_or(0);
        assert_eq!(end, End::Drained);
        assert!(ended(Status::Refused) > 0 && ended(Status::Served) > 0, "{:?}", gated.ended);
        assert_eq!(ended(Status::Served) + ended(Status::Refused), 300, "{:?}", gated.ended);
        assert_eq!(open.ended.get(&Status::Served), Some(&300), "{:?}", open.ended);
        assert!(gated.ttft.p95 < open.ttft.p95, "{:?} {:?}", gated.ttft, open.ttft);
    }
}

/// A client that comes back later often enough is served in the end.
#[test]
fn who_was_refused_may_come_back() {
    let patient = [
        ("client.attempts", "10"),
        ("client.backoff", "exponential"),
        ("client.backoff_base_ms", "300000"),
        ("client.backoff_cap_ms", "300000"),
        ("client.backoff_factor", "1"),
    ];
    for gate in [&BUSY[..], &SATURATED[..]] {
        let (end, gated) = report(&[gate, &CROWD[..], &patient].concat());
        assert_eq!(end, End::Drained);
        assert_eq!(gated.ended.get(&Status::Served), Some(&300), "{:?}", gated.ended);
    }
}
