//! Metastable failures (Bronson et al. 2021): a queue that a short outage leaves in a state from
//! which retries keep it.
//!
//! One FIFO server with mean service 10 ms (100 a second), patience 1 s, retries at once, abandoned
//! work runs on. From 100 s to 120 s the server all but stops. Goodput is counted from 100 s to
//! 300 s after the outage.

use std::sync::OnceLock;

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::{Change, ChangeKind, Draft};
use tokenyard_fleet::time::{SECOND, in_s};

use crate::page::Group;
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

/// Goodput after the outage, by arrival rate and what is done about retries.
pub(crate) fn table() -> &'static Group {
    static GROUP: OnceLock<Group> = OnceLock::new();
    GROUP.get_or_init(|| {
        let mut group = Group::new(
            "Metastable failure",
            "One FIFO server, mean service 10 ms, patience 1 s, retries at once, abandoned work runs \
             on; the server all but stops for 20 s. Answers a second from 100 s to 300 s after that \
             (Bronson et al. 2021; figures computed apart).",
        );
        const BUDGET: [(&str, &str); 2] =
            [("gateway.retry_budget", "share"), ("gateway.retry_budget_share", "0.1")];
        type Row = (&'static str, u32, u32, &'static [(&'static str, &'static str)], f64);
        let rows: [Row; 12] = [
            ("3 retries", 20, 4, &[], 19.9),
            ("3 retries", 30, 4, &[], 0.0),
            ("3 retries", 70, 4, &[], 0.0),
            ("1 retry", 30, 2, &[], 30.0),
            ("1 retry", 50, 2, &[], 0.0),
            ("no retry", 70, 1, &[], 69.0),
            ("3 retries, budget 10%", 70, 4, &BUDGET, 69.0),
            ("3 retries, budget 10%", 90, 4, &BUDGET, 0.0),
            ("3 retries, expired work dropped", 70, 4, &[("client.on_timeout", "abort")], 69.0),
            ("3 retries, last come first", 70, 4, &[("fleet.order", "last")], 69.5),
            ("3 retries, last come first", 90, 4, &[("fleet.order", "last")], 89.0),
            ("no retry", 20, 1, &[], 20.0),
        ];
        for (how, rate, tries, fields, want) in rows {
            let good = goodput(&with(&server(rate, tries), fields));
            // Sampling error of 200 s of Poisson arrivals, and what times out by chance.
            let error = 4.0 * (f64::from(rate) / 200.0).sqrt() + 0.02 * f64::from(rate);
            let holds = if want == 0.0 { good < 1.0 } else { (good - want).abs() < error };
            let asserted = if want == 0.0 { "stays down: < 1" } else { "recovers: sampling error" };
            group.line(format!("{how}, {rate}/s"), want.to_string(), format!("{good:.1}"), asserted, holds);
        }
        group
    })
}

#[test]
fn who_recovers_and_who_never_does() {
    table().assert();
}
