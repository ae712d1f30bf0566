//! One number for everything the wasm build reads, to skip it when nothing changed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::{Context as _, Outcome, files};

/// Folders at the top of the checkout that the wasm build never reads. Everything else counts, so
/// that a new folder makes a needless build rather than a stale page.
const NOT_READ: &[&str] =
    &["target", "dist", "dist-workshop", ".git", ".ci", "node_modules", "tests", "docs", "examples", "xtask"];

/// Hash of the names and contents of every input below `root`, and of `also` (tools and their
/// versions). `leave_out` is a further folder that is written, not read. Cost: reads every file.
pub fn of(root: &Path, leave_out: &Path, also: &[String]) -> Outcome<String> {
    let mut hash = Sha256::new();
    for line in also {
        add(&mut hash, line.as_bytes());
    }
    for path in inputs(root, leave_out)? {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        add(&mut hash, name.as_bytes());
        add(&mut hash, &std::fs::read(&path).context(|| format!("read {}", path.display()))?);
    }
    Ok(hex(&hash.finalize()))
}

/// The length before the content keeps `ab`, `c` apart from `a`, `bc`.
fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn inputs(root: &Path, leave_out: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(root).context(|| format!("list {}", root.display()))?;
    for entry in entries {
        let entry = entry.context(|| format!("list {}", root.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !NOT_READ.contains(&name.as_str()) && !name.ends_with(".md") {
            found.extend(files::below(&entry.path(), &["target", "node_modules"])?);
        }
    }
    found.retain(|path| !path.starts_with(leave_out));
    found.sort();
    Ok(found)
}

/// Lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A small checkout of its own for one test.
    fn checkout(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("tokenyard-fingerprint-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for file in ["web/src/main.rs", "index.html", "docs/a.md", "target/x", "xtask/y", "site/index.html"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        root
    }

    #[test]
    fn it_changes_with_every_input_and_with_nothing_else() {
        let root = checkout("change");
        let now = || of(&root, &root.join("site"), &["trunk 1".to_owned()]).unwrap();
        let first = now();
        assert_eq!(first.len(), 64);
        for file in ["docs/a.md", "target/x", "xtask/y", "site/index.html", "README.md"] {
            fs::write(root.join(file), "changed").unwrap();
            assert_eq!(now(), first, "{file}");
        }
        let mut seen = vec![first];
        for (file, text) in
            [("web/src/main.rs", "1"), ("index.html", "2"), ("styles.css", ""), ("styles.css", "3")]
        {
            fs::write(root.join(file), text).unwrap();
            assert!(!seen.contains(&now()), "{file} {text}");
            seen.push(now());
        }
        fs::rename(root.join("styles.css"), root.join("other.css")).unwrap();
        assert!(!seen.contains(&now()));
        fs::remove_file(root.join("other.css")).unwrap();
        assert_eq!(now(), seen[2]);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn it_changes_with_the_tools() {
        let root = checkout("tools");
        let with = |tools: &[&str]| {
            let tools: Vec<String> = tools.iter().map(|&tool| tool.to_owned()).collect();
            of(&root, &root.join("site"), &tools).unwrap()
        };
        let all = [with(&[]), with(&["trunk 1"]), with(&["trunk 2"]), with(&["trunk 1", "wasm-opt"])];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one));
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
