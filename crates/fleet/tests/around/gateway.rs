//! Caps, the line, sessions, breakers, pools.

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::scenario::ChangeKind;
use tokenyard_fleet::time::{MILLI, SECOND};
use tokenyard_fleet::world::Step;

use crate::{at_ms, count, crowd, ran, sent_to, stream};

#[test]
fn a_cap_holds_at_every_moment_and_the_rest_waits_in_order() {
    let mut world = World::new(&crowd(&[("gateway.queue_cap", "2")]), None);
    while let Step::Did(_) = world.step() {
        assert!(world.outstanding().iter().all(|n| *n <= 2));
    }
    let ends: Vec<_> = world.outcomes().all().iter().map(|o| o.number).collect();
    assert_eq!(ends, [0, 1, 2, 3, 4, 5, 6, 7], "first come, first served");
}

#[test]
fn a_full_line_refuses_and_no_line_refuses_at_once() {
    let none = ran(&crowd(&[("gateway.queue_cap", "1"), ("gateway.line_cap", "0")]));
    assert_eq!((count(&none, Status::Served), count(&none, Status::Rejected)), (2, 6));
    let short = ran(&crowd(&[("gateway.queue_cap", "1"), ("gateway.line_cap", "3")]));
    assert_eq!((count(&short, Status::Served), count(&short, Status::Rejected)), (5, 3));
}

#[test]
fn patience_at_the_gateway_ends_exactly_when_it_says() {
    let world = ran(&crowd(&[("gateway.queue_cap", "1"), ("gateway.queue_timeout_ms", "150")]));
    // Two are served at 100 ms each, two more begin then, and four have waited too long.
    assert_eq!((count(&world, Status::Served), count(&world, Status::Rejected)), (4, 4));
    let refused = world.outcomes().all().iter().filter(|o| o.status == Status::Rejected);
    assert!(refused.into_iter().all(|o| o.e2e == 150 * MILLI));
}

#[test]
fn what_nobody_wants_any_more_is_dropped_before_it_is_routed() {
    let fields =
        [("gateway.queue_cap", "1"), ("gateway.drop_expired", "on"), ("workload.deadline_ms", "150")];
    let world = ran(&crowd(&fields));
    assert_eq!((count(&world, Status::Served), count(&world, Status::Dropped)), (4, 4));
    assert_eq!(world.decisions().len(), 4);
}

#[test]
fn a_session_has_no_more_in_flight_than_it_may() {
    let fields = [
        ("workload.fan_out", "6"),
        ("workload.turns", "1"),
        ("workload.requests", "60"),
        ("gateway.session_concurrency", "2"),
    ];
    let world = ran(&stream(&fields));
    let mut edges: Vec<(u32, u64, i32)> = Vec::new();
    for outcome in world.outcomes().all() {
        let session = outcome.session.unwrap();
        let sent = world.decisions().iter().find(|d| d.request == outcome.number).unwrap().at;
        edges.push((session, sent, 1));
        edges.push((session, outcome.arrival + outcome.e2e, -1));
    }
    edges.sort_unstable();
    let (mut session, mut inside, mut most) = (u32::MAX, 0, 0);
    for (of, _, step) in edges {
        if of != session {
            (session, inside) = (of, 0);
        }
        inside += step;
        most = most.max(inside);
    }
    assert_eq!(most, 2);
}

#[test]
fn a_breaker_keeps_a_failing_replica_out_for_its_time() {
    let fields = [("gateway.breaker_failures", "1"), ("gateway.breaker_open_s", "5")];
    let mut scenario = stream(&fields);
    at_ms(&mut scenario, 4_000, 0, ChangeKind::Restart);
    let world = ran(&scenario);
    let sent = sent_to(&world, 0);
    assert!(sent.iter().any(|at| *at < 4 * SECOND), "it had work when it failed");
    assert!(!sent.iter().any(|at| (4 * SECOND..9 * SECOND).contains(at)));
    assert!(sent.iter().any(|at| *at >= 9 * SECOND));
    assert_eq!(world.outcomes().breaker_opens, 1);
    // Without a breaker it is used again as soon as it is up.
    let mut open = stream(&[]);
    at_ms(&mut open, 4_000, 0, ChangeKind::Restart);
    assert!(sent_to(&ran(&open), 0).iter().any(|at| (4 * SECOND..9 * SECOND).contains(at)));
}

#[test]
fn pools_keep_the_important_apart_unless_they_may_spill() {
    let fields = [("gateway.pools", "2"), ("gateway.spill", "off"), ("workload.priority_share", "0.5")];
    let world = ran(&stream(&fields));
    let pools: Vec<bool> = world.decisions().iter().map(|d| d.to < 2).collect();
    let first = pools.iter().filter(|first| **first).count();
    assert!((200..400).contains(&first), "half of the requests have a pool each: {first}");
    // A pool whose replicas are all down waits without spill, and is helped with it.
    let down = |spill: &str| {
        let mut scenario =
            stream(&[("gateway.pools", "2"), ("gateway.spill", spill), ("workload.priority_share", "0")]);
        at_ms(&mut scenario, 2_000, 2, ChangeKind::Drain);
        at_ms(&mut scenario, 2_000, 3, ChangeKind::Drain);
        at_ms(&mut scenario, 6_000, 2, ChangeKind::Undrain);
        let world = ran(&scenario);
        let during =
            |d: &&std::sync::Arc<tokenyard_fleet::record::Decision>| (2 * SECOND..6 * SECOND).contains(&d.at);
        world.decisions().iter().filter(during).count()
    };
    assert_eq!(down("off"), 0);
    assert!(down("on") > 50);
}
