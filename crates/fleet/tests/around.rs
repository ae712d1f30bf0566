//! What stands around rules and engines, case by case: gateway, client, elasticity, beliefs.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

#[path = "around/beliefs.rs"]
mod beliefs;
#[path = "around/client.rs"]
mod client;
#[path = "around/facts.rs"]
mod facts;
#[path = "around/fleet.rs"]
mod fleet;
#[path = "around/gateway.rs"]
mod gateway;
#[path = "around/health.rs"]
mod health;
#[path = "around/reports.rs"]
mod reports;

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::{Change, ChangeKind, Draft, Scenario};
use tokenyard_fleet::time::{MILLI, Ps};

/// Eight requests at once for two single servers of 100 ms each request, and other fields.
pub(crate) fn crowd(fields: &[(&str, &str)]) -> Scenario {
    let base = [
        ("workload.arrivals", "batch"),
        ("workload.batch_size", "8"),
        ("workload.requests", "8"),
        ("workload.prompt_shape", "constant"),
        ("workload.prompt_mean", "1000"),
        ("workload.output_shape", "constant"),
        ("workload.output_mean", "1"),
        ("fleet.replicas", "2"),
        ("fleet.preset", "ticks"),
        ("fleet.max_seqs", "1"),
        ("fleet.budget", "10"),
        ("fleet.kv_blocks", "1000"),
        ("router.rule", "least-outstanding"),
    ];
    draft(&base, fields).build(None).unwrap()
}

/// Steady Poisson requests on four replicas of the default preset, and other fields.
pub(crate) fn stream(fields: &[(&str, &str)]) -> Scenario {
    let base =
        [("workload.requests", "600"), ("workload.rate_rps", "30"), ("router.rule", "least-outstanding")];
    draft(&base, fields).build(None).unwrap()
}

fn draft(base: &[(&str, &str)], fields: &[(&str, &str)]) -> Draft {
    let mut draft = Draft::default();
    for (path, text) in base.iter().chain(fields) {
        draft.set(path, text).unwrap_or_else(|problem| panic!("{problem:?}"));
    }
    draft
}

/// Adds a change at a time in milliseconds.
pub(crate) fn at_ms(scenario: &mut Scenario, ms: u64, replica: u32, kind: ChangeKind) {
    scenario.changes.push(Change { at: ms * MILLI, replica, kind });
    scenario.changes.sort_by_key(|change| change.at);
}

/// Runs to the end with records.
pub(crate) fn ran(scenario: &Scenario) -> World {
    let mut world = World::new(scenario, None);
    world.record();
    run_to_end(&mut world);
    world.laws().unwrap();
    world
}

/// How many ended in a way.
pub(crate) fn count(world: &World, status: Status) -> usize {
    world.outcomes().all().iter().filter(|o| o.status == status).count()
}

/// Times at which something was sent to a replica.
pub(crate) fn sent_to(world: &World, replica: u16) -> Vec<Ps> {
    world.decisions().iter().filter(|d| d.to == replica).map(|d| d.at).collect()
}
