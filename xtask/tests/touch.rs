//! Touch counts of the recipes in `CONTRIBUTING.md`: how many files outside its own folders name
//! a lab, a rule or a language.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::path::Path;

use xtask::workspace::Workspace;

/// Files that make up the product: sources, styles and build files, without tests and words.
fn product() -> Vec<(String, String)> {
    let workspace = Workspace::load().unwrap();
    let counts = |path: &String| {
        let code = ["crates/", "web/", "xtask/src/", "xtask/server/src/", "public/"]
            .iter()
            .any(|p| path.starts_with(p));
        let test = ["/tests/", "/golden/", "/benches/", "/examples/"].iter().any(|p| path.contains(p))
            || path.ends_with("tests.rs");
        (code || path == "index.html" || path == "Trunk.toml") && !test
    };
    let read = |path: String| {
        let text = std::fs::read_to_string(workspace.root.join(&path)).unwrap_or_default();
        (path, text)
    };
    workspace.tracked().unwrap().into_iter().filter(counts).map(read).collect()
}

/// Whether a text names an identifier as a whole word.
fn names(text: &str, id: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(id).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(part);
        let after = text[at + id.len()..].chars().next().is_some_and(part);
        !before && !after
    })
}

/// The side of the fleet simulator, which fences keep from the labs: their names are ordinary words
/// there, as "retries" is.
const FLEET: [&str; 6] = [
    "crates/fleet/",
    "crates/policy/",
    "crates/study/",
    "crates/cli/src/fleet/",
    "web/src/pages/fleet/",
    "web/src/study.rs",
];

/// Files that name a few rules of the fleet because they are about these and not about all: the
/// fixed suite of digests, the start page's lanes, and reports of what some rule did.
const ABOUT_SOME: [&str; 3] =
    ["crates/fleet/src/digest.rs", "crates/study/src/setup.rs", "crates/study/src/reports/"];

/// Catalogues that are no lab's.
const NO_LABS: [&str; 11] = [
    "common", "home", "proof", "fleet", "scenario", "rules", "reports", "lesson", "class", "teach",
    "workshop",
];

fn labs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../locales");
    let entries = std::fs::read_dir(folder).unwrap();
    let all = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
    all.filter(|n| !NO_LABS.contains(&n.as_str())).collect()
}

#[test]
fn a_lab_is_named_in_two_lists_outside_its_own_folders() {
    let product = product();
    assert!(labs().len() >= 6);
    for lab in labs() {
        let module = lab.replace('-', "_");
        let own = [
            format!("crates/models/src/{module}"),
            format!("crates/lab/src/labs/{module}"),
            format!("public/styles/labs/{lab}"),
        ];
        let outside: Vec<&str> = product
            .iter()
            .filter(|(path, _)| !own.iter().any(|o| path.starts_with(o)))
            .filter(|(path, _)| !FLEET.iter().any(|side| path.starts_with(side)))
            .filter(|(_, text)| names(text, &lab) || names(text, &module))
            .map(|(path, _)| path.as_str())
            .collect();
        assert_eq!(outside, ["crates/lab/src/labs/mod.rs", "crates/models/src/lib.rs"], "{lab}");
    }
}

#[test]
fn a_rule_is_named_in_its_own_folders_only() {
    let product = product();
    let ids: Vec<&str> = product
        .iter()
        .filter(|(path, _)| path.starts_with("crates/models/src/"))
        .filter_map(|(_, text)| text.split("impl Rule {").nth(1)?.split("fn id(self)").nth(1))
        .flat_map(|body| body.split('}').next().unwrap().split('"').skip(1).step_by(2))
        .collect();
    assert!(ids.len() >= 10, "{ids:?}");
    for id in ids {
        let quoted = format!("\"{id}\"");
        for (path, text) in &product {
            let own = path.starts_with("crates/models/src/") || path.starts_with("crates/lab/src/labs/");
            // The fleet has rules of its own, some of the same name.
            let own = own || FLEET.iter().any(|side| path.starts_with(side));
            assert!(own || !text.contains(&quoted), "{path} names {id}");
        }
    }
}

#[test]
fn a_rule_of_the_fleet_is_named_in_its_own_file_and_in_one_list() {
    let product = product();
    let rules: Vec<(&String, &str)> = product
        .iter()
        .filter(|(path, _)| path.starts_with("crates/policy/src/rules/"))
        .filter_map(|(path, text)| {
            let id = text.split("RuleSpec {").nth(1)?.split("id: \"").nth(1)?;
            Some((path, id.split('"').next()?))
        })
        .collect();
    assert!(rules.len() >= 11, "{rules:?}");
    // These are also options of settings, by the same words.
    for (own, id) in rules.into_iter().filter(|(_, id)| !["random", "round-robin", "maglev"].contains(id)) {
        let (quoted, module) = (format!("\"{id}\""), format!("mod {};", id.replace('-', "_")));
        let named: Vec<&str> = product
            .iter()
            .filter(|(path, _)| !path.starts_with("crates/models/") && !path.starts_with("crates/lab/"))
            .filter(|(path, _)| !ABOUT_SOME.iter().any(|some| path.starts_with(some)))
            .filter(|(path, text)| path != own && (text.contains(&quoted) || text.contains(&module)))
            .map(|(path, _)| path.as_str())
            .collect();
        // Rules of one project share a folder, whose file has the line then.
        let list = "crates/policy/src/rules/mod.rs";
        assert!(named.is_empty() || named == [list], "{id}: {named:?}");
        let spec =
            own.trim_start_matches("crates/policy/src/rules/").trim_end_matches(".rs").replace('/', "::");
        let line = format!("&{}::SPEC", spec.trim_end_matches("::mod"));
        assert!(
            product.iter().any(|(path, text)| path == list && text.contains(&line)),
            "{line} is not in {list}"
        );
    }
}

#[test]
fn a_language_is_named_in_one_file_outside_the_catalogues() {
    let product = product();
    for language in ["en", "ja"] {
        let quoted = format!("\"{language}\"");
        let outside: Vec<&str> = product
            .iter()
            .filter(|(_, text)| text.contains(&quoted))
            .map(|(path, _)| path.as_str())
            .collect();
        assert_eq!(outside, ["web/src/site/words.rs"], "{language}");
    }
}

#[test]
fn a_name_is_a_whole_word() {
    assert!(names("x = \"herding\";", "herding"));
    assert!(
        !names("shepherding", "herding")
            && !names("herding-skew", "herding")
            && !names("herding_x", "herding")
    );
}
