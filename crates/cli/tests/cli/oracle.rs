//! The JSON results against the published files, key by key.
//!
//! One line of [`SOURCES`] for each list of published runs; a line is checked as soon as its lab
//! is in the list of labs.

use serde_json::{Map, Value as Json};
use tokenyard_lab::labs;

use crate::program::run;

struct Source {
    lab: &'static str,
    file: &'static str,
    /// Key of the list of runs.
    runs: &'static str,
    /// Key under which a run carries what `--steps` prints.
    steps: Option<&'static str>,
    /// Keys of the file that the program does not print.
    not_printed: &'static [&'static str],
    /// Fields that the file leaves to be computed from a run's steps.
    computed: Option<fn(&Json) -> Json>,
    /// Number of runs in the file, and only every so manieth distinct input is run here: the
    /// models' own tests go through all of them.
    count: usize,
    every: usize,
}

const fn source(lab: &'static str, file: &'static str, runs: &'static str, count: usize) -> Source {
    Source { lab, file, runs, steps: None, not_printed: &[], computed: None, count, every: 1 }
}

const SOURCES: [Source; 6] = [
    Source { steps: Some("ticks"), ..source("herding", "article_herding", "default_runs", 4) },
    Source { every: 29, ..source("herding", "article_herding", "grid", 1440) },
    Source { not_printed: &["placements"], ..source("routing-lab", "article_lab", "default_runs", 6) },
    Source { every: 13, ..source("routing-lab", "article_lab", "grid", 540) },
    Source {
        steps: Some("steps"),
        computed: Some(prefix_totals),
        ..source("prefix-affinity", "article_prefix", "runs", 54)
    },
    Source { steps: Some("iterations"), ..source("batching", "article_batching", "runs", 15) },
];

#[test]
fn results_are_the_published_ones() {
    let mut checked = 0;
    for source in SOURCES.iter().filter(|s| labs::by_id(s.lab).is_some()) {
        let runs = runs(source);
        assert_eq!(runs.len(), source.count, "{}", source.file);
        let mut inputs: Vec<&Json> = runs.iter().map(|(input, _)| input).collect();
        inputs.dedup();
        for input in inputs.into_iter().step_by(source.every) {
            let expected = runs.iter().filter(|(i, _)| i == input).map(|(_, e)| e);
            checked += check(source, input, &expected.collect::<Vec<_>>());
        }
    }
    assert!(checked >= 4 + 4 * 12, "{checked}");
}

/// Where the placements of the published runs are not fields, they are in the steps.
#[test]
fn placements_are_the_published_ones() {
    for source in SOURCES.iter().filter(|s| s.not_printed == ["placements"]) {
        if labs::by_id(source.lab).is_none() {
            continue;
        }
        let results = run(&["lab", source.lab, "--steps", "--format=json"]).json();
        for (_, expect) in runs(source) {
            let steps = find(&results["results"], &expect)["steps"].as_array().unwrap();
            let placed: Json = steps.iter().map(|s| s["replica"].clone()).collect();
            assert_eq!(placed, expect["placements"]);
        }
    }
}

/// Runs one input and checks everything published about it; returns how many results there are.
fn check(source: &Source, input: &Json, expected: &[&Json]) -> usize {
    let lab = labs::by_id(source.lab).unwrap();
    let mut args = vec!["lab".to_owned(), source.lab.to_owned(), "--format=json".to_owned()];
    for (key, value) in input.as_object().into_iter().flatten() {
        let spec = lab.params.iter().find(|spec| spec.key == key).unwrap_or_else(|| panic!("{key}"));
        args.push(format!("--{}={}", spec.flag(), text(value)));
    }
    if let Some(key) = source.steps {
        let without = run(&args).json();
        let results = without["results"].as_array().unwrap();
        assert!(results.iter().all(|r| r.get("steps").is_none() && r.get(key).is_none()));
        args.push("--steps".to_owned());
    }
    let printed = run(&args).json();
    assert_eq!(printed["lab"], source.lab);
    for (key, value) in input.as_object().into_iter().flatten() {
        assert_eq!(text(&printed["params"][key]), text(value), "{key}");
    }
    for expect in expected {
        let result = find(&printed["results"], expect);
        for (key, value) in expect.as_object().unwrap() {
            let printed = if source.steps == Some(key) { "steps" } else { key };
            if !source.not_printed.contains(&printed) {
                same(&result[printed], value, &format!("{args:?} {printed}"));
            }
        }
    }
    expected.len()
}

