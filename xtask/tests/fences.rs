//! Who may depend on whom. The arrows of ARCHITECTURE.md, kept true.

use std::collections::BTreeSet;

use xtask::workspace::{Member, Workspace};
use xtask::{Outcome, process};

const NATIVE: &str = "x86_64-unknown-linux-gnu";
const WASM: &str = "wasm32-unknown-unknown";

/// What one crate may name and reach.
struct Fence {
    name: &'static str,
    /// Other members it may name as normal dependencies.
    members: &'static [&'static str],
    /// Packages from outside it may name as normal dependencies; `None` for any.
    outside: Option<&'static [&'static str]>,
}

/// Every member of the workspace. A crate that is not in here fails, whoever adds it.
const FENCES: &[Fence] = &[
    Fence { name: "tokenyard-det", members: &[], outside: Some(&["libm", "rand_chacha"]) },
    Fence { name: "tokenyard-param", members: &[], outside: Some(&[]) },
    Fence { name: "tokenyard-models", members: &["tokenyard-param", "tokenyard-det"], outside: Some(&[]) },
    Fence {
        name: "tokenyard-policy",
        members: &["tokenyard-param", "tokenyard-det"],
        outside: Some(&["indexmap", "rand_mt", "rustc-hash", "xxhash-rust"]),
    },
    Fence {
        name: "tokenyard-fleet",
        members: &["tokenyard-policy", "tokenyard-param", "tokenyard-det"],
        outside: Some(&["serde", "serde_json"]),
    },
    Fence {
        name: "tokenyard-lab",
        members: &["tokenyard-models", "tokenyard-param", "tokenyard-det"],
        outside: Some(&["serde_json", "toml"]),
    },
    Fence {
        name: "tokenyard-lesson",
        members: &["tokenyard-lab", "tokenyard-models", "tokenyard-param", "tokenyard-det"],
        outside: Some(&["qrcodegen"]),
    },
    Fence {
        name: "tokenyard-study",
        members: &[
            "tokenyard-lab",
            "tokenyard-models",
            "tokenyard-fleet",
            "tokenyard-policy",
            "tokenyard-param",
            "tokenyard-det",
        ],
        outside: Some(&[]),
    },
    Fence {
        name: "tokenyard-chart",
        members: &["tokenyard-lab", "tokenyard-models", "tokenyard-param", "tokenyard-det"],
        outside: Some(&["plotters", "plotters-backend"]),
    },
    Fence {
        name: "tokenyard-figure",
        members: &[
            "tokenyard-chart",
            "tokenyard-lab",
            "tokenyard-models",
            "tokenyard-param",
            "tokenyard-det",
        ],
        outside: Some(&["resvg"]),
    },
    Fence {
        name: "tokenyard-export",
        members: &[
            "tokenyard-figure",
            "tokenyard-chart",
            "tokenyard-lab",
            "tokenyard-models",
            "tokenyard-param",
            "tokenyard-det",
        ],
        outside: Some(&[]),
    },
    Fence {
        name: "tokenyard-cli",
        members: &[
            "tokenyard-export",
            "tokenyard-figure",
            "tokenyard-lab",
            "tokenyard-lesson",
            "tokenyard-study",
            "tokenyard-models",
            "tokenyard-fleet",
            "tokenyard-policy",
            "tokenyard-param",
            "tokenyard-det",
        ],
        outside: Some(&["serde_json"]),
    },
    Fence {
        name: "tokenyard-web",
        members: &[
            "tokenyard-export",
            "tokenyard-lab",
            "tokenyard-lesson",
            "tokenyard-study",
            "tokenyard-chart",
            "tokenyard-figure",
            "tokenyard-fleet",
            "tokenyard-policy",
            "tokenyard-models",
            "tokenyard-param",
            "tokenyard-det",
        ],
        outside: None,
    },
    Fence {
        name: "tokenyard-browser-tests",
        members: &[
            "tokenyard-serve",
            "tokenyard-lab",
            "tokenyard-study",
            "tokenyard-fleet",
            "tokenyard-models",
            "tokenyard-param",
            "tokenyard-det",
        ],
        outside: None,
    },
    Fence {
        name: "tokenyard-fleet-proof",
        members: &["tokenyard-fleet", "tokenyard-policy", "tokenyard-param", "tokenyard-det"],
        outside: Some(&[]),
    },
    Fence {
        name: "tokenyard-serve",
        members: &[],
        outside: Some(&["brotli", "bytes", "http-body-util", "hyper", "hyper-util", "tokio"]),
    },
    Fence { name: "xtask", members: &["tokenyard-serve"], outside: None },
];

/// What nothing under `crates/` may reach, at any depth: the browser, and chance from outside.
const NOT_IN_CRATES: &[&str] = &[
    "leptos",
    "web-sys",
    "js-sys",
    "wasm-bindgen",
    "getrandom",
    "console_error_panic_hook",
    "gloo-timers",
    "instant",
    "web-time",
    "chrono",
    "time",
];

