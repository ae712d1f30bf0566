//! The fleet simulator as a module of its own, without a page, for node.

use std::path::PathBuf;

use crate::install::WASM_TARGET;
use crate::workspace::Workspace;
use crate::{Outcome, Trouble, process};

/// The crate with its entry points.
pub const PROOF: &str = "tokenyard-fleet-proof";

/// Builds the module and says where it is.
///
/// # Errors
/// The compiler could not be run, or refused.
pub fn module(workspace: &Workspace) -> Outcome<PathBuf> {
    let mut command = workspace.cargo();
    command.args(["build", "--quiet", "--release", "--target", WASM_TARGET, "-p", PROOF, "--lib"]);
    if !process::succeeds(&mut command)? {
        return Err(Trouble::new("the fleet's module could not be built"));
    }
    Ok(workspace.target().join(WASM_TARGET).join("release").join("tokenyard_fleet_proof.wasm"))
}

/// The script that runs it under node.
#[must_use]
pub fn script(workspace: &Workspace) -> PathBuf {
    workspace.root.join("tests").join("fleet").join("node.mjs")
}
