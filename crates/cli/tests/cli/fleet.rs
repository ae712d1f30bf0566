//! Fleet runs from the command line: the library's figures, in three forms.

use std::path::PathBuf;

use serde_json::Value as Json;
use tokenyard_fleet::metrics::{Quantiles, Report, Status};
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::{Draft, schema};
use tokenyard_fleet::{Scenario, World};
use tokenyard_policy::rules::RULES;

use crate::program::{Ran, csv, line, run};

/// A file of this test's own, gone when it is dropped.
pub(crate) struct TestFile(PathBuf);

impl TestFile {
    /// Writes a file; `name` is unique among the tests.
    pub(crate) fn new(name: &str, content: &[u8]) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, content).unwrap();
        Self(path)
    }

    /// Its path.
    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A loaded fleet with sessions, shared prefixes and stale counts, whose rule has a parameter of
/// its own.
pub(crate) const SCENARIO: &str = r#"{
  "version": 1, "seed": 5,
  "workload": {"rate_rps": 12, "requests": 120, "prefix": "families", "families": 12, "turns": 2},
  "fleet": {"replicas": 3, "kv_blocks": 1200},
  "router": {"rule": "dynamo-kv", "rule_params": {"request_weight": 300}, "load": "scraped", "scrape_ms": 500},
  "client": {"timeout_ms": 100000, "attempts": 2},
  "gateway": {"queue_cap": 40}
}"#;

/// The library's own run.
fn library(text: &str, change: impl FnOnce(&mut Draft)) -> Report {
    let mut draft = Draft::read(text.as_bytes()).unwrap();
    change(&mut draft);
    report(&draft.build(None).unwrap())
}

pub(crate) fn report(scenario: &Scenario) -> Report {
    let mut world = World::new(scenario, None);
    run_to_end(&mut world);
    Report::of(&world)
}

fn same_quantiles(printed: &Json, of: &Quantiles) {
    let figures = [
        ("mean", of.mean),
        ("p50", of.p50),
        ("p90", of.p90),
        ("p95", of.p95),
        ("p99", of.p99),
        ("max", of.max),
    ];
    for (key, figure) in figures {
        assert_eq!(printed[key].as_f64(), Some(figure), "{key}");
    }
    assert_eq!(printed.as_object().unwrap().len(), figures.len());
}

/// A printed result is the library's report, bit for bit.
pub(crate) fn same(printed: &Json, rule: &str, report: &Report) {
    assert_eq!(printed["rule"], rule);
    assert_eq!(printed["requests"], report.requests);
    assert_eq!(printed["digest"], format!("{:016x}", report.digest));
    let reals = [
        ("token_hit_rate", report.token_hit_rate),
        ("slo_attainment", report.slo_attainment),
        ("goodput_rps", report.goodput_rps),
        ("output_tps", report.output_tps),
        ("block_cv", report.block_cv),
        ("jain", report.jain),
        ("amplification", report.amplification),
    ];
    reals.iter().for_each(|(key, real)| assert_eq!(printed[key].as_f64(), Some(*real), "{key}"));
    same_quantiles(&printed["ttft_ms"], &report.ttft);
    same_quantiles(&printed["tpot_ms"], &report.tpot);
    same_quantiles(&printed["e2e_ms"], &report.e2e);
    same_quantiles(&printed["queue_ms"], &report.queue);
    same_quantiles(&printed["session_ms"], &report.session);
    let served = report.ended.get(&Status::Served).copied().unwrap_or(0);
    assert_eq!(printed["served"], served);
    assert_eq!(printed["assigned"], Json::from(report.assigned.clone()));
    assert_eq!(printed["events"], report.events);
}

fn compared(file: &TestFile, rules: &str, more: &[&str]) -> Ran {
    run(&[&["compare", file.path(), "--rules", rules, "--format=json"], more].concat())
}

#[test]
fn a_run_is_the_librarys() {
    let file = TestFile::new("run.json", SCENARIO.as_bytes());
    let ran = run(&["run", file.path(), "--format=json"]);
    assert!(ran.stderr.contains("preset llama-3.1-8b-h100"), "{}", ran.stderr);
    assert!(ran.stderr.contains("TTFT was not validated against real servers"), "{}", ran.stderr);
    let json = ran.json();
    assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["results"]);
    let result = &json["results"][0];
    assert_eq!(json["results"].as_array().unwrap().len(), 1);
    same(result, "dynamo-kv", &library(SCENARIO, |_| {}));
    assert_eq!((&result["end"], &result["preset"]), (&"drained".into(), &"llama-3.1-8b-h100".into()));
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(keys[..4], ["rule", "requests", "token_hit_rate", "ttft_ms"]);
    assert_eq!(keys.iter().filter(|key| key.contains("hit")).count(), 1);
    let ways = ["served", "rejected", "refused", "timed_out", "failed", "dropped", "too_long"];
    let ended: u64 = ways.iter().map(|way| result[way].as_u64().unwrap()).sum();
    assert_eq!(result["requests"], ended);
}