/// Faults of one member against the table, by its own `Cargo.toml`.
fn direct_faults(member: &Member, fences: &[Fence]) -> Vec<String> {
    let Some(fence) = fences.iter().find(|fence| fence.name == member.name) else {
        return vec![format!(
            "{} has no fence: add it to the table, with what it may depend on",
            member.name
        )];
    };
    let normal = member.dependencies.iter().filter(|dependency| dependency.kind != "dev");
    normal
        .filter(|dependency| {
            if dependency.is_member {
                !fence.members.contains(&dependency.name.as_str())
            } else {
                fence.outside.is_some_and(|allowed| !allowed.contains(&dependency.name.as_str()))
            }
        })
        .map(|dependency| format!("{} may not depend on {}", member.name, dependency.name))
        .collect()
}

/// Every package that `name` reaches by normal and build dependencies on `target`, with its default
/// features. plotters names the browser's crates on wasm whether or not its canvas is used, so what
/// lies behind it is not looked at there.
fn reached(workspace: &Workspace, name: &str, target: &str) -> Outcome<BTreeSet<String>> {
    let mut command = workspace.cargo();
    command.args(["tree", "--package", name, "--edges", "normal,build", "--prefix", "none"]);
    command.args(["--format", "{p}", "--target", target]);
    // For a browser plotters names the browser's interfaces, which none of these uses.
    if target == WASM
        && ["tokenyard-chart", "tokenyard-figure", "tokenyard-export", "tokenyard-cli"].contains(&name)
    {
        command.args(["--prune", "plotters"]);
    }
    let text = process::output(&mut command)?;
    Ok(text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

#[test]
fn every_member_keeps_to_its_fence() {
    let workspace = Workspace::load().unwrap();
    let faults: Vec<String> =
        workspace.members.iter().flat_map(|member| direct_faults(member, FENCES)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(workspace.has("tokenyard-det") && workspace.has("xtask"));
}

#[test]
fn the_simulator_side_never_reaches_the_browser() {
    let workspace = Workspace::load().unwrap();
    let mut seen = 0;
    for member in workspace.members.iter().filter(|member| member.folder.starts_with("crates/")) {
        for target in [NATIVE, WASM] {
            let reached = reached(&workspace, &member.name, target).unwrap();
            assert!(reached.contains(&member.name), "cargo tree knows {}", member.name);
            let bad: Vec<&&str> = NOT_IN_CRATES.iter().filter(|name| reached.contains(**name)).collect();
            assert!(bad.is_empty(), "{} reaches {bad:?} on {target}", member.name);
            seen += 1;
        }
    }
    assert!(seen >= 4);
}

#[test]
fn det_reaches_libm_and_a_generator_and_nothing_else() {
    let workspace = Workspace::load().unwrap();
    for target in [NATIVE, WASM] {
        let reached = reached(&workspace, "tokenyard-det", target).unwrap();
        // ChaCha8 and what it is made of; none of it asks the system for anything.
        let made_of = ["libm", "ppv-lite86", "rand_chacha", "rand_core", "tokenyard-det", "zerocopy"];
        let others: Vec<_> = reached.iter().filter(|name| !made_of.contains(&name.as_str())).collect();
        assert!(others.is_empty(), "{others:?}");
    }
}

#[test]
fn what_the_page_takes_of_a_lab_brings_no_json_and_no_toml() {
    let workspace = Workspace::load().unwrap();
    for name in ["tokenyard-lab", "tokenyard-models"].into_iter().filter(|name| workspace.has(name)) {
        let reached = reached(&workspace, name, WASM).unwrap();
        for reader in ["serde_json", "toml"] {
            assert!(!reached.contains(reader), "{name} reaches {reader} by default");
        }
    }
}

#[test]
fn a_broken_fence_is_seen() {
    let workspace = Workspace::load().unwrap();
    let find = |name: &str| workspace.members.iter().find(|member| member.name == name).unwrap();
    let tight = |name: &'static str| [Fence { name, members: &[], outside: Some(&[]) }];
    let faults = direct_faults(find("tokenyard-models"), &tight("tokenyard-models"));
    assert!(faults.contains(&"tokenyard-models may not depend on tokenyard-det".to_owned()), "{faults:?}");
    let faults = direct_faults(find("tokenyard-det"), &tight("tokenyard-det"));
    assert!(faults.contains(&"tokenyard-det may not depend on libm".to_owned()), "{faults:?}");
    assert!(direct_faults(find("xtask"), &tight("other"))[0].contains("has no fence"));
    // The harness of the models draws from `rand`: reached by tests only, and so not counted.
    assert!(find("tokenyard-models").dependencies.iter().any(|dependency| dependency.kind == "dev"));
}
