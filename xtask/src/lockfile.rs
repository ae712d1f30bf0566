//! The little of `Cargo.lock` that the chores need: which package has which version.

/// One package of a lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    /// Package name.
    pub name: String,
    /// Exact version.
    pub version: String,
    /// Where it comes from; `None` for members of the workspace.
    pub source: Option<String>,
}

/// Every package of the lock file, in its order (by name, then version). Text that is not a lock
/// file gives an empty list.
#[must_use]
pub fn packages(lock: &str) -> Vec<Locked> {
    lock.split("[[package]]").skip(1).filter_map(package).collect()
}

fn package(block: &str) -> Option<Locked> {
    let field = |name: &str| {
        block.lines().find_map(|line| {
            let (key, value) = line.split_once(" = ")?;
            (key == name).then(|| value.trim().trim_matches('"').to_owned())
        })
    };
    Some(Locked { name: field("name")?, version: field("version")?, source: field("source") })
}

/// The version of `name`, if the lock file holds exactly one.
#[must_use]
pub fn version_of(lock: &str, name: &str) -> Option<String> {
    let mut found = packages(lock).into_iter().filter(|package| package.name == name);
    let first = found.next()?;
    found.next().is_none().then_some(first.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "wasm-bindgen",
]

[[package]]
name = "wasm-bindgen"
version = "0.2.130"
source = "registry+somewhere"
checksum = "00"

[[package]]
name = "wasm-bindgen-macro"
version = "0.2.130"
source = "registry+somewhere"

[[package]]
name = "syn"
version = "2.0.1"

[[package]]
name = "syn"
version = "3.0.1"
"#;

    #[test]
    fn names_are_matched_whole_and_doubles_are_nobody() {
        assert_eq!(version_of(LOCK, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_of(LOCK, "syn"), None);
        assert_eq!(version_of(LOCK, "bindgen"), None);
        assert_eq!(version_of("", "app"), None);
        assert_eq!(packages(LOCK).len(), 5);
        assert_eq!(packages(LOCK)[0].source, None);
        assert_eq!(packages(LOCK)[1].source.as_deref(), Some("registry+somewhere"));
    }
}