#[test]
fn a_comparison_keeps_the_scenarios_own_parameters_and_the_arrivals() {
    let file = TestFile::new("compare.json", SCENARIO.as_bytes());
    let json = compared(&file, "pure-kv,dynamo-kv,round-robin", &[]).json();
    let results = json["results"].as_array().unwrap();
    for (result, id) in results.iter().zip(["pure-kv", "dynamo-kv", "round-robin"]) {
        let rule = tokenyard_policy::rules::by_id(id).unwrap();
        let own = library(SCENARIO, |draft| {
            if draft.rule().id != id {
                draft.set_rule(rule);
            }
        });
        same(result, id, &own);
    }
    assert_eq!(results.len(), 3);
    let default = library(SCENARIO, |draft| draft.set_rule(draft.rule()));
    assert_ne!(results[1]["digest"], format!("{:016x}", default.digest), "its parameter was kept");
}

#[test]
fn bands_are_the_quantiles_of_the_seeds() {
    let file = TestFile::new("bands.json", SCENARIO.as_bytes());
    let json = compared(&file, "least-outstanding", &["--seeds", "3"]).json();
    let result = &json["results"][0];
    let rule = tokenyard_policy::rules::by_id("least-outstanding").unwrap();
    let of_seed = |seed: u64| {
        library(SCENARIO, |draft| {
            draft.set_rule(rule);
            draft.seed = seed;
        })
    };
    same(result, rule.id, &of_seed(5));
    let mut means: Vec<f64> = (5..8).map(|seed| of_seed(seed).ttft.mean).collect();
    means.sort_unstable_by(f64::total_cmp);
    let band = &result["bands"]["ttft_ms.mean"];
    assert_eq!(band["median"].as_f64(), Some(means[1]));
    let (low, high) = (band["p10"].as_f64().unwrap(), band["p90"].as_f64().unwrap());
    assert!(means[0] < low && low < means[1] && means[1] < high && high < means[2], "{low} {high} {means:?}");
    assert_eq!(result["seeds"], 3);
}

fn flat(before: &str, value: &Json, out: &mut Vec<(String, String)>) {
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match value {
        Json::Object(fields) => fields.iter().for_each(|(key, inner)| {
            flat(&format!("{before}{}{key}", if before.is_empty() { "" } else { "." }), inner, out);
        }),
        Json::Array(items) => {
            out.push((before.to_owned(), items.iter().map(text).collect::<Vec<_>>().join(" ")))
        }
        leaf => out.push((before.to_owned(), text(leaf))),
    }
}

#[test]
fn csv_and_json_have_the_same_figures_and_a_table_rounds_them() {
    let file = TestFile::new("forms.json", SCENARIO.as_bytes());
    let args =
        |format| ["compare", file.path(), "--rules", "random,least-kv", "--regret", "--format", format];
    let json = run(&args("json")).json();
    let records = csv(&run(&args("csv")).ok());
    let table = run(&args("table")).ok();
    let rows: Vec<Vec<&str>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!((records.len(), rows.len()), (3, 3));
    for (i, result) in json["results"].as_array().unwrap().iter().enumerate() {
        let mut figures = Vec::new();
        flat("", result, &mut figures);
        let (heads, fields): (Vec<String>, Vec<String>) = figures.into_iter().unzip();
        assert_eq!((&records[0], &records[i + 1]), (&heads, &fields));
        assert!(result["regret"]["decisions"].as_u64().unwrap() >= 120);
        for (head, cell) in rows[0].iter().zip(&rows[i + 1]) {
            let exact = &fields[heads.iter().position(|h| h == head).unwrap()];
            match (exact.parse::<f64>(), cell.strip_suffix('%')) {
                (Ok(share), Some(percent)) => {
                    assert!((share * 100.0 - percent.parse::<f64>().unwrap()).abs() <= 0.005_001);
                }
                (Ok(figure), None) => assert!((figure - cell.parse::<f64>().unwrap()).abs() <= 0.005_001),
                (Err(_), _) => assert_eq!(exact, cell),
            }
        }
    }
}

#[test]
fn recording_and_progress_change_no_figure() {
    let file = TestFile::new("progress.json", SCENARIO.as_bytes());
    let plain = run(&["run", file.path(), "--format=json"]);
    let told = run(&["run", file.path(), "--format=json", "--progress"]);
    assert_eq!((&plain.stdout, plain.code), (&told.stdout, told.code));
    assert!(told.stderr.lines().any(|l| l.starts_with("progress: dynamo-kv: ")), "{}", told.stderr);
    assert!(!plain.stderr.contains("progress"), "no terminal, no progress");
    let (plain, with) = (plain.json(), run(&["run", file.path(), "--format=json", "--regret"]).json());
    let mut with = with["results"][0].clone();
    assert!(with.as_object_mut().unwrap().remove("regret").is_some());
    assert_eq!(plain["results"][0], with);
}

#[test]
fn two_runs_print_the_same_bytes() {
    let file = TestFile::new("bytes.json", SCENARIO.as_bytes());
    for format in ["table", "json", "csv"] {
        for command in [
            &["run", file.path(), "--format", format][..],
            &["compare", file.path(), "--rules=random,power-of-two", "--seeds=2", "--format", format],
            &["explain", file.path(), "--request=7", "--format", format],
            &["rules", "--format", format],
        ] {
            assert_eq!(run(command), run(command));
        }
    }
}

