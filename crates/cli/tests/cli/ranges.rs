//! Both ends of every range are accepted; one past them is refused by name, value and range.

use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::{self, LABS};
use tokenyard_param::Kind;

use crate::program::{Ran, line, run};

/// Lab, flag, and the ends that must be accepted; `true` where they are also the last ones.
const STATED: &[(&str, &str, &str, &str, bool)] = &[
    ("herding", "replicas", "2", "16", true),
    ("herding", "routers", "1", "16", true),
    ("herding", "scrape-interval", "1", "60", true),
    ("herding", "arrivals-per-tick", "1", "8", true),
    ("herding", "service-ticks", "1", "60", true),
    ("herding", "horizon", "10", "600", true),
    ("herding", "seed", "0", "4294967295", true),
    ("herding", "stagger", "on", "random", false),
    ("routing-lab", "arrival-rate", "0.01", "2", false),
    ("routing-lab", "heavy-ratio", "0", "1", true),
    ("routing-lab", "prefix-families", "1", "64", false),
    ("routing-lab", "tenants", "1", "16", false),
    ("routing-lab", "count", "1", "2000", false),
    ("routing-lab", "replicas", "1", "16", false),
    ("routing-lab", "max-batch", "1", "64", false),
    ("routing-lab", "kv-blocks", "256", "8192", false),
    ("routing-lab", "prefix-cache-slots", "1", "16", false),
    ("routing-lab", "prefix-cache", "on", "off", false),
    ("routing-lab", "seed", "0", "4294967295", true),
    ("prefix-affinity", "cache-slots", "1", "16", false),
    ("prefix-affinity", "load-gap-threshold", "0", "100", false),
    ("prefix-affinity", "load-gap-threshold", "2", "none", false),
    ("batching", "slots", "1", "8", false),
];

/// Default seeds that are part of the published results.
const SEEDS: &[(&str, i64)] = &[("routing-lab", 20_260_825), ("herding", 20_260_826)];

fn with(lab: &str, flag: &str, value: &str) -> Ran {
    run(&["lab", lab, "--format=json", &format!("--{flag}"), value])
}

fn accepted(lab: &LabSpec, flag: &str, value: &str) {
    let spec = lab.params.iter().find(|s| s.flag() == flag).unwrap_or_else(|| panic!("no --{flag}"));
    let printed = &with(lab.id, flag, value).json()["params"][spec.key];
    let expect = value.parse::<f64>().ok();
    let same = match value {
        "none" => printed.is_null(),
        "on" | "off" if printed.is_boolean() => printed.as_bool() == Some(value == "on"),
        _ => printed.as_str() == Some(value) || expect.is_some() && printed.as_f64() == expect,
    };
    assert!(same, "{} --{flag} {value}: {printed}", lab.id);
}

fn refused(lab: &LabSpec, flag: &str, value: &str, range: &str) {
    for message in
        [with(lab.id, flag, value), run(&["lab", lab.id, &format!("--{flag}={value}")])].map(Ran::refused)
    {
        assert_eq!(message.lines().count(), 1, "{message}");
        // Messages shorten values after 40 characters.
        let shown: String = value.chars().take(40).collect();
        let names = [flag, &flag.replace('-', "_"), &shown, range];
        assert!(names.iter().all(|name| message.contains(name)), "{names:?} {message}");
    }
}

#[test]
fn stated_ranges_hold() {
    for (id, flag, low, high, last) in STATED {
        let Some(lab) = labs::by_id(id) else { continue };
        [low, high].iter().for_each(|value| accepted(lab, flag, value));
        if *last {
            let past = |v: &str, by: f64| (v.parse::<f64>().unwrap() + by).to_string();
            refused(lab, flag, &past(low, -1.0), &format!("{low} to {high}"));
            refused(lab, flag, &past(high, 1.0), &format!("{low} to {high}"));
        }
    }
    for (id, seed) in SEEDS.iter().filter(|(id, _)| labs::by_id(id).is_some()) {
        assert_eq!(run(&["lab", id, "--format=json"]).json()["params"]["seed"], *seed);
    }
}

#[test]
fn declared_ranges_hold_in_every_lab() {
    for lab in LABS {
        for spec in lab.params {
            let (flag, range) = (spec.flag(), spec.kind.allowed());
            let (good, bad): (Vec<String>, Vec<String>) = match spec.kind {
                Kind::Int { min, max, .. } => (
                    [min, max].map(|v| v.to_string()).into(),
                    [min - 1, max + 1].map(|v| v.to_string()).into(),
                ),
                Kind::OptInt { min, max, .. } => (
                    vec![min.to_string(), max.to_string(), "none".to_owned()],
                    [min - 1, max + 1].map(|v| v.to_string()).into(),
                ),
                Kind::Real { min, max, .. } => (
                    [min, max].map(|v| v.to_string()).into(),
                    [min - 1e-6, max + 1e-6].map(|v| v.to_string()).into(),
                ),
                Kind::Switch { .. } => (vec!["on".to_owned(), "off".to_owned()], vec!["true".to_owned()]),
                Kind::Choice { options, .. } => {
                    (options.iter().map(|o| (*o).to_owned()).collect(), vec!["no-such-option".to_owned()])
                }
                Kind::Text { max_chars, .. } => {
                    (vec!["x".repeat(usize::from(max_chars))], vec!["x".repeat(usize::from(max_chars) + 1)])
                }
            };
            good.iter().for_each(|value| accepted(lab, &flag, value));
            bad.iter().for_each(|value| refused(lab, &flag, value, &range));
        }
    }
}

#[test]
fn no_parameter_has_the_name_of_an_option_of_the_program() {
    for spec in LABS.iter().flat_map(|lab| lab.params) {
        assert!(!["steps", "format", "help", "version"].contains(&spec.key));
    }
}

#[test]
fn slips_are_answered_with_the_name_that_was_meant() {
    for (args, meant) in [
        ("lab herding --scrape_interval 5", "--scrape-interval?"),
        ("lab herding --replica 5", "--replicas?"),
        ("lab herdin", "herding?"),
        ("lab herding --formt json", "--format?"),
        ("lab herding --format jsn", "json?"),
        ("lbs", "labs?"),
    ] {
        let message = line(args).refused();
        assert!(message.contains(&format!("did you mean {meant}")), "{message}");
    }
}

#[test]
fn every_other_mistake_is_one_line_that_names_it() {
    for (args, names) in [
        ("lab herding --seed 1 --seed=2", &["--seed", "twice", "1", "2"][..]),
        ("lab herding --seed", &["--seed", "no value", "0 to 4294967295"]),
        ("lab herding --seed --steps", &["--seed", "no value"]),
        ("lab herding --seed=", &["seed", "0 to 4294967295"]),
        ("lab herding --steps=1", &["--steps", "1"]),
        ("lab herding --format", &["--format", "table, json, csv"]),
        ("lab herding 5", &["5"]),
        ("lab herding --colour red", &["--colour", "--routers", "--format"]),
        ("lab nowhere", &["nowhere", "herding"]),
        ("lab", &["herding"]),
        (
            "",
            &[
                "lab, labs, link, figure, export, open, digest, lesson, run, compare, replay, rules, explain, schema, help",
            ],
        ),
        ("labs --seed 5", &["--seed"]),
        ("digest 5", &["5"]),
        ("link", &["#lab="]),
    ] {
        let message = line(args).refused();
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(names.iter().all(|name| message.contains(name)), "{args}: {message}");
    }
}
