//! Every row of the herding oracle.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use serde_json::Value as Json;
use tokenyard_models::herding::{Params, Phases, Rule, Run, run, summary};

fn oracle() -> Json {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/article_herding.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn params(input: &Json) -> Params {
    let int = |key: &str| u32::try_from(input[key].as_u64().unwrap()).unwrap();
    Params {
        scrape_interval: int("scrape_interval"),
        routers: int("routers"),
        stagger: if input["stagger"].as_bool().unwrap() { Phases::Even } else { Phases::Aligned },
        replicas: int("replicas"),
        arrivals_per_tick: int("arrivals_per_tick"),
        service_ticks: int("service_ticks"),
        horizon: int("horizon"),
        seed: int("seed"),
    }
}

fn rule(expect: &Json) -> Rule {
    let id = expect["policy"].as_str().unwrap();
    *Rule::ALL.iter().find(|r| r.id() == id).unwrap()
}

fn close(actual: f64, expect: &Json) -> bool {
    let expect = expect.as_f64().unwrap();
    (actual - expect).abs() <= 1e-9 * expect.abs().max(f64::MIN_POSITIVE)
}

fn check_summary(run: &Run, expect: &Json) {
    let s = summary(run);
    assert_eq!(u64::from(s.max_spread), expect["max_spread"].as_u64().unwrap());
    assert!(close(s.mean_spread, &expect["mean_spread"]), "{s:?} {expect}");
    assert!(close(s.oscillation, &expect["oscillation"]), "{s:?} {expect}");
    assert!(close(s.concentration, &expect["concentration"]), "{s:?} {expect}");
}

#[test]
fn default_runs_match_tick_by_tick() {
    let oracle = oracle();
    let defaults = params(&oracle["defaults"]);
    assert_eq!(defaults, Params::default());
    let runs = oracle["default_runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    for expect in runs {
        let run = run(&defaults, rule(expect), None);
        check_summary(&run, expect);
        let ticks = expect["ticks"].as_array().unwrap();
        assert_eq!(ticks.len(), run.ticks.len());
        for (tick, expect) in run.ticks.iter().zip(ticks) {
            let each = |f: &dyn Fn(&tokenyard_models::herding::Decision) -> Json| -> Json {
                tick.decisions.iter().map(f).collect()
            };
            assert_eq!(Json::from(tick.loads.clone()), expect["true_loads"]);
            assert_eq!(each(&|d| d.view.clone().into()), expect["views"]);
            assert_eq!(each(&|d| d.router.into()), expect["routers"]);
            assert_eq!(each(&|d| d.probes.map_or(Json::Null, |p| p.to_vec().into())), expect["probes"]);
            assert_eq!(Json::from(tick.scraped.clone()), expect["scraped"]);
            assert_eq!(each(&|d| d.placed.into()), expect["placements"]);
            assert_eq!(Json::from(tick.skew), expect["spread"]);
        }
    }
}

#[test]
fn every_grid_row_matches() {
    let oracle = oracle();
    let grid = oracle["grid"].as_array().unwrap();
    assert_eq!(grid.len(), 1440);
    for row in grid {
        check_summary(&run(&params(&row["input"]), rule(&row["expect"]), None), &row["expect"]);
    }
}

#[test]
fn printed_asides_hold() {
    let with = |p: Params, r| summary(&run(&p, r, None));
    let one = with(Params { routers: 1, ..Params::default() }, Rule::InFlightAware);
    assert_eq!((one.max_spread, (one.mean_spread * 100.0).round()), (3, 144.0));
    assert_eq!((one.concentration * 100.0).round(), 6.0);
    let fresh = with(Params { scrape_interval: 1, ..Params::default() }, Rule::LeastOutstanding);
    assert_eq!((fresh.max_spread, (fresh.concentration * 100.0).round()), (2, 87.0));
    let concentration = |t| {
        let p = Params { scrape_interval: t, ..Params::default() };
        (with(p, Rule::LeastOutstanding).concentration * 100.0).round()
    };
    assert_eq!([1, 2, 3, 5, 10, 14, 20].map(concentration), [87.0, 79.0, 92.0, 86.0, 64.0, 59.0, 58.0]);
}

/// The amplitude guide min(λT, L) is an estimate, not a bound.
#[test]
fn measured_peaks_beside_the_guide() {
    let peak = |t| {
        summary(&run(&Params { scrape_interval: t, ..Params::default() }, Rule::LeastOutstanding, None))
            .max_spread
    };
    assert_eq!([1, 2, 3, 5, 7, 10].map(peak), [2, 5, 6, 12, 14, 21]);
    assert_eq!([14, 20].map(peak), [28, 28]);
}
