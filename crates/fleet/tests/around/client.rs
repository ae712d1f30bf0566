//! Retries, budgets, hedges, and the point after which nothing is sent again.

use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::scenario::ChangeKind;
use tokenyard_fleet::time::{MILLI, SECOND};

use crate::{at_ms, count, crowd, ran, stream};

#[test]
fn tries_multiply_over_layers_and_end_there() {
    let fields = [
        ("gateway.queue_cap", "1"),
        ("gateway.line_cap", "0"),
        ("client.attempts", "3"),
        ("client.layers", "2"),
        ("client.backoff", "none"),
        ("client.honour_retry_after", "off"),
    ];
    let world = ran(&crowd(&fields));
    // Six are refused nine times each, all at one instant.
    assert_eq!(count(&world, Status::Rejected), 6);
    assert_eq!(world.outcomes().rejections, 6 * 9);
    assert_eq!(world.outcomes().retries, 6 * 8);
}

#[test]
fn retry_after_is_waited_for() {
    let fields = [
        ("gateway.queue_cap", "1"),
        ("gateway.line_cap", "0"),
        ("gateway.retry_after_ms", "120"),
        ("client.attempts", "10"),
        ("client.backoff", "none"),
    ];
    let world = ran(&crowd(&fields));
    assert_eq!(count(&world, Status::Served), 8);
    let mut ends: Vec<_> = world.outcomes().all().iter().map(|o| o.e2e / MILLI).collect();
    ends.sort_unstable();
    assert_eq!(ends, [100, 100, 220, 220, 340, 340, 460, 460]);
}

#[test]
fn backoff_grows_to_its_cap() {
    let fields = [
        ("gateway.queue_cap", "1"),
        ("gateway.line_cap", "0"),
        ("workload.requests", "3"),
        ("workload.batch_size", "3"),
        ("workload.prompt_mean", "100000"),
        ("fleet.kv_blocks", "10000"),
        ("client.attempts", "5"),
        ("client.honour_retry_after", "off"),
        ("client.jitter", "none"),
        ("client.backoff_base_ms", "10"),
        ("client.backoff_factor", "3"),
        ("client.backoff_cap_ms", "50"),
    ];
    let world = ran(&crowd(&fields));
    let refused = world.outcomes().all().iter().find(|o| o.status == Status::Rejected).unwrap();
    assert_eq!(refused.e2e, (10 + 30 + 50 + 50) * MILLI);
}

#[test]
fn a_budget_bounds_retries() {
    let fields = [
        ("client.timeout_ms", "300"),
        ("client.attempts", "5"),
        ("client.backoff", "none"),
        ("workload.rate_rps", "200"),
        ("workload.requests", "4000"),
    ];
    let free = ran(&stream(&fields)).outcomes().retries;
    let budget = [("gateway.retry_budget", "share"), ("gateway.retry_budget_window_s", "1000")];
    let world = ran(&stream(&[&fields[..], &budget].concat()));
    let most = 400 + 3;
    assert!(free > 5_000, "without a budget there is a storm: {free}");
    assert!(world.outcomes().retries <= most && world.outcomes().retries > most / 2);
    assert!(world.outcomes().refused_retries > 0);
}

#[test]
fn after_the_first_token_nothing_is_sent_again() {
    let fields = [("client.attempts", "5"), ("client.backoff", "none"), ("workload.output_mean", "400")];
    let mut scenario = stream(&fields);
    at_ms(&mut scenario, 5_000, 0, ChangeKind::Restart);
    let world = ran(&scenario);
    let lost: Vec<_> = world.outcomes().all().iter().filter(|o| o.status == Status::Failed).collect();
    assert!(!lost.is_empty());
    assert!(lost.iter().all(|o| o.ttft > 0 && o.attempts == 1));
    // Those that had shown nothing were sent again, and served.
    let again = world.outcomes().all().iter().filter(|o| o.attempts > 1);
    assert!(again.into_iter().all(|o| o.status == Status::Served));
}

#[test]
fn giving_up_frees_the_engine_only_if_it_aborts() {
    let give_up = |how: &str| {
        let fields = [("client.timeout_ms", "150"), ("client.on_timeout", how)];
        let world = ran(&crowd(&fields));
        let tokens = world.outcomes().wasted_tokens;
        (count(&world, Status::Served), tokens)
    };
    // One of each server's four is served in time. The second has had half of its 1 000 tokens when
    // its client gives up; then it and the others leave, or run on for nobody.
    let (served, wasted) = give_up("abort");
    assert_eq!(served, 2);
    let (still, all) = give_up("run-on");
    assert_eq!((still, all), (2, 6 * 1_000));
    assert!(wasted <= 2 * 1_000, "{wasted}");
}

#[test]
fn a_hedge_goes_elsewhere_and_the_first_token_decides() {
    let fields = [
        ("fleet.slow_replicas", "1"),
        ("fleet.slow_per_mille", "50"),
        ("router.rule", "round-robin"),
        ("client.hedge", "fixed"),
        ("client.hedge_ms", "400"),
    ];
    let world = ran(&stream(&fields));
    let plain = ran(&stream(&fields[..3]));
    assert!(world.outcomes().hedges > 50);
    for outcome in world.outcomes().all().iter().filter(|o| o.attempts == 2) {
        let tries: Vec<_> = world.decisions().iter().filter(|d| d.request == outcome.number).collect();
        assert_eq!(tries.len(), 2);
        assert_ne!(tries[0].to, tries[1].to);
        assert_eq!(tries[1].at, tries[0].at + 400 * MILLI);
    }
    let late = |world: &tokenyard_fleet::World| {
        world.outcomes().all().iter().filter(|o| o.ttft > 2 * SECOND).count()
    };
    assert!(late(&world) * 4 < late(&plain), "{} {}", late(&world), late(&plain));
}
