//! `cargo xtask doctor`: what is there, what is not, and the command that fixes it.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::cache::Cache;
use crate::tools::{self, From, Tool};
use crate::workspace::Workspace;
use crate::{Outcome, debian, install, process, shared};

/// One thing that was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Word for it.
    pub what: String,
    /// What was found: a version or a place. `None` if it is missing.
    pub found: Option<String>,
    /// What it is for.
    pub purpose: &'static str,
    /// The command or sentence that fixes it.
    pub fix: String,
}

/// Looks for everything. Installs nothing, changes nothing.
pub fn examine(workspace: &Workspace, cache: &Cache) -> Outcome<Vec<Finding>> {
    let mut findings = vec![toolchain(workspace)];
    findings.extend([("rustfmt", "the formatting step"), ("clippy", "the lint steps")].map(component));
    findings.push(wasm_target(workspace));
    let lock = workspace.lock()?;
    for name in tools::ALL {
        findings.push(match Tool::pinned(name, &lock) {
            Ok(tool) => cached(&tool, cache),
            Err(trouble) => {
                Finding { what: format!("{name:?}"), found: None, purpose: "the page", fix: trouble.0 }
            }
        });
    }
    findings.extend(debian::NEEDS.iter().map(system));
    let folder = shared::folder(&workspace.root).and_then(|path| path.canonicalize().ok());
    findings.push(Finding {
        what: "shared folder".to_owned(),
        found: folder.map(|path| path.display().to_string()),
        purpose: "tests against the reference data",
        fix: "put it beside the checkout as ../shared, or set TOKENYARD_SHARED".to_owned(),
    });
    Ok(findings)
}

fn toolchain(workspace: &Workspace) -> Finding {
    let rustc = process::output(Command::new("rustc").current_dir(&workspace.root).arg("--version"));
    Finding {
        what: "Rust toolchain".to_owned(),
        found: rustc.ok().map(|text| text.trim().to_owned()),
        purpose: "everything",
        fix: "rustup toolchain install".to_owned(),
    }
}

fn component((name, purpose): (&'static str, &'static str)) -> Finding {
    // `cargo fmt` and `cargo clippy` are `cargo-fmt` and `cargo-clippy`, which rustup may only promise.
    let command = if name == "rustfmt" { "fmt" } else { name };
    let text = process::output(Command::new(process::cargo()).args([command, "--version"]));
    Finding {
        what: name.to_owned(),
        found: text.ok().map(|text| text.trim().to_owned()),
        purpose,
        fix: format!("rustup component add {name}"),
    }
}

fn wasm_target(workspace: &Workspace) -> Finding {
    Finding {
        what: install::WASM_TARGET.to_owned(),
        found: install::has_wasm_target(&workspace.root).then(|| "installed".to_owned()),
        purpose: "the page",
        fix: format!("rustup target add {}", install::WASM_TARGET),
    }
}

fn cached(tool: &Tool, cache: &Cache) -> Finding {
    let purpose = match tool.package {
        "trunk" | "wasm-bindgen-cli" => "the page",
        "binaryen" => "a smaller and faster page",
        "cargo-deny" => "licences, sources and bans",
        "geckodriver" => "tests in Firefox",
        "mdbook" => "the example book that embeds a lab",
        _ => "accessibility tests",
    };
    let fix = if tool.from == From::Npm && !install::has_npm() {
        format!("install npm, then run: {}", tool.fix(cache))
    } else {
        tool.fix(cache)
    };
    Finding {
        what: tool.title(),
        found: tool.find(cache).map(|path| path.display().to_string()),
        purpose,
        fix,
    }
}

fn system(need: &debian::Need) -> Finding {
    let version = || {
        let version = process::on_path(need.what).as_deref().and_then(safe_version);
        version.unwrap_or_else(|| "installed".to_owned())
    };
    Finding {
        what: need.what.to_owned(),
        found: need.is_met().then(version),
        purpose: match need.engines {
            [] => "building and testing the page",
            [debian::Engine::Chromium] => "tests in Chromium",
            [debian::Engine::Firefox] => "tests in Firefox",
            [debian::Engine::Webkit] => "tests in WebKit",
            _ => "browser tests in Japanese",
        },
        fix: debian::fix(&[*need]),
    }
}

/// Version of a program that answers `--version` without opening a window or a display.
fn safe_version(program: &Path) -> Option<String> {
    let name = program.file_name()?.to_str()?;
    ["node", "npm", "chromium", "chromedriver"].contains(&name).then(|| process::version(program)).flatten()
}

/// As a table for people: one line per finding, fixes below the missing.
#[must_use]
pub fn as_text(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        match &finding.found {
            Some(found) => text += &format!("  ok       {:<26} {found}\n", finding.what),
            None => {
                text += &format!("  missing  {:<26} needed for {}\n", finding.what, finding.purpose);
                text += &format!("           fix: {}\n", finding.fix);
            }
        }
    }
    let missing = findings.iter().filter(|finding| finding.found.is_none()).count();
    text += &format!("{} found, {missing} missing\n", findings.len() - missing);
    if missing > 0 {
        text += "`cargo xtask serve` and `cargo xtask test` install what they can by themselves.\n";
    }
    text
}

/// As one JSON object, ending in a new line.
#[must_use]
pub fn as_json(findings: &[Finding]) -> String {
    let rows: Vec<_> = findings
        .iter()
        .map(|finding| {
            json!({
                "what": finding.what,
                "ok": finding.found.is_some(),
                "found": finding.found,
                "purpose": finding.purpose,
                "fix": if finding.found.is_some() { None } else { Some(&finding.fix) },
            })
        })
        .collect();
    format!("{:#}\n", json!({ "findings": rows }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(found: Option<&str>) -> Finding {
        Finding {
            what: "trunk 1.2.3".to_owned(),
            found: found.map(str::to_owned),
            purpose: "the page",
            fix: "cargo install trunk".to_owned(),
        }
    }

    #[test]
    fn the_fix_is_shown_only_for_what_is_missing() {
        let text = as_text(&[finding(Some("there")), finding(None)]);
        assert_eq!(text.matches("fix: cargo install trunk").count(), 1);
        assert!(text.contains("1 found, 1 missing"));
        assert!(!as_text(&[finding(Some("there"))]).contains("fix:"));
    }

    #[test]
    fn json_says_the_same() {
        let text = as_json(&[finding(Some("there")), finding(None)]);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["findings"][0]["ok"], true);
        assert!(value["findings"][0]["fix"].is_null());
        assert_eq!(value["findings"][1]["fix"], "cargo install trunk");
    }
}
