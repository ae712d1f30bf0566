//! Automatic accessibility rules: axe-core, from npm, at one pinned version.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::{Failure, Outcome, Tab};

/// The version that is installed into the cache folder and injected.
pub const VERSION: &str = "4.14.1";

/// Every tag of WCAG 2.2 AA. `target-size` carries the last one and is off by default.
const TAGS: &[&str] = &["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/// What axe found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxeResult {
    /// Rules that were broken.
    pub violations: Vec<Violation>,
    /// Ids of rules that applied to something and held.
    pub passes: Vec<String>,
    /// Ids of rules that a person has to decide.
    pub incomplete: Vec<String>,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Id of the rule, such as `color-contrast`.
    pub id: String,
    /// What the rule asks for.
    pub help: String,
    /// For each element that breaks it: a selector, and what is wrong.
    pub nodes: Vec<String>,
}

/// What to look at.
#[derive(Clone, Debug, Default)]
pub struct AxeOptions<'a> {
    /// A selector to look inside; the whole document if there is none.
    pub within: Option<&'a str>,
    /// Ids of rules to leave out. A journey says beside it why.
    pub without: &'a [&'a str],
}

impl AxeResult {
    /// Fails with every violation spelt out, or if fewer than `passes` rules held: a page that is
    /// not there breaks no rule.
    pub fn expect_clean(&self, passes: usize) -> Outcome {
        let lines: Vec<String> = self
            .violations
            .iter()
            .map(|violation| {
                format!("{}: {}\n  {}", violation.id, violation.help, violation.nodes.join("\n  "))
            })
            .collect();
        if !lines.is_empty() {
            return Err(lines.join("\n").into());
        }
        if self.passes.len() < passes {
            return Err(format!("only {} rules applied, expected {passes}", self.passes.len()).into());
        }
        Ok(())
    }
}

/// Runs axe in the current frame, without the frames in it. Takes a tenth of a second to a few seconds.
pub async fn axe(tab: &Tab, options: &AxeOptions<'_>) -> Result<AxeResult, Failure> {
    if tab.value("typeof axe === 'undefined'").await? == Value::Bool(true) {
        let source = source()?;
        // A driver runs the text as the body of a function, where the library would not be global.
        tab.eval(&format!("{source}\nwindow.axe = axe;"), Vec::new()).await?;
    }
    let mut rules = json!({ "target-size": { "enabled": true } });
    for id in options.without {
        rules[id] = json!({ "enabled": false });
    }
    // A frame is looked at from inside it: asking one of another origin is an error in the console.
    let settings = json!({ "runOnly": { "type": "tag", "values": TAGS }, "rules": rules, "iframes": false });
    let script = "const done = arguments[arguments.length - 1];
        axe.run(arguments[0] ?? document, arguments[1]).then(
            ({ violations, passes, incomplete }) => done({
                violations: violations.map(({ id, help, nodes }) => ({ id, help,
                    nodes: nodes.map(node => `${node.target.flat().join(' ')}: ${node.failureSummary}`) })),
                passes: passes.map(rule => rule.id), incomplete: incomplete.map(rule => rule.id) }),
            error => done({ error: String(error) }));";
    let answer = tab.client().execute_async(script, vec![json!(options.within), settings]).await?;
    if let Some(error) = answer["error"].as_str() {
        return Err(Failure::new(error).during("axe"));
    }
    let violations = answer["violations"].as_array().into_iter().flatten().map(violation).collect();
    Ok(AxeResult { violations, passes: texts(&answer["passes"]), incomplete: texts(&answer["incomplete"]) })
}

fn violation(answer: &Value) -> Violation {
    let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    Violation { id: text("id"), help: text("help"), nodes: texts(&answer["nodes"]) }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// The library's text, installed on first use and then read once.
fn source() -> Result<String, Failure> {
    static SOURCE: Mutex<Option<String>> = Mutex::new(None);
    // Held while installing, so that two engines do not install at once.
    let mut kept = SOURCE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = kept.as_ref() {
        return Ok(text.clone());
    }
    let text = std::fs::read_to_string(installed()?)?;
    *kept = Some(text.clone());
    Ok(text)
}

fn installed() -> Result<PathBuf, Failure> {
    let folder = crate::driver::tools().join(format!("axe-core-{VERSION}"));
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if !file.is_file() {
        std::fs::create_dir_all(&folder)?;
        let output = Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--save-exact", "--prefix"])
            .arg(&folder)
            .arg(format!("axe-core@{VERSION}"))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| Failure::from(error).during("npm, which brings axe-core"))?;
        if !output.status.success() {
            return Err(Failure::new(String::from_utf8_lossy(&output.stderr)).during("npm install axe-core"));
        }
    }
    Ok(file)
}
