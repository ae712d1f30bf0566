//! Metastable failures (Bronson et al. 2021): a queue that a short outage leaves in a state from
//! which retries keep it.
//!
//! One FIFO server with mean service 10 ms (100 a second), patience 1 s, retries at once, abandoned
//! work runs on. From 100 s to 120 s the server all but stops. Goodput is counted from 100 s to
//! 300 s after the outage.

use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::{Change, ChangeKind, Draft};
use tokenyard_fleet::time::{SECOND, in_s};
use tokenyard_fleet::World;

use crate::{draft, with};

/// The server under `rate` requests a second with so many tries each.
fn server(rate: u32, tries: u32) -> Draft {
    let requests = (rate * 430).to_string();
    draft(&[
        ("fleet.replicas", "1"),
        ("fleet.preset", "ticks"),
        ("fleet.max_seqs", "1"),
        ("fleet.budget", "1000"),
        ("fleet.prefix_cache", "off"),
        ("fleet.kv_blocks", "100000"),
        ("workload.rate_rps", &rate.to_string()),
        ("workload.requests", &requests),
        ("workload.prompt_shape", "exponential"),
        ("workload.prompt_mean", "10000"),
        ("workload.output_shape", "constant"),
        ("workload.output_mean", "1"),
        ("client.timeout_ms", "1000"),
        ("client.on_timeout", "run-on"),
        ("client.attempts", &tries.to_string()),
        ("client.backoff", "none"),
        ("limits.simulated_s", "420"),
    ])
}

/// Answers a second from 100 s to 300 s after the outage.
fn goodput(draft: &Draft) -> f64 {
    let mut scenario = draft.build(None).unwrap();
    for (at, per_mille) in [(100, 1), (120, 1_000)] {
        let kind = ChangeKind::Speed(per_mille);
        scenario.changes.push(Change { at: at * SECOND, replica: 0, kind });
    }
    let mut world = World::new(&scenario, None);
    run_to_end(&mut world);
    let served = world.outcomes().all().iter().filter(|o| {
        let end = in_s(o.arrival + o.e2e);
        o.status == Status::Served && (220.0..420.0).contains(&end)
    });
    served.count() as f64 / 200.0
}

/// Within sampling error of the offered rate: 200 s of Poisson arrivals.
fn recovers(draft: &Draft, rate: f64) -> bool {
    let good = goodput(draft);
    (good - rate).abs() < 4.0 * (rate / 200.0).sqrt() + 0.02 * rate
}

#[test]
fn three_retries_recover_at_20_and_never_at_30_and_more() {
    assert!(recovers(&server(20, 4), 20.0));
    for rate in [30, 70] {
        let good = goodput(&server(rate, 4));
        assert!(good < 1.0, "{rate}: {good}");
    }
}

#[test]
fn one_retry_recovers_at_30_and_not_at_50() {
    assert!(recovers(&server(30, 2), 30.0));
    let good = goodput(&server(50, 2));
    assert!(good < 1.0, "{good}");
}

#[test]
fn without_retries_70_recovers() {
    assert!(recovers(&server(70, 1), 70.0));
}

#[test]
fn a_retry_budget_of_a_tenth_saves_70_but_not_90() {
    let budget = [("gateway.retry_budget", "share"), ("gateway.retry_budget_share", "0.1")];
    assert!(recovers(&with(&server(70, 4), &budget), 70.0));
    let good = goodput(&with(&server(90, 4), &budget));
    assert!(good < 1.0, "{good}");
}

#[test]
fn dropping_expired_work_or_serving_the_latest_first_saves_70() {
    let dropping = [("client.on_timeout", "abort")];
    assert!(recovers(&with(&server(70, 4), &dropping), 70.0));
    let latest = [("fleet.order", "last")];
    assert!(recovers(&with(&server(70, 4), &latest), 70.0));
    assert!(recovers(&with(&server(90, 4), &latest), 90.0));
}
