//! The reference engine shares with the engine proper what both must agree on, and nothing else.
//! Read from the sources as text, so that no import, however it is written, goes unseen.

use std::fs;
use std::path::Path;

/// The modules of the crate that the reference may name.
const SHARED: [&str; 4] = ["chain::", "time::", "engine::types::", "engine::cost::"];

/// Every place of a source that names something of the crate it may not name, or a way around.
fn trespasses(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (place, name) in source.match_indices("tokenyard_fleet") {
        let rest = &source[place + name.len()..];
        let path = rest.strip_prefix("::").unwrap_or_default();
        if !SHARED.iter().any(|module| path.starts_with(module)) {
            found.push(format!("{name}{}", rest.lines().next().unwrap_or_default()));
        }
    }
    for way in ["crate::", "super::super", "#[path", "include!", "extern crate"] {
        // `pub(crate)` and `pub(super)` are no paths and do not match.
        found.extend(source.matches(way).map(str::to_owned));
    }
    found
}

#[test]
fn the_reference_names_only_what_is_shared() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let mut named = 0;
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let file = entry.expect("it can be read").path();
        assert_eq!(file.extension().and_then(|e| e.to_str()), Some("rs"), "{}: not a source", file.display());
        let source = fs::read_to_string(&file).expect("it is text");
        assert_eq!(trespasses(&source), [""; 0], "{}", file.display());
        named += source.matches("tokenyard_fleet").count();
    }
    assert!(named > 10, "the reference names almost nothing: is it still there?");
}

#[test]
fn a_trespass_is_seen() {
    for source in [
        "use tokenyard_fleet::engine::replica::Replica;",
        "use tokenyard_fleet::engine::{types::Look, replica};",
        "use tokenyard_fleet as fleet;",
        "use tokenyard_fleet::{\n    Ps, engine };",
        "use tokenyard_fleet::Ps;",
        "use tokenyard_fleet::*;",
        "use crate::Subject;",
        "use super::super::Subject;",
        "#[path = \"../../src/engine/replica.rs\"]",
    ] {
        assert_eq!(trespasses(source).len(), 1, "{source}");
    }
    let allowed = "pub(crate) use tokenyard_fleet::engine::types::{Look, Mode};\nuse super::Reference;";
    assert_eq!(trespasses(allowed), [""; 0]);
}
