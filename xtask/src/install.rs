//! Getting tools that are missing into the cache, once per version, safely beside other runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::Cache;
use crate::tools::{From, Tool, folder_of};
use crate::{Context as _, Outcome, Trouble, files, process};

/// Name of the wasm target.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Makes sure that every tool is there. Gives the proving file of each, in the same order.
pub fn ensure(tools: &[Tool], cache: &Cache) -> Outcome<Vec<PathBuf>> {
    if tools.iter().any(|tool| tool.find(cache).is_none()) {
        let lock = cache.lock()?;
        for tool in tools {
            // Another run may have installed it while this one waited for the lock.
            if tool.find(cache).is_none() {
                install(tool, cache)?;
            }
        }
        files::remove_folder(&cache.build())?;
        drop(lock);
    }
    tools.iter().map(|tool| tool.find(cache).ok_or_else(|| cannot(tool, cache))).collect()
}

/// Folders of the tools, to be put first on the path.
pub fn ensure_folders(tools: &[Tool], cache: &Cache) -> Outcome<Vec<PathBuf>> {
    Ok(ensure(tools, cache)?.iter().map(|file| folder_of(file)).collect())
}

fn cannot(tool: &Tool, cache: &Cache) -> Trouble {
    Trouble(format!("{} could not be installed; to get it by hand, run: {}", tool.title(), tool.fix(cache)))
}

fn install(tool: &Tool, cache: &Cache) -> Outcome<()> {
    let time = match tool.minutes {
        0 => "a few seconds".to_owned(),
        minutes => format!("about {minutes} minutes"),
    };
    eprintln!("installing {} ({time}, once)", tool.title());
    let place = cache.tool(tool.package, &tool.version);
    // Built beside its place and moved there when whole, so that a stopped run leaves nothing half.
    let fresh = place.with_file_name(format!(".new-{}-{}", tool.package, tool.version));
    files::remove_folder(&fresh)?;
    let done = match tool.from {
        From::Cargo => cargo_install(tool, cache, &fresh)?,
        From::Npm => npm_install(tool, &fresh)?,
    };
    if !done {
        files::remove_folder(&fresh)?;
        return Err(cannot(tool, cache));
    }
    files::remove_folder(&place)?;
    std::fs::rename(&fresh, &place).context(|| format!("move {} to its place", tool.title()))
}

/// First with the lock file of the tool's author; where a version in it cannot be had, without.
fn cargo_install(tool: &Tool, cache: &Cache, root: &Path) -> Outcome<bool> {
    let mut command = Command::new(process::cargo());
    command.args(["install", tool.package, "--version", &tool.version, "--root"]).arg(root);
    command.args(tool.arguments);
    command.env("CARGO_TARGET_DIR", cache.build()).env_remove("RUSTFLAGS");
    // Outside the checkout, so that its settings do not reach the tool.
    command.current_dir(cache.path()).arg("--locked");
    if process::succeeds(&mut command)? {
        return Ok(true);
    }
    eprintln!("{} did not install with its own lock file; trying without", tool.title());
    let mut command = Command::new(process::cargo());
    command.args(["install", tool.package, "--version", &tool.version, "--root"]).arg(root);
    command.args(tool.arguments);
    command.env("CARGO_TARGET_DIR", cache.build()).env_remove("RUSTFLAGS").current_dir(cache.path());
    process::succeeds(&mut command)
}

/// npm's program: a script with another name on Windows.
#[must_use]
pub fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

/// Whether npm and the node it needs can be run.
#[must_use]
pub fn has_npm() -> bool {
    process::version(Path::new(npm())).is_some() && process::version(Path::new("node")).is_some()
}

fn npm_install(tool: &Tool, prefix: &Path) -> Outcome<bool> {
    std::fs::create_dir_all(prefix).context(|| format!("create {}", prefix.display()))?;
    let mut command = Command::new(npm());
    command.current_dir(prefix).args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
    command.arg(prefix).arg(format!("{}@{}", tool.package, tool.version));
    process::succeeds(&mut command)
}

/// Whether the standard library for wasm is there for the toolchain in use.
#[must_use]
pub fn has_wasm_target(root: &Path) -> bool {
    let mut command = Command::new("rustc");
    command.current_dir(root).args(["--print", "target-libdir", "--target", WASM_TARGET]);
    process::output(&mut command).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Makes sure of the wasm target.
pub fn ensure_wasm_target(root: &Path) -> Outcome<()> {
    if has_wasm_target(root) {
        return Ok(());
    }
    eprintln!("installing the target {WASM_TARGET} (a few seconds, once)");
    let mut command = Command::new("rustup");
    command.current_dir(root).args(["target", "add", WASM_TARGET]);
    if process::succeeds(&mut command).unwrap_or(false) && has_wasm_target(root) {
        return Ok(());
    }
    Err(Trouble(format!(
        "the target {WASM_TARGET} is missing and could not be added; with rustup installed, run: rustup target add {WASM_TARGET}"
    )))
}
