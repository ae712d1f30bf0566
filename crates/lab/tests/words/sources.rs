//! String literals of the workspace, for keys that nobody asks for.

use std::path::Path;

use crate::catalogue::{entries, root};

/// Beginnings of keys that are put together at run time, by whoever shows them: the glossary,
/// the remark of "is it luck?", and the reasons why a page could not start.
pub(crate) const ASSEMBLED: &[&str] = &["term.", "luck.note", "error."];

/// Whether there is a page yet that could use the words of pages.
pub(crate) fn has_page() -> bool {
    root().join("web/src/lib.rs").is_file()
}

/// All source text of the workspace that is not a test.
pub(crate) fn text() -> String {
    let mut out = String::new();
    for folder in ["crates", "web", "xtask"] {
        let folder = root().join(folder);
        if folder.is_dir() {
            collect(&folder, &mut out);
        }
    }
    out
}

/// Source files of the page, of its figures, its exports and of the labs, without tests: who says the
/// words of every page.
pub(crate) fn speakers() -> Vec<String> {
    let mut out = Vec::new();
    let mut folders = ["web/src", "crates/figure/src", "crates/export/src", "crates/lab/src"]
        .map(|folder| root().join(folder))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
                out.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    out
}

fn collect(folder: &Path, out: &mut String) {
    for path in entries(folder) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !["tests", "target", "benches"].contains(&name) {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") && name != "tests.rs" {
            out.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// Whether a key stands in the sources as a literal or may be put together.
pub(crate) fn mention(sources: &str, key: &str) -> bool {
    ASSEMBLED.iter().any(|start| key.starts_with(start)) || sources.contains(&format!("\"{key}\""))
}
