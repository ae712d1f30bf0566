//! A second version of the site, made of the first: other pages, other style sheets, another list.

use std::fs;
use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tokenyard_browser_tests::{Failure, Outcome, Tab};

use crate::journeys::copy::serve;

/// What the pages of the second version have in their style sheet, and the first ones do not.
pub(crate) const MARK: &str = ":root { --second-version: 1; }";
/// Whether the open page has it.
pub(crate) const HAS_MARK: &str =
    "getComputedStyle(document.documentElement).getPropertyValue('--second-version') === '1'";
/// The second build.
pub(crate) const SECOND: &str = "5ec04d5ec04d5ec0";

fn between<'a>(text: &'a str, before: &str, after: &str) -> Result<&'a str, Failure> {
    let rest = text.split_once(before).ok_or_else(|| Failure::new(format!("no {before}")))?.1;
    Ok(rest.split_once(after).ok_or_else(|| Failure::new(format!("no {after} behind {before}")))?.0)
}

/// The build that a list is of.
pub(crate) fn build(worker: &str) -> Result<String, Failure> {
    Ok(between(worker, "BUILD = \"", "\"")?.to_owned())
}

/// The files of a list.
pub(crate) fn listed(worker: &str) -> Result<Vec<String>, Failure> {
    let list: Vec<(String, String)> = serde_json::from_str(between(worker, "new Map(", ");\n")?)?;
    Ok(list.into_iter().map(|(name, _)| name).collect())
}

/// Serves a copy of the site that is a whole second version of it. `damage` is a file whose content is not
/// the one that the list names; without one all of them are.
pub(crate) fn serve_second(tab: &mut Tab, damage: Option<&str>) -> Outcome {
    serve(tab, |_, content| Some(content))?;
    let root = tab.artifacts().join("site");
    let worker = fs::read_to_string(root.join("offline.js"))?;
    let (first, mut names) = (build(&worker)?, listed(&worker)?);
    let styles: Vec<String> = names.iter().filter(|name| name.starts_with("style-")).cloned().collect();
    let other = |style: &str| style.replace("style-", &format!("style-{SECOND}-"));
    for style in &styles {
        let sheet = fs::read_to_string(root.join(style))?;
        fs::write(root.join(other(style)), format!("{sheet}{MARK}\n"))?;
        // A server that forgets the files of the version before.
        fs::remove_file(root.join(style))?;
    }
    for name in names.iter_mut().filter(|name| styles.contains(name)) {
        *name = other(name);
    }
    for name in names.iter().filter(|name| name.ends_with(".html")) {
        let page = fs::read_to_string(root.join(name))?;
        let page = styles.iter().fold(page, |page, style| page.replace(style.as_str(), &other(style)));
        let page = page.replace(&first, SECOND).replace(&first[..8], &SECOND[..8]);
        fs::write(root.join(name), page)?;
    }
    let list = list(&root, &names)?;
    let old = between(&worker, "new Map(", ");\n")?;
    fs::write(root.join("offline.js"), worker.replace(old, &list).replace(&first, SECOND))?;
    if let Some(name) = damage {
        let content = fs::read(root.join(name))?;
        fs::write(root.join(name), [content, b" ".to_vec()].concat())?;
    }
    Ok(())
}

fn list(root: &Path, names: &[String]) -> io::Result<String> {
    let pair = |name: &String| -> io::Result<Value> {
        let digest = STANDARD.encode(Sha256::digest(fs::read(root.join(name))?));
        Ok(Value::from(vec![name.clone(), format!("sha256-{digest}")]))
    };
    let pairs: Vec<Value> = names.iter().map(pair).collect::<io::Result<_>>()?;
    Ok(Value::from(pairs).to_string())
}
