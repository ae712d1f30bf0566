//! Replicas that answer with errors, and what stands around rules against them: cooldown by 429,
//! outlier detection, panic and pools by health; the line in bands.

use tokenyard_fleet::World;
use tokenyard_fleet::digest;
use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::{ChangeKind, Scenario};
use tokenyard_fleet::time::{MILLI, Ps, SECOND};
use tokenyard_fleet::workload::Workload;

use crate::{at_ms, count, crowd, ran, sent_to, stream};

/// A replica that answers with errors is always idle, so the least loaded is always this one.
#[test]
fn a_failing_replica_draws_everything_until_it_is_ejected() {
    let failing = [("fleet.failing_replicas", "1")];
    let world = ran(&stream(&failing));
    let served = count(&world, Status::Served);
    assert!(served < 150, "{served} of 600 were served");
    assert!(world.outcomes().all().iter().all(|o| o.status == Status::Served || o.replica.is_none()));
    let outlier = [failing[0], ("gateway.outlier", "on")];
    let world = ran(&stream(&outlier));
    assert_eq!(world.outcomes().ejections, 1);
    assert_eq!(count(&world, Status::Failed), 5, "five in a row, and the run is over before 30 s are");
    assert_eq!(count(&world, Status::Served), 595);
}

#[test]
fn some_of_a_failing_replicas_requests_fail() {
    let fields =
        [("fleet.failing_replicas", "1"), ("fleet.failing_per_mille", "300"), ("router.rule", "round-robin")];
    let world = ran(&stream(&fields));
    let failed = count(&world, Status::Failed);
    assert!((25..70).contains(&failed), "{failed} of 150");
}

/// An ejected replica comes back at a sweep and is ejected again, for twice as long.
#[test]
fn ejections_grow() {
    let fields = [
        ("fleet.failing_replicas", "1"),
        ("router.rule", "round-robin"),
        ("workload.requests", "4000"),
        ("gateway.outlier", "on"),
        ("gateway.outlier_success_rate", "off"),
    ];
    let world = ran(&stream(&fields));
    let sent: Vec<Ps> = sent_to(&world, 0);
    let gaps: Vec<u64> = sent.windows(2).map(|pair| (pair[1] - pair[0]) / (10 * SECOND)).collect();
    let long: Vec<u64> = gaps.into_iter().filter(|gap| *gap > 0).collect();
    // Ejected a moment after a sweep, and back at the sweep after 30 and after 60 seconds.
    assert_eq!(long, [3, 6]);
    assert_eq!(world.outcomes().ejections, 3);
}

#[test]
fn a_limit_of_requests_a_minute_is_answered_with_429() {
    let fields = [("fleet.limit_rpm", "60"), ("router.rule", "round-robin"), ("client.attempts", "1")];
    let world = ran(&stream(&fields));
    assert_eq!((count(&world, Status::Served), count(&world, Status::Refused)), (240, 360));
    assert_eq!(world.outcomes().breaker_opens, 0);
}

/// Section 7: 429 leaves a replica out for five seconds, whatever others are free.
#[test]
fn case_7_5_a_replica_at_its_limit_is_left_out_for_five_seconds() {
    let gaps = |cooldown: &str| -> Vec<Ps> {
        let fields = [
            ("fleet.limit_rpm", "60"),
            ("router.rule", "litellm-simple-shuffle"),
            ("router.rule_params.cooldown_s", cooldown),
        ];
        let world = ran(&stream(&fields));
        let sent = sent_to(&world, 0);
        sent[60..].windows(2).map(|pair| pair[1] - pair[0]).collect()
    };
    let left_out = gaps("5");
    assert!(!left_out.is_empty() && left_out.iter().all(|gap| *gap >= 5 * SECOND), "{left_out:?}");
    assert!(gaps("0").iter().all(|gap| *gap < 5 * SECOND));
}

