//! The list of steps. Each is one function; the list below is the only place that names them.

use std::process::Command;

use super::{Counts, LibtestCounter, Situation, Step, browsers, conformance, embeds, fuzz};
use crate::dist::{self, WEB};
use crate::install::{self, WASM_TARGET};
use crate::tools::{Name, Tool};
use crate::{Context as _, Outcome, Trouble, fleet, process};

/// Every step, in the order in which they run: cheap before dear, the site before its tests.
pub(super) const ALL: &[Step] = &[
    Step { name: "fmt", about: "formatting", is_fast: true, run: fmt },
    Step { name: "clippy", about: "lints, warnings are errors", is_fast: true, run: clippy },
    Step { name: "clippy-wasm", about: "lints of the page as wasm", is_fast: false, run: clippy_wasm },
    Step { name: "doc", about: "documentation, warnings are errors", is_fast: false, run: doc },
    Step { name: "unit", about: "unit, property, oracle and fence tests", is_fast: true, run: unit },
    Step { name: "deny", about: "licences, bans and sources", is_fast: false, run: deny },
    Step { name: "advisories", about: "known vulnerabilities", is_fast: false, run: advisories },
    Step { name: "conformance", about: "rules against upstream code", is_fast: false, run: conformance::run },
    Step { name: "fuzz", about: "readers on inputs that a fuzzer makes", is_fast: false, run: fuzz::run },
    Step { name: "dist", about: "the static site", is_fast: false, run: dist },
    Step { name: "parity", about: "same digests under node", is_fast: false, run: parity },
    Step { name: "fleet-parity", about: "the fleet's digests under node", is_fast: false, run: fleet_parity },
    Step { name: "hosts", about: "sites of others that embed a lab", is_fast: false, run: embeds::run },
    Step { name: "browsers", about: "the site in three engines", is_fast: false, run: browsers::run },
];

/// The crate of the browser suite: run by its own step, since it needs the site.
pub(super) const BROWSER_TESTS: &str = "tokenyard-browser-tests";

fn fmt(situation: &Situation) -> Outcome<Counts> {
    let mut command = situation.workspace.cargo();
    if !process::succeeds(command.args(["fmt", "--all", "--check"]))? {
        return Ok(Counts::one(false));
    }
    // Workspaces of their own are not in `--all`.
    let mut held = true;
    let fuzz = crate::fuzz::manifest(&situation.workspace);
    for manifest in conformance::manifests(&situation.workspace).into_iter().chain([fuzz]) {
        let mut command = situation.workspace.cargo();
        held &= process::succeeds(command.args(["fmt", "--check", "--manifest-path"]).arg(manifest))?;
    }
    Ok(Counts::one(held))
}

/// Arguments that make the page's crate compile natively: its features exclude each other.
fn native_features(situation: &Situation) -> Vec<String> {
    if situation.workspace.has(WEB) {
        vec!["--features".to_owned(), format!("{WEB}/ssr")]
    } else {
        Vec::new()
    }
}

fn clippy(situation: &Situation) -> Outcome<Counts> {
    let mut command = situation.workspace.cargo();
    command.args(["clippy", "--quiet", "--workspace", "--all-targets"]).args(native_features(situation));
    Ok(Counts::one(process::succeeds(command.args(["--", "-D", "warnings"]))?))
}

fn clippy_wasm(situation: &Situation) -> Outcome<Counts> {
    if !situation.workspace.has(WEB) {
        return Ok(situation.absent(&format!("the workspace has no member {WEB}")));
    }
    install::ensure_wasm_target(&situation.workspace.root)?;
    let mut command = situation.workspace.cargo();
    command.args(["clippy", "--quiet", "-p", WEB, "--no-default-features", "--features", "csr"]);
    command.args(["--target", WASM_TARGET, "--", "-D", "warnings"]);
    Ok(Counts::one(process::succeeds(&mut command)?))
}

fn doc(situation: &Situation) -> Outcome<Counts> {
    let mut command = situation.workspace.cargo();
    command.args(["doc", "--quiet", "--workspace", "--no-deps"]).args(native_features(situation));
    Ok(Counts::one(process::succeeds(command.env("RUSTDOCFLAGS", "-Dwarnings"))?))
}

/// Runs a test command, counting what the harness reports.
pub(super) fn counted(command: &mut Command) -> Outcome<Counts> {
    let mut counter = LibtestCounter::default();
    let succeeded = process::watch(command, |line| counter.see(line))?;
    Ok(counter.finish(succeeded))
}

