//! What operators write down, what engines report beyond loads, and rules that refuse.

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::scenario::ChangeKind;
use tokenyard_fleet::time::SECOND;

use crate::{at_ms, count, crowd, ran, sent_to, stream};

fn shares(world: &World) -> Vec<usize> {
    (0..4).map(|replica| sent_to(world, replica).len()).collect()
}

/// One score term of every candidate of every decision.
fn terms(world: &World, at: usize) -> Vec<f64> {
    let rows = world.decisions().iter().flat_map(|decision| &decision.rows);
    rows.filter_map(|row| row.terms).map(|terms| terms[at]).collect()
}

#[test]
fn weights_are_what_is_written_down_for_the_slow_and_for_the_others() {
    let one_slow = [("fleet.slow_replicas", "1"), ("router.rule", "weighted-round-robin")];
    let with = |fields: &[(&str, &str)]| shares(&ran(&stream(&[&one_slow[..], fields].concat())));
    assert_eq!(with(&[]), [150; 4]);
    assert_eq!(with(&[("router.slow_weight_per_mille", "500")]), [172, 171, 171, 86]);
    let both = [("router.weight_per_mille", "3000"), ("router.slow_weight_per_mille", "1000")];
    assert_eq!(with(&both), [180, 180, 180, 60]);
}

#[test]
fn the_cheapest_gets_everything() {
    let fields = [
        ("fleet.slow_replicas", "1"),
        ("router.rule", "litellm-cost-based"),
        ("router.price_cents", "300"),
        ("router.slow_price_cents", "100"),
    ];
    assert_eq!(shares(&ran(&stream(&fields))), [0, 0, 0, 600]);
}

/// Two requests a minute for each of two replicas: four of eight are refused, and nobody waits.
#[test]
fn a_rule_that_refuses_is_an_answer_to_the_client() {
    let limited = [("router.rule", "litellm-usage-based"), ("router.rpm", "2")];
    let selection = [&limited[..], &[("router.rule_params.rpm_check", "selection")]].concat();
    let world = ran(&crowd(&selection));
    assert_eq!((count(&world, Status::Served), count(&world, Status::Refused)), (4, 4));
    let refused = world.outcomes().all().iter().filter(|o| o.status == Status::Refused);
    assert!(refused.into_iter().all(|o| o.e2e == 0), "at once");
    // Who comes back in the next minute is served.
    let patient = [
        ("client.attempts", "2"),
        ("client.backoff", "exponential"),
        ("client.backoff_base_ms", "60000"),
        ("client.backoff_cap_ms", "60000"),
        ("client.jitter", "none"),
    ];
    let world = ran(&crowd(&[&selection[..], &patient].concat()));
    assert_eq!(count(&world, Status::Served), 8);
    // A check after the selection refuses at least as many.
    assert!(count(&ran(&crowd(&limited)), Status::Served) <= 4);
}

#[test]
fn a_poll_is_as_old_as_it_is_and_what_was_sent_since_is_known() {
    let with = |scrape: &str| {
        let rule = [("router.rule", "smg-least-load"), ("router.scrape_ms", scrape)];
        ran(&stream(&[&rule[..], &[("workload.rate_rps", "120")]].concat()))
    };
    let (fresh, polled) = (with("0"), with("2000"));
    assert!(terms(&fresh, 1).iter().all(|since| *since == 0.0), "a fresh report knows of everything");
    assert!(terms(&polled, 1).iter().any(|since| *since > 0.0));
    for world in [&fresh, &polled] {
        let throughput = terms(world, 2);
        assert!(throughput.iter().any(|rate| *rate > 0.0 && *rate != 2_000.0), "engines report a rate");
    }
    assert!(terms(&fresh, 0).iter().any(|queued| *queued > 0.0), "a line has formed");
}

/// Equal requests cost a slow replica twice the time, so its weight is half the others', where
/// being busy depends on the load: few requests with short answers.
#[test]
fn client_side_weights_find_out_who_is_slow() {
    let fields = [
        ("router.rule", "envoy-cswrr"),
        ("router.rule_params.weight_scale", "1000"),
        ("router.scrape_ms", "1000"),
        ("fleet.slow_replicas", "1"),
        ("fleet.slow_per_mille", "500"),
        ("workload.requests", "3000"),
        ("workload.rate_rps", "8"),
        ("workload.output_shape", "constant"),
        ("workload.output_mean", "4"),
        ("workload.prompt_shape", "constant"),
        ("workload.prompt_mean", "500"),
    ];
    let world = ran(&stream(&fields));
    let sent = shares(&world);
    let others = sent[..3].iter().sum::<usize>() as f64 / 3.0;
    assert!((0.4..0.65).contains(&(sent[3] as f64 / others)), "{sent:?}");
    assert!(terms(&world, 3).iter().any(|weight| *weight > 1.0));
}

/// A replica that has come back gets a tenth of its turns in the first tenth of its window.
#[test]
fn slow_start_of_a_rule_goes_by_the_time_since_a_replica_came_back() {
    let sent = |window: &str| {
        let rule = [("router.rule", "envoy-least-request"), ("router.rule_params.slow_start_s", window)];
        let mut scenario = stream(&[&rule[..], &[("router.rule_params.active_request_bias", "0")]].concat());
        at_ms(&mut scenario, 4_000, 1, ChangeKind::Fail);
        at_ms(&mut scenario, 5_000, 1, ChangeKind::Restart);
        let world = ran(&scenario);
        sent_to(&world, 1).iter().filter(|at| (5 * SECOND..11 * SECOND).contains(at)).count()
    };
    let (none, slow) = (sent("0"), sent("60"));
    assert!((30..60).contains(&none) && (1..10).contains(&slow), "{none} without, {slow} with");
}

/// What an engine reports of its life is what its requests went through, until it is gone.
#[test]
fn lifetime_means_are_those_of_the_requests_that_an_engine_has_finished() {
    let rule = [("router.rule", "aibrix-least-latency"), ("router.scrape_ms", "0")];
    let mut scenario = stream(&[&rule[..], &[("workload.rate_rps", "60")]].concat());
    at_ms(&mut scenario, 4_000, 1, ChangeKind::Fail);
    at_ms(&mut scenario, 4_500, 1, ChangeKind::Restart);
    let world = ran(&scenario);
    let mut compared = 0;
    for decision in world.decisions() {
        for row in &decision.rows {
            let since = if row.replica == 1 && decision.at > 4 * SECOND { 4 * SECOND } else { 0 };
            let done = world.outcomes().all().iter().filter(|one| {
                let end = one.arrival + one.e2e;
                one.replica == Some(row.replica) && end > since && end <= decision.at
            });
            let done: Vec<_> = done.collect();
            let terms = row.terms.unwrap();
            assert_eq!(terms[0], done.len() as f64, "replica {} at {}", row.replica, decision.at);
            if !done.is_empty() {
                let queue = done.iter().map(|one| one.queue as f64).sum::<f64>();
                let mean = queue / done.len() as f64 / SECOND as f64;
                assert!((terms[1] - mean).abs() < 1e-9, "{} and {mean}", terms[1]);
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
    let sent = sent_to(&world, 1);
    let back = sent.iter().filter(|at| **at > 4_500 * SECOND / 1_000).count();
    assert_eq!(back, 0, "who has finished nothing since it came back gets nothing");
    assert!(!sent.is_empty());
}