/// Everybody at the limit, everybody left out: the rule itself refuses (report 29).
#[test]
fn section_7_everybody_cools_at_once_under_a_shared_limit() {
    let fields = [
        ("fleet.limit_rpm", "20"),
        ("router.rule", "litellm-simple-shuffle"),
        ("router.rule_params.cooldown_s", "60"),
    ];
    let world = ran(&stream(&fields));
    assert_eq!(count(&world, Status::Served), 80);
    // One refusal of each replica, and the rule's own after that: those are no attempts.
    assert_eq!(world.decisions().len(), 84);
    assert_eq!(count(&world, Status::Refused), 520);
}

/// Three of four replicas are down from 4 s on.
fn three_down(fields: &[(&str, &str)]) -> World {
    let mut scenario = stream(&[&[("router.rule", "round-robin")], fields].concat());
    (0..3).for_each(|replica| at_ms(&mut scenario, 4_000, replica, ChangeKind::Fail));
    ran(&scenario)
}

/// Failures of requests that were sent after 4 s.
fn failed_later(world: &World) -> usize {
    let later = |arrival: Ps| arrival > 4 * SECOND;
    world.outcomes().all().iter().filter(|o| o.status == Status::Failed && later(o.arrival)).count()
}

#[test]
fn section_6_6_in_panic_health_is_ignored() {
    assert_eq!(failed_later(&three_down(&[])), 0, "the one that is left has everything");
    let world = three_down(&[("gateway.panic_percent", "50")]);
    let sent = world.decisions().iter().filter(|d| d.at > 4 * SECOND).count();
    let failed = failed_later(&world);
    assert!(failed.abs_diff(sent * 3 / 4) < 3, "{failed} of {sent}");
    assert_eq!(failed_later(&three_down(&[("gateway.panic_percent", "25")])), 0, "25 is not below 25");
}

#[test]
fn section_6_6_a_pool_passes_on_what_its_health_is_not_good_for() {
    let fields = [("gateway.pools", "2"), ("gateway.pool_choice", "health"), ("router.rule", "round-robin")];
    let world = ran(&stream(&fields));
    assert!(world.decisions().iter().all(|d| d.to < 2), "a healthy first pool has everything");
    let mut scenario = stream(&fields);
    at_ms(&mut scenario, 0, 0, ChangeKind::Fail);
    let world = ran(&scenario);
    // Half healthy is good for 70 %.
    let first = world.decisions().iter().filter(|d| d.to < 2).count();
    assert!((385..455).contains(&first), "{first} of 600");
    let plain = [fields[0], fields[1], fields[2], ("gateway.overprovisioning_percent", "100")];
    let mut scenario = stream(&plain);
    at_ms(&mut scenario, 0, 0, ChangeKind::Fail);
    let first = ran(&scenario).decisions().iter().filter(|d| d.to < 2).count();
    assert!((265..335).contains(&first), "{first} of 600");
}

/// Priorities by number of the request.
fn priorities(scenario: &Scenario) -> Vec<u8> {
    let mut workload = Workload::new(scenario, None);
    std::iter::from_fn(|| workload.take()).map(|request| request.priority).collect()
}

const HELD: [(&str, &str); 6] = [
    ("router.rule", "epp"),
    ("router.rule_params.saturation", "concurrency"),
    ("router.rule_params.max_concurrency", "1"),
    ("router.rule_params.flow_control", "on"),
    ("workload.priority_share", "0.5"),
    ("gateway.line_order", "bands"),
];