/// Input and expected result of every run, with the policy under the program's name for it.
fn runs(source: &Source) -> Vec<(Json, Json)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");
    let file = std::fs::read_to_string(format!("{folder}/{}.json", source.file)).unwrap();
    let file: Json = serde_json::from_str(&file).unwrap();
    let one = |run: &Json| {
        let mut run = run.clone();
        let input = run["input"].take();
        let mut expect = if run["expect"].is_null() { run } else { run["expect"].take() };
        if let Some(computed) = source.computed {
            expect = computed(&expect);
        }
        let fields = expect.as_object_mut().unwrap();
        fields.remove("input");
        if let Some(policy) = fields.remove("policy") {
            fields.insert("rule".to_owned(), policy);
        }
        (input, expect)
    };
    file[source.runs].as_array().unwrap().iter().map(one).collect()
}

/// The totals that the steps of a prefix run add up to.
fn prefix_totals(run: &Json) -> Json {
    let steps = run["steps"].as_array().unwrap();
    let count = |yes: &dyn Fn(&Json) -> bool| Json::from(steps.iter().filter(|s| yes(s)).count());
    let last = steps.last().unwrap();
    let mut out = Map::new();
    out.insert("steps".to_owned(), run["steps"].clone());
    out.insert("baseline_hits".to_owned(), count(&|s| s["baseline_hit"] == true));
    out.insert("aware_hits".to_owned(), count(&|s| s["aware_hit"] == true));
    out.insert("escapes".to_owned(), count(&|s| s["reason"] == "load-imbalance"));
    for key in ["cumulative_baseline", "cumulative_aware", "aware_loads"] {
        out.insert(key.to_owned(), last[key].clone());
    }
    Json::Object(out)
}

/// The result of the same rule or mode, or the only one.
fn find<'a>(results: &'a Json, expect: &Json) -> &'a Json {
    let all = results.as_array().unwrap();
    let same = |r: &&Json| ["rule", "mode"].iter().all(|k| expect.get(k).is_none_or(|v| r[k] == *v));
    let found: Vec<&Json> = all.iter().filter(same).collect();
    assert_eq!(found.len(), 1, "{results}");
    found[0]
}

/// A value as it is written on the command line; the program prints a published switch that it
/// has more than two settings for by its name.
fn text(value: &Json) -> String {
    match value {
        Json::Bool(true) => "on".to_owned(),
        Json::Bool(false) => "off".to_owned(),
        Json::Null => "none".to_owned(),
        Json::String(text) => text.clone(),
        number => number.as_f64().unwrap().to_string(),
    }
}

/// Whole numbers, booleans and text equal; floating figures to 1e-9 relative.
fn same(actual: &Json, expect: &Json, place: &str) {
    match (actual, expect) {
        (Json::Array(a), Json::Array(e)) => {
            assert_eq!(a.len(), e.len(), "{place}");
            a.iter().zip(e).enumerate().for_each(|(i, (a, e))| same(a, e, &format!("{place} {i}")));
        }
        (Json::Object(a), Json::Object(e)) => {
            assert_eq!(a.len(), e.len(), "{place}: {actual} {expect}");
            e.iter().for_each(|(key, e)| same(&a[key], e, &format!("{place} {key}")));
        }
        (Json::Number(a), Json::Number(e)) if e.is_f64() => {
            let (a, e) = (a.as_f64().unwrap(), e.as_f64().unwrap());
            assert!((a - e).abs() <= 1e-9 * e.abs(), "{place}: {a} {e}");
        }
        _ => assert_eq!(actual, expect, "{place}"),
    }
}
