//! The proof that runs are the same everywhere: random scenarios over every section of the file,
//! in ranges that make things happen, and one digest for each.

use tokenyard_det::Stream;
use tokenyard_policy::rules::{RULES, by_id};

use crate::run::run_to_end;
use crate::scenario::{Draft, Section};
use crate::world::World;

/// Scenarios of the suite: those that draw from the first rules, a few for every rule that
/// came later, and one for every rule among replicas that answer with errors.
pub const COUNT: u32 = ALONE + RULES.len() as u32;

/// Scenarios in which replicas work or are down.
const ALONE: u32 = DRAWN + EACH * (RULES.len() - FIRST.len()) as u32;

/// Scenarios with a rule drawn from the first ones, so that a new rule changes no digest.
const DRAWN: u32 = 96;

/// Rules that scenarios draw from.
const FIRST: [&str; 11] = [
    "random",
    "round-robin",
    "least-outstanding",
    "power-of-two",
    "least-kv",
    "prefix-gap",
    "consistent-hash",
    "sglang-cache-aware",
    "dynamo-kv",
    "kv-aware",
    "pure-kv",
];

/// Scenarios of each later rule.
const EACH: u32 = 3;

/// Digest of a scenario of the suite: history and state at the end.
#[must_use]
pub fn run(index: u32) -> u64 {
    let Ok(scenario) = draft(u64::from(index)).build(None) else { return 0 };
    let mut world = World::new(&scenario, None);
    run_to_end(&mut world);
    world.state_digest()
}

/// Sets a field to one of a few texts. A test sees to it that none is refused.
fn one_of(draft: &mut Draft, dice: &mut Stream, path: &str, texts: &[&str]) {
    let text = texts[dice.below(texts.len() as u64) as usize];
    let set = draft.set(path, text);
    debug_assert_eq!(set, Ok(()));
}

/// The scenario of a seed: small, and full of everything.
#[must_use]
pub fn draft(seed: u64) -> Draft {
    let mut dice = Stream::new(seed, "scenario", 0);
    let mut draft = Draft::default();
    draft.seed = seed;
    let drawn = by_id(FIRST[dice.below(FIRST.len() as u64) as usize]);
    let later = seed.checked_sub(u64::from(DRAWN)).and_then(|after| {
        let mut rules = RULES.iter().filter(|rule| !FIRST.contains(&rule.id));
        rules.nth((after / u64::from(EACH)) as usize)
    });
    let troubled = seed.checked_sub(u64::from(ALONE)).and_then(|at| RULES.get(at as usize));
    if let Some(rule) = troubled.or(later).copied().or(drawn) {
        draft.set_rule(rule);
    }
    workload(&mut draft, &mut dice);
    fleet(&mut draft, &mut dice);
    router(&mut draft, &mut dice);
    client(&mut draft, &mut dice);
    gateway(&mut draft, &mut dice);
    one_of(&mut draft, &mut dice, "limits.events", &["200000"]);
    if later.is_some() {
        written(&mut draft, &mut dice);
    }
    if troubled.is_some() {
        trouble(&mut draft, &mut dice);
    }
    draft
}

/// Replicas that answer with errors, and what a gateway does about it.
fn trouble(draft: &mut Draft, dice: &mut Stream) {
    let mut set = |path, texts: &[&str]| one_of(draft, dice, path, texts);
    set("fleet.failing_replicas", &["0", "1"]);
    set("fleet.failing_per_mille", &["300", "1000"]);
    set("fleet.limit_rpm", &["none", "20"]);
    set("gateway.pool_choice", &["priority", "health"]);
    set("gateway.overprovisioning_percent", &["100", "140"]);
    set("gateway.panic_percent", &["none", "50", "100"]);
    set("gateway.outlier", &["on", "on", "off"]);
    set("gateway.outlier_consecutive", &["none", "1", "5"]);
    set("gateway.outlier_interval_s", &["0.5", "10"]);
    set("gateway.outlier_ejection_s", &["1", "30"]);
    set("gateway.outlier_most_percent", &["10", "60", "100"]);
    set("gateway.outlier_at_least_one", &["on", "off"]);
    set("gateway.outlier_success_rate", &["on", "off"]);
    set("gateway.outlier_volume", &["3", "100"]);
    set("gateway.outlier_failure_percent", &["none", "50"]);
    set("gateway.outlier_failure_volume", &["3", "50"]);
    set("gateway.outlier_hosts", &["1", "5"]);
    set("gateway.breaker_successes", &["1", "3"]);
    set("gateway.line_order", &["first", "bands", "vtc"]);
}

