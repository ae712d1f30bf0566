//! The folder with specification and reference data that may lie beside the checkout.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::{Outcome, Trouble};

/// `$TOKENYARD_SHARED`, or `../shared` beside the checkout at `root`, if that exists.
#[must_use]
pub fn folder(root: &Path) -> Option<PathBuf> {
    let path =
        std::env::var_os("TOKENYARD_SHARED").map_or_else(|| root.join("..").join("shared"), PathBuf::from);
    path.is_dir().then_some(path)
}

/// As [`folder`], for a test that cannot run without it: where it is absent the test is skipped
/// with a line that `cargo xtask test` counts, or fails if `TOKENYARD_REQUIRE_SHARED` is 1.
pub fn folder_or_skip(root: &Path, test: &str) -> Outcome<Option<PathBuf>> {
    if let Some(found) = folder(root) {
        return Ok(Some(found));
    }
    if std::env::var_os("TOKENYARD_REQUIRE_SHARED").is_some_and(|value| value == "1") {
        return Err(Trouble(format!(
            "{test}: the shared folder is absent and TOKENYARD_REQUIRE_SHARED is 1"
        )));
    }
    // Straight to the stream: the test harness hides what `eprintln!` prints in a passing test.
    let line = format!("SKIPPED: {test}: no shared folder beside the checkout (or in TOKENYARD_SHARED)\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
    Ok(None)
}
