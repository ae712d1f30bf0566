//! Rules with a gate: a request that a rule sends to nobody waits at the gateway.

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

/// With every replica over its busy threshold a request waits until one is not, and is served.
#[test]
fn what_nobody_takes_waits_and_is_served_later() {
    let run = |threshold: &str| {
        report(&[
            ("router.rule", "dynamo-kv"),
            ("router.rule_params.busy_prefill_tokens", threshold),
            ("workload.requests", "300"),
            ("workload.rate_rps", "300"),
            ("workload.prompt_mean", "4000"),
            ("fleet.replicas", "2"),
        ])
    };
    let (end, gated) = run("8000");
    let (_, open) = run("none");
    assert_eq!(end, End::Drained);
    assert_eq!(gated.ended.get(&Status::Served), Some(&300), "{:?}", gated.ended);
    assert_ne!(gated.ttft, open.ttft, "the gate held somebody back");
}