fn workload(draft: &mut Draft, dice: &mut Stream) {
    let mut set = |path, texts: &[&str]| one_of(draft, dice, path, texts);
    set("workload.requests", &["1", "60", "300", "600"]);
    set("workload.rate_rps", &["2", "10", "40", "300"]);
    set("workload.arrivals", &["poisson", "poisson", "gamma", "batch", "closed"]);
    set("workload.concurrency", &["1", "6", "40"]);
    set("workload.burstiness", &["0.2", "4"]);
    set("workload.prompt_mean", &["1", "100", "1024", "4000"]);
    set("workload.output_mean", &["1", "30", "256"]);
    set("workload.prefix", &["none", "families", "system", "sessions"]);
    set("workload.families", &["1", "5", "200"]);
    set("workload.shared_tokens", &["0", "64", "512"]);
    set("workload.turns", &["1", "1", "5"]);
    set("workload.fan_out", &["0", "0", "3"]);
    set("workload.think_s", &["0", "0.5"]);
    set("workload.priority_share", &["0", "0.3"]);
    set("workload.deadline_ms", &["none", "2000"]);
    set("workload.tenants", &["1", "4"]);
}

fn fleet(draft: &mut Draft, dice: &mut Stream) {
    let mut set = |path, texts: &[&str]| one_of(draft, dice, path, texts);
    set("fleet.replicas", &["1", "2", "4", "9"]);
    set("fleet.block", &["1", "16", "64"]);
    set("fleet.kv_blocks", &["none", "300", "1500", "6000"]);
    set("fleet.max_seqs", &["1", "8", "256"]);
    set("fleet.budget", &["256", "2048"]);
    set("fleet.mode", &["chunked", "chunked", "continuous", "static"]);
    set("fleet.prefix_cache", &["on", "on", "off"]);
    set("fleet.cache_generated", &["on", "off"]);
    set("fleet.long_prefill", &["none", "300"]);
    set("fleet.order", &["first", "last"]);
    set("fleet.slow_replicas", &["0", "1"]);
    set("fleet.start_up_s", &["0", "2"]);
    set("fleet.blackout_s", &["0", "0", "1"]);
    set("fleet.slow_start_s", &["0", "5"]);
}

fn router(draft: &mut Draft, dice: &mut Stream) {
    let mut set = |path, texts: &[&str]| one_of(draft, dice, path, texts);
    set("router.routers", &["1", "1", "3"]);
    set("router.share", &["round-robin", "hash"]);
    set("router.load", &["own", "scraped"]);
    set("router.scrape_ms", &["0", "50", "700"]);
    set("router.scrape_phase", &["aligned", "random", "even"]);
    set("router.scrape_delay_ms", &["0", "30"]);
    set("router.own_dispatches", &["on", "off"]);
    set("router.peer_sharing_ms", &["none", "0", "20"]);
    set("router.accounting_gap_ms", &["0", "5"]);
    set("router.ties", &["upstream", "first", "last", "random"]);
    set("router.knowledge", &["rule", "rule", "none", "true", "history", "ttl", "events"]);
    set("router.history_blocks", &["none", "200"]);
    set("router.ttl_s", &["1", "120"]);
    set("router.event_delay_ms", &["0", "100"]);
    set("router.event_loss", &["0", "0.1"]);
    set("router.predicted_ttl_s", &["none", "5"]);
}

/// What an operator writes down; the first rules read none of it.
fn written(draft: &mut Draft, dice: &mut Stream) {
    let mut set = |path, texts: &[&str]| one_of(draft, dice, path, texts);
    set("router.weight_per_mille", &["none", "1000", "3000"]);
    set("router.slow_weight_per_mille", &["none", "500", "1000"]);
    set("router.price_cents", &["none", "300"]);
    set("router.slow_price_cents", &["none", "100"]);
    set("router.tpm", &["none", "20000"]);
    set("router.slow_tpm", &["none", "5000"]);
    set("router.rpm", &["none", "60"]);
    set("router.slow_rpm", &["none", "20"]);
}

fn client(draft: &mut Draft, dice: &mut Stream) {
    let mut set = |path, texts: &[&str]| one_of(draft, dice, path, texts);
    set("client.timeout_ms", &["none", "500", "4000"]);
    set("client.on_timeout", &["abort", "run-on"]);
    set("client.attempts", &["1", "3"]);
    set("client.backoff", &["none", "exponential"]);
    set("client.jitter", &["none", "full", "equal"]);
    set("client.hedge", &["none", "none", "fixed", "quantile"]);
    set("client.hedge_ms", &["50", "1000"]);
    set("client.layers", &["1", "2"]);
}

fn gateway(draft: &mut Draft, dice: &mut Stream) {
    let mut set = |path, texts: &[&str]| one_of(draft, dice, path, texts);
    set("gateway.queue_cap", &["none", "3", "40"]);
    set("gateway.line_cap", &["none", "0", "10"]);
    set("gateway.queue_timeout_ms", &["none", "300"]);
    set("gateway.drop_expired", &["on", "off"]);
    set("gateway.session_concurrency", &["none", "1"]);
    set("gateway.breaker_failures", &["none", "1", "5"]);
    set("gateway.breaker_open_s", &["1", "10"]);
    set("gateway.retry_budget", &["none", "share", "envoy"]);
    set("gateway.spill", &["on", "off"]);
    if draft.section(Section::Fleet).u32("replicas") > 1 {
        one_of(draft, dice, "gateway.pools", &["1", "1", "2"]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_can_be_run_and_they_differ() {
        let mut digests: Vec<u64> = (0..COUNT).map(run).collect();
        assert!(!digests.contains(&0));
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), COUNT as usize);
    }
}
