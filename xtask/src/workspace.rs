//! The checkout: its root and what cargo says about its members.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Context as _, Outcome, Trouble, process};

/// The workspace that this program belongs to.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Folder of the top `Cargo.toml`.
    pub root: PathBuf,
    /// Every member, sorted by name.
    pub members: Vec<Member>,
}

/// One crate of the workspace.
#[derive(Debug, Clone)]
pub struct Member {
    /// Package name.
    pub name: String,
    /// Folder, relative to the root, with forward slashes.
    pub folder: String,
    /// Direct dependencies of every kind.
    pub dependencies: Vec<Dependency>,
}

/// One direct dependency as written in a `Cargo.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// Package name.
    pub name: String,
    /// Version requirement, `*` where none is written.
    pub requirement: String,
    /// `normal`, `dev` or `build`.
    pub kind: String,
    /// Whether it is another member.
    pub is_member: bool,
}

impl Workspace {
    /// Asks cargo about the workspace around this program. Needs no network.
    pub fn load() -> Outcome<Self> {
        let start = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let start =
            start.map_or_else(std::env::current_dir, Ok).context(|| "find the checkout".to_owned())?;
        let mut command = Command::new(process::cargo());
        command.current_dir(&start).args(["metadata", "--no-deps", "--format-version", "1"]);
        let text = process::output(&mut command)?;
        let metadata: Value =
            serde_json::from_str(&text).context(|| "read the answer of cargo metadata".to_owned())?;
        Self::from_metadata(&metadata)
            .ok_or_else(|| Trouble::new("cargo metadata answered something unknown"))
    }

    fn from_metadata(metadata: &Value) -> Option<Self> {
        let root = PathBuf::from(metadata["workspace_root"].as_str()?);
        let packages = metadata["packages"].as_array()?;
        let mut members: Vec<Member> =
            packages.iter().map(|package| member(package, &root)).collect::<Option<_>>()?;
        members.sort_by(|a, b| a.name.cmp(&b.name));
        Some(Self { root, members })
    }

    /// Whether a crate of this name is a member.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name == name)
    }

    /// Where cargo writes what it builds.
    #[must_use]
    pub fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.root.join("target"), PathBuf::from)
    }

    /// Text of the lock file.
    pub fn lock(&self) -> Outcome<String> {
        crate::files::read(&self.root.join("Cargo.lock"))
    }

    /// Cargo, in the root.
    #[must_use]
    pub fn cargo(&self) -> Command {
        let mut command = Command::new(process::cargo());
        command.current_dir(&self.root);
        command
    }

    /// Every file that git knows of or would add, relative to the root, with forward slashes.
    pub fn tracked(&self) -> Outcome<Vec<String>> {
        let mut git = Command::new("git");
        git.current_dir(&self.root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed = process::output(&mut git)?;
        let mut files: Vec<String> = listed
            .split('\0')
            .filter(|file| !file.is_empty() && self.root.join(file).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        files.dedup();
        Ok(files)
    }
}

fn member(package: &Value, root: &Path) -> Option<Member> {
    let manifest = PathBuf::from(package["manifest_path"].as_str()?);
    let folder = manifest.parent()?.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/");
    let dependencies = package["dependencies"].as_array()?;
    let dependencies = dependencies
        .iter()
        .map(|dependency| {
            Some(Dependency {
                name: dependency["name"].as_str()?.to_owned(),
                requirement: dependency["req"].as_str()?.to_owned(),
                kind: dependency["kind"].as_str().unwrap_or("normal").to_owned(),
                is_member: dependency["path"].is_string(),
            })
        })
        .collect::<Option<_>>()?;
    Some(Member { name: package["name"].as_str()?.to_owned(), folder, dependencies })
}
