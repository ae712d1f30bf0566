//! Single servers in parallel: two choices, and choices on old information.
//!
//! A replica of preset `ticks` with one sequence slot is a single FIFO server whose service time is
//! proportional to the prompt; exponential prompts make it M/M/1. Mean service: 10 ms.

use std::sync::OnceLock;

use tokenyard_fleet::scenario::Draft;

use crate::page::Group;
use crate::{draft, with, world};

const SERVERS: u32 = 100;

/// `SERVERS` single servers at utilisation `load`, `jobs` jobs.
fn servers(load: f64, jobs: u32) -> Draft {
    let rate = (load * f64::from(SERVERS) / 0.010).to_string();
    draft(&[
        ("fleet.replicas", &SERVERS.to_string()),
        ("fleet.preset", "ticks"),
        ("fleet.max_seqs", "1"),
        ("fleet.budget", "1000"),
        ("fleet.prefix_cache", "off"),
        ("fleet.kv_blocks", "100000"),
        ("workload.rate_rps", &rate),
        ("workload.requests", &jobs.to_string()),
        ("workload.prompt_shape", "exponential"),
        ("workload.prompt_mean", "10000"),
        ("workload.output_shape", "constant"),
        ("workload.output_mean", "1"),
        ("router.ties", "random"),
    ])
}

/// Mean time in the system over mean service, and the half width of a 99.9% interval from the
/// spread of 20 batches, after a tenth of the jobs has warmed the system up.
fn mean_time(draft: &Draft) -> (f64, f64) {
    let world = world(draft);
    let mut all: Vec<_> = world.outcomes().all().iter().map(|o| (o.number, o.e2e)).collect();
    all.sort_unstable();
    let times: Vec<f64> = all.iter().skip(all.len() / 10).map(|(_, e2e)| *e2e as f64 / 1e10).collect();
    let size = times.len() / 20;
    let means: Vec<f64> =
        times.chunks_exact(size).map(|batch| batch.iter().sum::<f64>() / size as f64).collect();
    let mean = means.iter().sum::<f64>() / 20.0;
    let spread = means.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>() / 19.0;
    // Student's t with 19 degrees of freedom at 99.9%.
    (mean, 3.883 * (spread / 20.0).sqrt())
}

/// The fixed point for two draws with replacement among n servers: with probability 1/n both are
/// the same server. For n without bound it is Σ λ^((2^i − 2) / 1).
fn two_choices(load: f64, servers: f64) -> f64 {
    let (mut tail, mut total) = (1.0, 0.0);
    while tail > 1e-12 {
        tail = load * ((1.0 - 1.0 / servers) * tail * tail + tail / servers);
        total += tail;
    }
    total / load
}

#[test]
fn the_fixed_point_is_the_published_one_for_many_servers() {
    for (load, want) in [(0.5, 1.266), (0.7, 1.614), (0.9, 2.614), (0.95, 3.383), (0.99, 5.432)] {
        assert!((two_choices(load, 1e12) - want).abs() < 0.0006, "{load}");
    }
}

/// Random and two choices with fresh information, by utilisation.
pub(crate) fn supermarket() -> &'static Group {
    static GROUP: OnceLock<Group> = OnceLock::new();
    GROUP.get_or_init(|| {
        let mut group = Group::new(
            "Two choices (supermarket model)",
            "100 single servers, exponential service, Poisson arrivals, 300 000 jobs; mean time in \
             the system over mean service, ± half a 99.9% interval. The exact figure for two draws \
             with replacement is the fixed point for 100 servers.",
        );
        for load in [0.5, 0.7, 0.9] {
            let draft = servers(load, 300_000);
            let (mean, half) = mean_time(&with(&draft, &[("router.rule", "random")]));
            let want = 1.0 / (1.0 - load);
            let ours = format!("{mean:.3} ± {half:.3}");
            let holds = (mean - want).abs() < half;
            group.line(format!("random, λ = {load}"), format!("{want:.3}"), ours, "inside", holds);
            let (mean, half) = mean_time(&with(&draft, &[("router.rule", "power-of-two")]));
            let want = two_choices(load, f64::from(SERVERS));
            // A hundred servers are not infinitely many: the fixed point is off by about 1/n.
            let holds = (mean - want).abs() < half + 0.01 * want && half < 0.1 * want;
            let ours = format!("{mean:.3} ± {half:.3}");
            let given = format!("{want:.3}");
            group.line(format!("two choices, λ = {load}"), given, ours, "inside, widened by 1%", holds);
        }
        group
    })
}

#[test]
fn random_is_m_m_1_and_two_choices_are_the_supermarket() {
    supermarket().assert();
}

/// A rule's mean time on a bulletin board that is `services` mean services old at most.
fn on_old(draft: &Draft, rule: &str, services: f64) -> (f64, f64) {
    let scrape = (services * 10.0).to_string();
    let fields = [("router.rule", rule), ("router.load", "scraped"), ("router.scrape_ms", &*scrape)];
    mean_time(&with(draft, &fields))
}

/// Mitzenmacher's old information: a bulletin board every T mean services. Cells computed with
/// another small model, 100 servers, 600 000 jobs, load 0.9: two choices, then the least loaded.
pub(crate) fn stale() -> &'static Group {
    static GROUP: OnceLock<Group> = OnceLock::new();
    GROUP.get_or_init(|| {
        let mut group = Group::new(
            "Old information",
            "The same servers at λ = 0.9; loads are read every T mean services by the one router. \
             Given: Mitzenmacher's model computed apart, 600 000 jobs, one decimal.",
        );
        let draft = servers(0.9, 300_000);
        let cells = [(0.5, 2.8, 2.8), (1.0, 3.0, 3.9), (2.0, 3.2, 6.0), (5.0, 4.0, 12.2), (10.0, 5.1, 23.8)];
        for (services, two, least) in cells {
            for (rule, want) in [("power-of-two", two), ("least-outstanding", least)] {
                let (mean, half) = on_old(&draft, rule, services);
                // The cells are rounded to one decimal and have an interval of their own.
                let holds = (mean - want).abs() < half + 0.05 + 0.03 * want;
                let (what, ours) = (format!("{rule}, T = {services}"), format!("{mean:.2} ± {half:.2}"));
                group.line(what, want.to_string(), ours, "interval, rounding and 3%", holds);
            }
        }
        let random = on_old(&draft, "random", 0.0).0;
        let at = |rule, services| on_old(&draft, rule, services).0;
        let fresh = at("least-outstanding", 0.0);
        group.line(
            "least outstanding, fresh",
            "1.07",
            format!("{fresh:.2}"),
            "±0.05",
            (fresh - 1.07).abs() < 0.05,
        );
        let (low, high) = (at("least-outstanding", 2.0), at("least-outstanding", 5.0));
        let ours = format!("{low:.1} < {random:.1} < {high:.1}");
        let holds = low < random && random < high;
        group.line("least outstanding loses to random", "between T = 2 and 5", ours, "both sides", holds);
        let (low, high) = (at("power-of-two", 20.0), at("power-of-two", 50.0));
        let ours = format!("{low:.1} < {random:.1} < {high:.1}");
        let holds = low < random && random < high;
        group.line("two choices lose to random", "between T = 20 and 50", ours, "both sides", holds);
        group
    })
}

#[test]
fn old_information_reverses_the_order_of_rules() {
    stale().assert();
}