#[test]
fn section_5_5_bands_go_from_the_highest_and_first_come_within() {
    let scenario = crowd(&HELD);
    let priority = priorities(&scenario);
    let world = ran(&scenario);
    assert_eq!(count(&world, Status::Served), 8);
    let sent: Vec<u32> = world.decisions().iter().map(|d| d.request).collect();
    // Two at once fill two replicas; whoever waits then goes by priority, then by number.
    let mut waiting: Vec<u32> = (2..8).collect();
    waiting.sort_by_key(|number| std::cmp::Reverse(priority[*number as usize]));
    assert_eq!(sent, [vec![0, 1], waiting].concat());
    assert!(priority[2..].contains(&0) && priority[2..].contains(&1), "{priority:?}");
    // Without bands the line is first come, first served.
    let plain = [&HELD[..5], &[("gateway.line_order", "first")]].concat();
    let sent: Vec<u32> = ran(&crowd(&plain)).decisions().iter().map(|d| d.request).collect();
    assert_eq!(sent, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn section_5_5_a_band_has_a_limit_of_its_own_and_a_time() {
    let world = ran(&crowd(&[&HELD[..], &[("gateway.line_cap", "1")]].concat()));
    assert_eq!((count(&world, Status::Served), count(&world, Status::Rejected)), (4, 4));
    let world = ran(&crowd(&[&HELD[..], &[("gateway.queue_timeout_ms", "150")]].concat()));
    assert_eq!((count(&world, Status::Served), count(&world, Status::Rejected)), (4, 4));
}

/// Engines are looked at every 50 ms: between two readings the pool is as full as it was.
#[test]
fn section_5_5_a_saturated_pool_is_let_go_by_the_next_reading() {
    let fields = [
        ("router.rule", "epp"),
        ("router.rule_params.saturation", "utilization"),
        ("router.rule_params.queue_depth", "1"),
        ("router.rule_params.flow_control", "on"),
        ("router.scrape_ms", "50"),
        ("router.rule_params.staleness_ms", "200"),
        ("gateway.line_order", "bands"),
    ];
    let held = [&fields[..], &[("workload.arrivals", "poisson"), ("workload.rate_rps", "40")]].concat();
    let world = ran(&crowd(&held));
    assert_eq!(count(&world, Status::Served), 8);
    let at_reading = world.decisions().iter().filter(|d| d.at > 0 && d.at % (SECOND / 20) == 0).count();
    assert!(at_reading > 0, "nobody was held back");
    // What is always too old counts as full: nobody is ever let through, and the run ends all the same.
    let late = [&fields[..], &[("router.scrape_delay_ms", "300"), ("limits.simulated_s", "20")]].concat();
    let world = ran(&crowd(&late));
    assert_eq!(world.decisions().len(), 0);
}

/// Requests of two tenants that have all come at once, in the order in which they are sent, against
/// counters worked out one after the other.
#[test]
fn the_tenant_that_was_served_least_goes_first() {
    let fields = [("gateway.queue_cap", "1"), ("workload.tenants", "2"), ("gateway.line_order", "vtc")];
    let scenario = crowd(&[&fields[..], &[("workload.output_mean", "50")]].concat());
    let mut workload = Workload::new(&scenario, None);
    let requests: Vec<_> = std::iter::from_fn(|| workload.take()).collect();
    let world = ran(&scenario);
    assert_eq!(count(&world, Status::Served), 8);
    let tenant = |number: u32| requests[number as usize].tenant;
    let sent: Vec<(Ps, u32)> = world.decisions().iter().map(|d| (d.at, d.request)).collect();
    let ended = |number: u32| {
        let outcome = world.outcomes().all().iter().find(|o| o.number == number).unwrap();
        outcome.arrival + outcome.e2e
    };
    for (i, (at, number)) in sent.iter().enumerate().skip(2) {
        let counter = |of: u32| -> u64 {
            let own = sent[..i].iter().filter(|(_, number)| tenant(*number) == of);
            own.map(|(_, number)| {
                let output = if ended(*number) <= *at { requests[*number as usize].output } else { 0 };
                u64::from(requests[*number as usize].prompt) + 2 * u64::from(output)
            })
            .sum()
        };
        let waiting = sent[i..].iter().map(|(_, number)| tenant(*number));
        let least = waiting.map(counter).min();
        assert_eq!(Some(counter(tenant(*number))), least, "{number}");
    }
    let tenants: Vec<u32> = (0..8).map(tenant).collect();
    let plain: Vec<u32> = (0..8).collect();
    assert!(tenants.contains(&0) && tenants.contains(&1));
    assert_ne!(sent.iter().map(|(_, number)| *number).collect::<Vec<_>>(), plain);
}

/// Section 1.7: five attempts with 50, 75, 112.5 and 168.75 ms between them fail after 0.4 s.
#[test]
fn section_1_7_case_1_five_attempts_fail_after_four_tenths_of_a_second() {
    let fields = [
        ("fleet.failing_replicas", "4"),
        ("workload.requests", "1"),
        ("client.attempts", "5"),
        ("client.backoff_base_ms", "50"),
        ("client.backoff_factor", "1.5"),
        ("client.backoff_cap_ms", "30000"),
        ("client.jitter", "none"),
    ];
    let world = ran(&stream(&fields));
    assert_eq!(count(&world, Status::Failed), 1);
    assert_eq!(world.outcomes().all()[0].e2e, 406_250 * MILLI / 1_000);
    assert_eq!(world.decisions().len(), 5);
}

/// Section 1.7: ten failures in a row open a breaker for 60 s, and three successes close it.
#[test]
fn section_1_7_case_2_ten_failures_open_and_three_successes_close() {
    let fields = [
        ("fleet.failing_replicas", "1"),
        ("router.rule", "round-robin"),
        ("workload.requests", "2400"),
        ("gateway.breaker_failures", "10"),
        ("gateway.breaker_open_s", "60"),
    ];
    let world = ran(&stream(&fields));
    let sent = sent_to(&world, 0);
    assert_eq!((sent.len(), world.outcomes().breaker_opens), (11, 2), "a trial that fails opens it again");
    let pause = sent[10] - sent[9];
    assert!((60 * SECOND..61 * SECOND).contains(&pause), "{pause}");
    // A replica that was lost with what it had works again: it gets one trial after the other.
    let closed = |needed: &str| {
        let fields = [
            ("router.rule", "round-robin"),
            ("gateway.breaker_failures", "1"),
            ("gateway.breaker_open_s", "1"),
            ("gateway.breaker_successes", needed),
        ];
        let mut scenario = stream(&fields);
        at_ms(&mut scenario, 4_000, 0, ChangeKind::Restart);
        let mut world = World::new(&scenario, None);
        let mut most = 0;
        while let tokenyard_fleet::world::Step::Did(at) = world.step() {
            if (5 * SECOND..20 * SECOND).contains(&at) {
                most = most.max(world.outstanding()[0]);
            }
        }
        (most, world.outcomes().breaker_opens)
    };
    assert_eq!(closed("1000"), (1, 1), "never closed, never more than a trial");
    assert!(closed("3").0 > 1);
}

/// Section 6.6: retries under way are a fifth of what is in flight, and three at least.
#[test]
fn section_6_6_case_4_a_retry_budget_is_a_fifth_of_what_is_in_flight_and_three_at_least() {
    let fields = [
        ("fleet.failing_replicas", "4"),
        ("workload.arrivals", "batch"),
        ("workload.requests", "100"),
        ("workload.batch_size", "100"),
        ("client.attempts", "2"),
        ("client.jitter", "none"),
        ("gateway.retry_budget", "envoy"),
        ("gateway.retry_budget_share", "0.2"),
    ];
    // Each request fails at once: of those in flight one a time, but for those that wait to come back.
    let world = ran(&stream(&fields));
    assert_eq!(world.outcomes().retries, 3);
    let retries = |least: &str, share: &str| {
        let more = [("gateway.envoy_min_concurrency", least), ("gateway.retry_budget_share", share)];
        ran(&stream(&[&fields[..], &more].concat())).outcomes().retries
    };
    assert_eq!(retries("10", "0.2"), 10);
    // The first is 0 of 1 in flight; the second 1 of 2, which is not below a fifth, but below all.
    assert_eq!([retries("0", "0.2"), retries("0", "1")], [1, 100]);
}

#[test]
fn laws_hold_among_replicas_that_fail_under_every_rule() {
    let troubled = digest::COUNT - tokenyard_policy::rules::RULES.len() as u32;
    let mut ejections = 0;
    for seed in troubled..digest::COUNT {
        let scenario = digest::draft(u64::from(seed)).build(None).unwrap();
        let mut world = World::new(&scenario, None);
        run_to_end(&mut world);
        world.laws().unwrap_or_else(|law| panic!("{seed}: {law:?}"));
        ejections += world.outcomes().ejections;
    }
    assert!(ejections > 20, "{ejections}");
}
