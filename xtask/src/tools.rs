//! Which tools the chores use, at which exact version, and where each one ends up.

use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::{Outcome, Trouble, lockfile, process};

/// Builds the page from `index.html`.
pub const TRUNK: &str = "0.21.14";
/// Drives Firefox.
pub const GECKODRIVER: &str = "0.37.1";
/// Checks licences, sources and bans.
pub const CARGO_DENY: &str = "0.20.2";
/// Builds the book of the examples.
pub const MDBOOK: &str = "0.5.4";
/// Brings wasm-opt.
pub const BINARYEN: &str = "132.0.0";
/// Finds accessibility faults in a page.
pub const AXE_CORE: &str = "4.14.1";

/// A tool that can be installed into the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// Trunk.
    Trunk,
    /// wasm-bindgen-cli at the version of the lock file.
    WasmBindgen,
    /// wasm-opt of the npm package binaryen.
    WasmOpt,
    /// geckodriver.
    Geckodriver,
    /// cargo-deny.
    CargoDeny,
    /// axe-core, a script rather than a program.
    AxeCore,
    /// mdBook without its search and its server.
    Mdbook,
}

/// Every tool, in the order in which they are shown.
pub const ALL: [Name; 7] = [
    Name::Trunk,
    Name::WasmBindgen,
    Name::WasmOpt,
    Name::Geckodriver,
    Name::CargoDeny,
    Name::AxeCore,
    Name::Mdbook,
];

/// Where a package comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// `cargo install`.
    Cargo,
    /// `npm install`.
    Npm,
}

/// One tool at its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Package name.
    pub package: &'static str,
    /// Exact version.
    pub version: String,
    /// Where it comes from.
    pub from: From,
    /// File that proves it is there, below its folder.
    pub file: &'static str,
    /// Name of the program on the path; `None` for a script.
    pub program: Option<&'static str>,
    /// Further words for the installation.
    pub arguments: &'static [&'static str],
    /// Minutes that a first installation takes on two cores; 0 for seconds.
    pub minutes: u32,
}

impl Tool {
    /// The tool as pinned. Only wasm-bindgen looks at the lock file, and fails if it is not there.
    pub fn pinned(name: Name, lock: &str) -> Outcome<Self> {
        let cargo = |package, version: &str, program, file, minutes| Self {
            package,
            version: version.to_owned(),
            from: From::Cargo,
            file,
            program: Some(program),
            arguments: &[],
            minutes,
        };
        let npm = |package, version: &str, program, file| Self {
            package,
            version: version.to_owned(),
            from: From::Npm,
            file,
            program,
            arguments: &[],
            minutes: 0,
        };
        Ok(match name {
            Name::Trunk => cargo("trunk", TRUNK, "trunk", "bin/trunk", 6),
            Name::WasmBindgen => {
                let version = lockfile::version_of(lock, "wasm-bindgen")
                    .ok_or_else(|| Trouble::new("Cargo.lock does not hold exactly one wasm-bindgen"))?;
                cargo("wasm-bindgen-cli", &version, "wasm-bindgen", "bin/wasm-bindgen", 5)
            }
            Name::WasmOpt => npm("binaryen", BINARYEN, Some("wasm-opt"), "node_modules/.bin/wasm-opt"),
            Name::Geckodriver => cargo("geckodriver", GECKODRIVER, "geckodriver", "bin/geckodriver", 3),
            Name::CargoDeny => cargo("cargo-deny", CARGO_DENY, "cargo-deny", "bin/cargo-deny", 5),
            Name::Mdbook => Self {
                arguments: &["--no-default-features"],
                ..cargo("mdbook", MDBOOK, "mdbook", "bin/mdbook", 4)
            },
            Name::AxeCore => npm("axe-core", AXE_CORE, None, "node_modules/axe-core/axe.min.js"),
        })
    }

    /// The file that proves the tool is there: in the cache, or on the path at the same version.
    #[must_use]
    pub fn find(&self, cache: &Cache) -> Option<PathBuf> {
        let suffix = if self.from == From::Cargo { std::env::consts::EXE_SUFFIX } else { "" };
        let cached = cache.tool(self.package, &self.version).join(format!("{}{suffix}", self.file));
        if cached.exists() {
            return Some(cached);
        }
        let found = process::on_path(self.program?)?;
        let version = process::version(&found)?;
        self.is_version(&version).then_some(found)
    }

    /// Whether the text of `--version` means this version. wasm-opt names the first number only;
    /// mdBook writes a `v` before it.
    #[must_use]
    pub fn is_version(&self, text: &str) -> bool {
        let wanted = match self.package {
            "binaryen" => self.version.split('.').next().unwrap_or_default(),
            _ => &self.version,
        };
        text.split_whitespace().any(|word| word == wanted || word.strip_prefix('v') == Some(wanted))
    }

    /// The command that installs it by hand to where [`Tool::find`] looks.
    #[must_use]
    pub fn fix(&self, cache: &Cache) -> String {
        let (package, version) = (self.package, &self.version);
        match self.from {
            From::Cargo => {
                let words = ["cargo", "install", package, "--version", version];
                words.iter().chain(self.arguments).copied().collect::<Vec<_>>().join(" ")
            }
            From::Npm => {
                let folder = cache.tool(package, version);
                format!("npm install --prefix {} {package}@{version}", folder.display())
            }
        }
    }

    /// `trunk 0.21.14`.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{} {}", self.package, self.version)
    }
}

/// The folder to put on the path for the file that [`Tool::find`] gave.
#[must_use]
pub fn folder_of(file: &Path) -> PathBuf {
    file.parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.99\"\n";

    #[test]
    fn wasm_bindgen_follows_the_lock_and_the_rest_do_not_need_it() {
        assert_eq!(Tool::pinned(Name::WasmBindgen, LOCK).unwrap().version, "0.2.99");
        assert!(Tool::pinned(Name::WasmBindgen, "").unwrap_err().0.contains("wasm-bindgen"));
        for name in ALL.into_iter().filter(|name| *name != Name::WasmBindgen) {
            let tool = Tool::pinned(name, "").unwrap();
            assert!(tool.version.split('.').count() == 3, "{}", tool.title());
        }
    }

    #[test]
    fn a_version_is_a_whole_word() {
        let trunk = Tool::pinned(Name::Trunk, "").unwrap();
        assert!(trunk.is_version(&format!("trunk {TRUNK}")));
        assert!(!trunk.is_version(&format!("trunk {TRUNK}0")));
        assert!(!trunk.is_version("trunk 0.21.1"));
        let wasm_opt = Tool::pinned(Name::WasmOpt, "").unwrap();
        assert!(wasm_opt.is_version("wasm-opt version 132 (version_132)"));
        assert!(!wasm_opt.is_version("wasm-opt version 108"));
        let mdbook = Tool::pinned(Name::Mdbook, "").unwrap();
        assert!(mdbook.is_version(&format!("mdbook v{MDBOOK}")));
        assert!(!mdbook.is_version(&format!("mdbook v{MDBOOK}1")));
    }
}
