//! Versions that are named in more than one place agree.

use xtask::tools::{self, Name, Tool};
use xtask::workspace::Workspace;
use xtask::{Outcome, files, lockfile};

/// The value of `key = "value"` in a simple TOML file, whatever table it is in.
fn toml_value(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        let value = value.split('#').next()?.trim();
        (name.trim() == key).then(|| value.trim_matches('"').to_owned())
    })
}

fn root_file(name: &str) -> Outcome<String> {
    files::read(&Workspace::load()?.root.join(name))
}

#[test]
fn trunk_is_the_one_that_is_installed() {
    let trunk = root_file("Trunk.toml").unwrap();
    assert_eq!(toml_value(&trunk, "trunk-version"), Some(format!("={}", tools::TRUNK)));
    let first = tools::BINARYEN.split('.').next().unwrap();
    assert_eq!(toml_value(&trunk, "wasm_opt"), Some(format!("version_{first}")));
}

#[test]
fn wasm_bindgen_is_the_one_of_the_lock() {
    let workspace = Workspace::load().unwrap();
    let lock = workspace.lock().unwrap();
    // The page brings wasm-bindgen; without the page the lock may do without.
    match lockfile::version_of(&lock, "wasm-bindgen") {
        Some(locked) => assert_eq!(Tool::pinned(Name::WasmBindgen, &lock).unwrap().version, locked),
        None => assert!(!workspace.has(xtask::dist::WEB), "Cargo.lock must hold exactly one wasm-bindgen"),
    }
}

#[test]
fn axe_is_the_one_that_the_browser_suite_injects() {
    let suite = Workspace::load().unwrap().root.join("tests/src/axe.rs");
    // Nothing to agree with before the suite is there.
    if suite.is_file() {
        let line = format!("VERSION: &str = \"{}\"", tools::AXE_CORE);
        assert!(files::read(&suite).unwrap().contains(&line), "{}", suite.display());
    }
}

#[test]
fn the_toolchain_is_exact_and_is_what_the_crates_ask_for() {
    let toolchain = toml_value(&root_file("rust-toolchain.toml").unwrap(), "channel").unwrap();
    assert_eq!(toolchain.split('.').filter(|part| part.parse::<u32>().is_ok()).count(), 3, "{toolchain}");
    let wanted = toml_value(&root_file("Cargo.toml").unwrap(), "rust-version").unwrap();
    assert!(toolchain.starts_with(&format!("{wanted}.")), "{toolchain} against {wanted}");
}

#[test]
fn the_stage_is_the_one_that_dist_reads() {
    let trunk = root_file("Trunk.toml").unwrap();
    let expected = [
        ("target", "index.html"),
        ("dist", "target/site-stage"),
        ("public_url", "./"),
        ("minify", "never"),
        ("filehash", "true"),
        ("no_sri", "true"),
    ];
    for (key, value) in expected {
        assert_eq!(toml_value(&trunk, key).as_deref(), Some(value), "{key}");
    }
}

#[test]
fn every_package_comes_from_the_one_registry() {
    let lock = Workspace::load().unwrap().lock().unwrap();
    let packages = lockfile::packages(&lock);
    assert!(packages.len() > 10);
    for package in packages {
        if let Some(source) = package.source {
            assert_eq!(source, "registry+https://github.com/rust-lang/crates.io-index", "{}", package.name);
        }
    }
}

#[test]
fn values_are_read_as_written() {
    let text = "[a]\nkey = \"v\" # why\nkey-two=true\nother = 3\n";
    assert_eq!(toml_value(text, "key").as_deref(), Some("v"));
    assert_eq!(toml_value(text, "key-two").as_deref(), Some("true"));
    assert_eq!(toml_value(text, "two"), None);
}
