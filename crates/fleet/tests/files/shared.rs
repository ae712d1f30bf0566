//! The folder with reference data that may lie beside the checkout, or in `TOKENYARD_SHARED`.

use std::io::Write as _;
use std::path::PathBuf;

/// A file of that folder. Where it is absent the test is skipped with a line that
/// `cargo xtask test` counts, or fails if `TOKENYARD_REQUIRE_SHARED` is 1.
pub(crate) fn file_or_skip(path: &str, test: &str) -> Option<Vec<u8>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TOKENYARD_SHARED").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(std::fs::read(folder.join(path)).unwrap());
    }
    let required = std::env::var_os("TOKENYARD_REQUIRE_SHARED").is_some_and(|value| value == "1");
    assert!(!required, "{test}: the shared folder is absent and TOKENYARD_REQUIRE_SHARED is 1");
    // Straight to the stream: the test harness hides what `eprintln!` prints in a passing test.
    let line = format!("SKIPPED: {test}: no shared folder beside the checkout (or in TOKENYARD_SHARED)\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
    None
}
