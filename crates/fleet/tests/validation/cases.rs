//! Numeric cases of the routers' description, by section and position: which test holds each, or why
//! none does. A part of the validation page.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use crate::page;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    at: String,
    what: String,
    /// Files under `crates/` and functions in them.
    #[serde(default)]
    by: Vec<String>,
    /// No part of the simulator asks for the decision.
    #[serde(default)]
    alone: bool,
    why: Option<String>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("cases.json")).unwrap()
}

/// The name of a test as the page has it: its file without the folders of all, and its function.
fn short(test: &str) -> String {
    let (file, function) = test.split_once(' ').unwrap();
    let file = file.strip_prefix("policy/tests/rules/").unwrap_or(file);
    format!("`{}` {function}", file.trim_end_matches(".rs"))
}

#[test]
fn the_page_lists_every_case() {
    let mut table = "| section and position | case | held by, or why not |\n|---|---|---|\n".to_owned();
    for case in cases() {
        let by: Vec<String> = case.by.iter().map(|test| short(test)).collect();
        let alone = if case.alone { "; alone" } else { "" };
        let held = case.why.map_or_else(|| by.join("; ") + alone, |why| format!("**not**: {why}"));
        table += &format!("| {} | {} | {held} |\n", case.at, case.what);
    }
    page::compare_part("cases", &table);
}

/// A case is held by tests that there are, or says why by none; and is listed once.
#[test]
fn every_named_test_exists() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = BTreeSet::new();
    for case in cases() {
        assert!(seen.insert(case.at.clone()), "{} is listed twice", case.at);
        assert_eq!(case.by.is_empty(), case.why.is_some(), "{}", case.at);
        for test in &case.by {
            let (file, function) = test.split_once(' ').unwrap();
            let source = std::fs::read_to_string(crates.join(file)).unwrap_or_else(|_| panic!("{test}"));
            assert!(source.contains(&format!("#[test]\nfn {function}()")), "{}: {test}", case.at);
        }
    }
}

/// A test that says in its name which section it is of is in the list, so that none is forgotten when
/// another is added.
#[test]
fn every_test_of_a_numbered_case_is_listed() {
    let listed: BTreeSet<String> = cases()
        .iter()
        .flat_map(|case| &case.by)
        .map(|test| test.rsplit(' ').next().unwrap().into())
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../policy/tests/rules");
    for file in std::fs::read_dir(folder).unwrap() {
        let source = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let tests = source.lines().filter_map(|line| line.strip_prefix("fn ")?.split('(').next());
        // `case_5_10_…`, and `section_6_6_case_4_…`: a section and a number within it.
        for test in tests.filter(|test| test.starts_with("section_") && test.contains("_case")) {
            assert!(listed.contains(test), "{test}");
        }
    }
}
