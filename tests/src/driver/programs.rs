//! Where the browsers and their drivers are, and what to do when one is not there.

use std::path::{Path, PathBuf};

/// A program that was not found and what would bring it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) program: &'static str,
    pub(crate) remedy: &'static str,
}

/// A program on the search path.
pub(crate) fn on_path(program: &'static str, remedy: &'static str) -> Result<PathBuf, Missing> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
        .ok_or(Missing { program, remedy })
}

/// `geckodriver`, newest in the cache folder first, then on the search path.
pub(crate) fn geckodriver() -> Result<PathBuf, Missing> {
    let cached =
        folders_in(&tools(), "geckodriver-").into_iter().map(|folder| folder.join("bin/geckodriver"));
    cached
        .rev()
        .find(|file| file.is_file())
        .map_or_else(|| on_path("geckodriver", "cargo xtask test installs it with cargo"), Ok)
}

/// WebKitGTK's MiniBrowser, which Debian keeps in a folder named after machine and version.
pub(crate) fn mini_browser() -> Result<PathBuf, Missing> {
    let missing = Missing { program: "MiniBrowser", remedy: "apt-get install webkit2gtk-driver" };
    folders_in(Path::new("/usr/lib"), "")
        .iter()
        .flat_map(|machine| folders_in(machine, "webkit2gtk-4."))
        .map(|folder| folder.join("MiniBrowser"))
        .rev()
        .find(|file| file.is_file())
        .ok_or(missing)
}

/// Folder of installed tools: inside `TOKENYARD_CACHE`, or inside the user's cache folder.
pub(crate) fn tools() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/tokenyard");
    std::env::var_os("TOKENYARD_CACHE").map_or_else(home, PathBuf::from).join("tools")
}

/// Folders directly inside `folder` whose name starts with `prefix`, in name order.
fn folders_in(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}