fn unit(situation: &Situation) -> Outcome<Counts> {
    let mut command = situation.workspace.cargo();
    command.args(["test", "--quiet", "--workspace", "--no-fail-fast"]).args(native_features(situation));
    if situation.workspace.has(BROWSER_TESTS) {
        command.args(["--exclude", BROWSER_TESTS]);
    }
    counted(&mut command)
}

/// cargo-deny in the root with its folder on the path, or `None` with the step's count if it
/// cannot be had.
fn cargo_deny(situation: &Situation) -> Outcome<Result<Command, Counts>> {
    let tool = Tool::pinned(Name::CargoDeny, "")?;
    match install::ensure(&[tool], &situation.cache) {
        Ok(files) => {
            let file = files.into_iter().next().ok_or_else(|| Trouble::new("cargo-deny has no file"))?;
            let mut command = Command::new(file);
            command.current_dir(&situation.workspace.root).args(["--locked", "--log-level", "warn"]);
            Ok(Ok(command))
        }
        Err(trouble) => Ok(Err(situation.absent(&trouble.0))),
    }
}

fn deny(situation: &Situation) -> Outcome<Counts> {
    match cargo_deny(situation)? {
        Ok(mut command) => {
            command.args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]);
            Ok(Counts::one(process::succeeds(&mut command)?))
        }
        Err(counts) => Ok(counts),
    }
}

/// The database lies on another machine: where it cannot be fetched this is a skip, in CI too.
fn advisories(situation: &Situation) -> Outcome<Counts> {
    let mut fetch = match cargo_deny(situation)? {
        Ok(command) => command,
        Err(counts) => return Ok(counts),
    };
    if !process::succeeds(fetch.args(["fetch", "db"]))? {
        eprintln!("SKIPPED: the advisory database could not be fetched");
        return Ok(Counts { skipped: 1, ..Counts::default() });
    }
    match cargo_deny(situation)? {
        Ok(mut command) => {
            Ok(Counts::one(process::succeeds(command.args(["check", "--disable-fetch", "advisories"]))?))
        }
        Err(counts) => Ok(counts),
    }
}

fn dist(situation: &Situation) -> Outcome<Counts> {
    if !situation.workspace.has(WEB) {
        return Ok(situation.absent(&format!("the workspace has no member {WEB}")));
    }
    // What an earlier run left must not be tested in the place of a site that could not be built.
    let old = situation.dist.join("index.html");
    if old.exists() {
        std::fs::remove_file(&old).context(|| format!("remove {}", old.display()))?;
        crate::files::remove_folder(&situation.dist)?;
    }
    dist::build(
        &situation.workspace,
        &situation.cache,
        &situation.dist,
        &dist::Edition { single_file: true, embeds: true, ..dist::Edition::default() },
    )?;
    dist::print_sizes(&situation.dist)?;
    Ok(Counts::one(true))
}

/// What is missing for testing the site: `None` if nothing is.
pub(super) fn site_absent(situation: &Situation) -> Option<Counts> {
    let index = situation.dist.join("index.html");
    (!index.is_file()).then(|| situation.absent("there is no site to test: run cargo xtask dist"))
}

/// Runs of the fleet simulator give the same digests natively and as WebAssembly.
fn fleet_parity(situation: &Situation) -> Outcome<Counts> {
    browsers::install_node()?;
    if process::on_path("node").is_none() {
        return Ok(situation.absent("node is not installed"));
    }
    install::ensure_wasm_target(&situation.workspace.root)?;
    let module = fleet::module(&situation.workspace)?;
    let mut native = situation.workspace.cargo();
    let digests = process::output(native.args(["run", "--quiet", "-p", fleet::PROOF, "--bin", "digests"]))?;
    let file = situation.workspace.target().join("fleet-digests.txt");
    std::fs::write(&file, digests).context(|| format!("write {}", file.display()))?;
    let mut command = Command::new("node");
    command.arg(fleet::script(&situation.workspace)).arg(module).arg("digests").arg(file);
    counted(&mut command)
}

fn parity(situation: &Situation) -> Outcome<Counts> {
    let script = situation.workspace.root.join("tests").join("parity.mjs");
    if !script.is_file() {
        return Ok(situation.absent("tests/parity.mjs is not there"));
    }
    if let Some(counts) = site_absent(situation) {
        return Ok(counts);
    }
    browsers::install_node()?;
    if process::on_path("node").is_none() {
        return Ok(situation.absent("node is not installed"));
    }
    let mut command = Command::new("node");
    command.current_dir(&situation.workspace.root).arg(script).arg(&situation.dist);
    counted(&mut command)
}
