//! Which rules are held against code, and which against numeric cases only: a part of the
//! validation page, one line for every rule there is.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tokenyard_policy::rules::RULES;

use crate::page;

/// Rules whose comparison is a workspace of its own; its decisions are drawn while it runs.
const DYNAMO: [(&str, &str); 2] = [("dynamo-kv", "120,000 decisions"), ("kv-aware", "the same settings")];

const OWN: &str = "this project's own or a textbook's: no upstream";
const GATEWAY: &str =
    "the gateway's package shows no policy outside its HTTP server; its crate is not built here";
const NOT_PACKAGED: &str = "upstream's router is in no package registry";
const ENVOY: &str = "C++ in no package registry";
const GO: &str = "Go, which is not built here";

/// Rules that numeric cases alone hold, and why. A rule that is neither here nor compared fails.
const CASES_ONLY: [(&str, &str); 33] = [
    ("random", OWN),
    ("round-robin", OWN),
    ("weighted-round-robin", OWN),
    ("least-outstanding", OWN),
    ("power-of-two", OWN),
    ("power-of-two-distinct", OWN),
    ("least-kv", OWN),
    ("peak-ewma", OWN),
    ("prefix-gap", OWN),
    ("consistent-hash", OWN),
    ("bounded-load-ring", OWN),
    ("envoy-least-request", ENVOY),
    ("envoy-cswrr", ENVOY),
    ("ring-hash", ENVOY),
    ("maglev", ENVOY),
    ("envoy-bounded-load", ENVOY),
    ("sglang-cache-aware", GATEWAY),
    ("sglang-prefix-hash", GATEWAY),
    ("sglang-bucket", GATEWAY),
    ("sglang-manual", GATEWAY),
    ("smg-least-load", GATEWAY),
    ("pure-kv", "this project's own: the limit of affinity"),
    ("ray-consistent-hash", "another hash than upstream's, so owners are others"),
    ("vllm-prefixaware", NOT_PACKAGED),
    ("vllm-kvaware", NOT_PACKAGED),
    ("vllm-session", NOT_PACKAGED),
    ("vllm-consistent-hash", GATEWAY),
    ("epp", GO),
    ("aibrix-prefix-cache", GO),
    ("aibrix-vtc-basic", GO),
    ("aibrix-least-latency", GO),
    ("aibrix-throughput", GO),
    ("aibrix-multi-strategy", GO),
];

/// The head of a file of vectors.
#[derive(Debug, Deserialize)]
struct Vectors {
    rule: String,
    package: String,
    states: usize,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn vectors(path: &Path) -> Vectors {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Every file of vectors, by name.
fn all() -> Vec<Vectors> {
    let folder = std::fs::read_dir(root().join("tests/conformance/python/data")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|path| vectors(path)).collect()
}

/// The release of Dynamo's crate that is compared with, as its manifest pins it.
fn dynamo() -> String {
    let manifest = std::fs::read_to_string(root().join("tests/conformance/dynamo/Cargo.toml")).unwrap();
    let line = manifest.lines().find(|line| line.starts_with("dynamo-kv-router")).unwrap();
    format!("dynamo-kv-router {}", line.split("\"=").nth(1).and_then(|rest| rest.split('"').next()).unwrap())
}

/// How a rule is held, and by what.
fn held(id: &str, files: &[Vectors]) -> (&'static str, String) {
    if let Some(file) = files.iter().find(|file| file.rule == id) {
        return ("upstream code", format!("{}, {} states", file.package, file.states));
    }
    if let Some((_, how)) = DYNAMO.iter().find(|(rule, _)| *rule == id) {
        return ("upstream code", format!("{}, {how}", dynamo()));
    }
    let (_, why) =
        CASES_ONLY.iter().find(|(rule, _)| *rule == id).unwrap_or_else(|| panic!("{id}: held by what?"));
    ("numeric cases only", (*why).to_owned())
}

#[test]
fn the_page_says_of_every_rule_what_it_is_held_against() {
    let files = all();
    let mut table = "| rule | held against | which, or why not |\n|---|---|---|\n".to_owned();
    for rule in RULES {
        let (what, which) = held(rule.id, &files);
        table += &format!("| `{}` | {what} | {which} |\n", rule.id);
    }
    page::compare_part("rules", &table);
}

/// Nothing is listed that is no rule, or listed twice, or both compared and not.
#[test]
fn every_rule_is_listed_once() {
    let files = all();
    let compared = files.iter().map(|file| file.rule.as_str()).chain(DYNAMO.iter().map(|(id, _)| *id));
    let mut listed: Vec<&str> = compared.chain(CASES_ONLY.iter().map(|(id, _)| *id)).collect();
    let mut rules: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    listed.sort_unstable();
    rules.sort_unstable();
    assert_eq!(listed, rules);
    assert!(files.iter().all(|file| file.states >= 1_000), "{files:?}");
}
