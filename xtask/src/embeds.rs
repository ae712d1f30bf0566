//! The programs of embeds: one module for each lab, without the other labs and pages.
//!
//! They are one program (`web/src/bin/embed.rs`), compiled once for each lab: everything below it is
//! compiled already, so that what is repeated is its link with all optimisation. A module is made small while
//! the next one is linked.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::dist::WEB;
use crate::install::WASM_TARGET;
use crate::workspace::Workspace;
use crate::{Context as _, Outcome, Trouble, process};

/// Name of the program.
const PROGRAM: &str = "embed";

/// Builds the program of each of `labs`, one on a line, into a folder of its name in `out`. `folders` have the
/// tools.
pub fn build(
    workspace: &Workspace,
    labs: &str,
    folders: &[PathBuf],
    optimise: bool,
    out: &Path,
) -> Outcome<()> {
    let mut shrinking = None;
    for lab in labs.lines() {
        eprintln!("the embed of {lab}");
        let mut cargo = workspace.cargo();
        cargo.args([
            "build",
            "--quiet",
            "--release",
            "--locked",
            "--offline",
            "-p",
            WEB,
            "--features",
            "csr",
        ]);
        cargo.args(["--target", WASM_TARGET, "--bin", PROGRAM]).env("TOKENYARD_LAB", lab);
        process::run(&mut cargo)?;
        let folder = out.join(lab);
        let mut bindgen = tool("wasm-bindgen", folders)?;
        bindgen.args(["--target", "web", "--no-typescript", "--out-name", PROGRAM, "--out-dir"]).arg(&folder);
        let built = workspace.target().join(WASM_TARGET).join("release").join(PROGRAM);
        process::run(bindgen.arg(built.with_extension("wasm")))?;
        end(shrinking.take())?;
        if optimise {
            let module = folder.join(format!("{PROGRAM}_bg.wasm"));
            let mut command = tool("wasm-opt", folders)?;
            // As in `index.html`.
            command.args(["-O3", "--reorder-functions-by-name", "-o"]).arg(&module).arg(&module);
            let child = command.spawn().context(|| format!("run {}", process::shown(&command)))?;
            shrinking = Some((child, process::shown(&command)));
        }
    }
    end(shrinking)
}

/// A tool from the folders that come first on the path.
fn tool(name: &str, folders: &[PathBuf]) -> Outcome<Command> {
    let mut command = Command::new(name);
    process::put_first(&mut command, folders)?;
    Ok(command)
}

/// Waits for a program that runs beside this one.
fn end(running: Option<(Child, String)>) -> Outcome<()> {
    let Some((mut child, shown)) = running else { return Ok(()) };
    let status = child.wait().context(|| format!("wait for {shown}"))?;
    if status.success() { Ok(()) } else { Err(Trouble(format!("this command failed: {shown}"))) }
}
