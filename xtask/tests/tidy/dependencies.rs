//! Every direct dependency is pinned and explained.

use std::collections::BTreeSet;

use xtask::workspace::Workspace;
use xtask::{Outcome, files};

/// A line of `docs/dependencies.md`: ``- `name` (crate, crate): why.``
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    users: Vec<String>,
    why: String,
}

fn entry(line: &str) -> Option<Entry> {
    let (name, rest) = line.strip_prefix("- `")?.split_once("` (")?;
    let (users, why) = rest.split_once("): ")?;
    let users = users.split(", ").map(str::to_owned).collect();
    Some(Entry { name: name.to_owned(), users, why: why.trim().to_owned() })
}

/// Name and requirement of each line of `[workspace.dependencies]` that is not a path.
fn workspace_dependencies(manifest: &str) -> Vec<(String, Option<String>)> {
    table(manifest, "\n[workspace.dependencies]")
}

/// The same of the table under `heading`.
fn table(manifest: &str, heading: &str) -> Vec<(String, Option<String>)> {
    let table = manifest.split(heading).nth(1).unwrap_or_default();
    table
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.contains("path = ") && !line.trim_start().starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| {
            let text = value.split_once("version").map_or(value, |(_, after)| after);
            (name.trim().to_owned(), text.split('"').nth(1).map(str::to_owned))
        })
        .collect()
}

/// `=1.2.3` and nothing less.
fn is_exact(requirement: &str) -> bool {
    let Some(version) = requirement.strip_prefix('=') else { return false };
    let numbers = version.split(['-', '+']).next().unwrap_or_default();
    numbers.split('.').filter(|part| part.parse::<u32>().is_ok()).count() == 3
}

/// Name and requirement of what the workspaces of their own under `tests` name, of which cargo says
/// nothing here.
fn apart(workspace: &Workspace) -> Outcome<Vec<(String, Option<String>)>> {
    let mut all = Vec::new();
    for folder in ["tests/conformance", "tests/fuzz"] {
        for file in files::below(&workspace.root.join(folder), &["target", "src", "tests", "corpus"])? {
            if file.ends_with("Cargo.toml") {
                all.extend(table(&files::read(&file)?, "\n[dependencies]"));
            }
        }
    }
    Ok(all)
}

fn direct() -> Outcome<(Workspace, BTreeSet<String>)> {
    let workspace = Workspace::load()?;
    let manifest = files::read(&workspace.root.join("Cargo.toml"))?;
    let outside = workspace
        .members
        .iter()
        .flat_map(|member| &member.dependencies)
        .filter(|dependency| !dependency.is_member)
        .map(|dependency| dependency.name.clone());
    let mut names: BTreeSet<String> = outside.collect();
    names.extend(workspace_dependencies(&manifest).into_iter().map(|(name, _)| name));
    names.extend(apart(&workspace)?.into_iter().map(|(name, _)| name));
    Ok((workspace, names))
}

#[test]
fn every_version_is_exact() {
    let (workspace, names) = direct().unwrap();
    assert!(names.contains("libm") && names.contains("dynamo-kv-router") && names.contains("libfuzzer-sys"));
    let mut loose = Vec::new();
    for member in &workspace.members {
        let outside = member.dependencies.iter().filter(|dependency| !dependency.is_member);
        loose.extend(
            outside
                .filter(|dependency| !is_exact(&dependency.requirement))
                .map(|dependency| format!("{}: {} {}", member.name, dependency.name, dependency.requirement)),
        );
    }
    let manifest = files::read(&workspace.root.join("Cargo.toml")).unwrap();
    for (name, requirement) in workspace_dependencies(&manifest).into_iter().chain(apart(&workspace).unwrap())
    {
        if !requirement.as_deref().is_some_and(is_exact) {
            loose.push(format!("in a table: {name} {requirement:?}"));
        }
    }
    assert!(loose.is_empty(), "not pinned with = to three numbers:\n{}", loose.join("\n"));
}

#[test]
fn every_dependency_has_its_line_and_every_line_its_dependency() {
    let (workspace, names) = direct().unwrap();
    let text = files::read(&workspace.root.join("docs/dependencies.md")).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- `")).collect();
    let entries: Vec<Entry> = lines.iter().filter_map(|line| entry(line)).collect();
    assert_eq!(entries.len(), lines.len(), "a line is not of the form - `name` (crate): why.");
    let mut explained = BTreeSet::new();
    for Entry { name, users, why } in entries {
        assert!(explained.insert(name.clone()), "{name} has two lines");
        assert!(why.ends_with('.') && why.len() > 15, "{name}: say why, as a sentence");
        assert!(!users.iter().any(String::is_empty), "{name}: say who uses it");
    }
    let missing: Vec<_> = names.difference(&explained).collect();
    let extra: Vec<_> = explained.difference(&names).collect();
    assert!(missing.is_empty() && extra.is_empty(), "without a line: {missing:?}; without a use: {extra:?}");
}

#[test]
fn requirements_and_lines_are_read_as_written() {
    for exact in ["=1.2.3", "=0.1.0-rc.1", "=1.2.2+spec-1.1.0"] {
        assert!(is_exact(exact), "{exact}");
    }
    for loose in ["1.2.3", "^1.2.3", "=1.2", "=1", "*", "", ">=1.2.3"] {
        assert!(!is_exact(loose), "{loose}");
    }
    let manifest = "[workspace]\n[workspace.dependencies]\na = \"=1.0.0\"\n# why\nb = { features = [\"x\"], version = \"=2.0.0\" }\n\
                    c = { path = \"c\" }\nd = { git = \"somewhere\" }\n[workspace.lints.rust]\ne = \"deny\"\n";
    let read = workspace_dependencies(manifest);
    let read: Vec<(&str, Option<&str>)> =
        read.iter().map(|(name, requirement)| (name.as_str(), requirement.as_deref())).collect();
    assert_eq!(read[..2], [("a", Some("=1.0.0")), ("b", Some("=2.0.0"))]);
    assert!(read.len() == 3 && !read[2].1.is_some_and(is_exact));
    let line = entry("- `libm` (det, lab): same bits.").unwrap();
    assert_eq!((line.name.as_str(), line.users.len(), line.why.as_str()), ("libm", 2, "same bits."));
    assert_eq!(entry("- libm: same bits."), None);
}