#[test]
fn fields_can_be_set_from_the_command_line() {
    let file = TestFile::new("set.json", SCENARIO.as_bytes());
    let set = "fleet.replicas=5,router.rule=power-of-two,seed=9";
    let json = run(&["run", file.path(), "--format=json", "--set", set]).json();
    let own = library(SCENARIO, |draft| {
        draft.set("fleet.replicas", "5").unwrap();
        draft.set("router.rule", "power-of-two").unwrap();
        draft.seed = 9;
    });
    same(&json["results"][0], "power-of-two", &own);
}

#[test]
fn a_run_that_is_cut_says_so() {
    let file = TestFile::new("cut.json", SCENARIO.as_bytes());
    for (limit, end) in [("limits.events=50", "events"), ("limits.simulated_s=2", "time")] {
        let ran = run(&["run", file.path(), "--format=json", "--set", limit]);
        assert!(ran.stderr.contains("note: dynamo-kv, seed 5: stopped at limits."), "{}", ran.stderr);
        assert_eq!(ran.json()["results"][0]["end"], end);
    }
}

/// The page's words.
fn english() -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../locales/rules/en.toml");
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn every_rule_is_listed_with_its_parameters() {
    let json = line("rules --format json").json();
    let records = csv(&line("rules --format csv").ok());
    let table = line("rules").ok();
    let listed = json["rules"].as_array().unwrap();
    assert_eq!(listed.len(), RULES.len());
    for (rule, listed) in RULES.iter().zip(listed) {
        assert_eq!((listed["rule"].as_str(), listed["source"].as_str()), (Some(rule.id), Some(rule.source)));
        assert!(table.contains(rule.id) && records.iter().any(|record| record[0] == rule.id));
        let params = listed["params"].as_array().unwrap();
        assert_eq!(params.len(), rule.params.len());
        for (i, (spec, param)) in rule.params.iter().zip(params).enumerate() {
            assert_eq!(param["key"], spec.key);
            let upstream = Some(rule.upstream[i]).filter(|name| !name.is_empty());
            assert_eq!(param["upstream"].as_str(), upstream);
            let row = [spec.key, &spec.kind.allowed(), &spec.kind.write(&spec.kind.default_value())];
            assert!(records.iter().any(|record| record[0] == rule.id && record[3..6] == row), "{row:?}");
        }
        let compares = listed["compares"].as_str().unwrap();
        assert!(compares.ends_with('.') && english().contains(&format!("compares = \"{compares}\"")));
        assert_eq!(listed["decides"], "before-first-token");
        let cost = tokenyard_policy::measured::cost(rule.id).unwrap();
        assert_eq!([&listed["cost_ns"]["at_16"], &listed["cost_ns"]["at_256"]], [cost.at_16, cost.at_256]);
        let first = records.iter().find(|record| record[0] == rule.id).unwrap();
        assert_eq!(
            first[9..13],
            ["before-first-token", &cost.at_16.to_string(), &cost.at_256.to_string(), rule.source]
        );
        assert_eq!(first[14], compares);
        for (preset, listed) in rule.presets.iter().zip(listed["presets"].as_array().unwrap()) {
            assert_eq!((&listed["name"], &listed["source"]), (&preset.name.into(), &preset.source.into()));
            assert!(first[13].contains(&format!("{}: {}", preset.name, preset.source)), "{first:?}");
            for (key, value) in preset.params {
                assert_eq!(listed["params"][key], *value);
                let row = records.iter().find(|record| record[0] == rule.id && record[3] == *key).unwrap();
                assert!(row[7].split(' ').any(|set| set == format!("{}={value}", preset.name)), "{row:?}");
            }
        }
        assert_eq!(listed["presets"].as_array().unwrap().len(), rule.presets.len());
        assert_eq!(line(&format!("rules {} --format json", rule.id)).json()["rules"][0], *listed);
    }
}

/// Ages that upstream's descriptions give: SMG's poll, Dynamo's events, a minute's window.
#[test]
fn a_rule_says_how_old_its_signals_are() {
    for (id, kind, ms, text) in [
        ("random", "none", None, "none"),
        ("least-outstanding", "instant", None, "instant"),
        ("smg-least-load", "polled", Some(10_000), "polled 10000 ms"),
        ("epp", "polled", Some(50), "polled 50 ms"),
        ("dynamo-kv", "events", Some(0), "events 0 ms"),
        ("vllm-session", "window", Some(60_000), "window 60000 ms"),
    ] {
        let age = &line(&format!("rules {id} --format json")).json()["rules"][0]["signals_age"];
        assert_eq!((age["kind"].as_str(), age["ms"].as_u64()), (Some(kind), ms), "{id}");
        assert_eq!(csv(&line(&format!("rules {id} --format csv")).ok())[1][8], text, "{id}");
    }
}

#[test]
fn the_schema_is_the_librarys() {
    assert_eq!(line("schema").json(), schema());
}
