//! Our own JSON and Markdown, and scenarios, which are JSON too.

use tokenyard_figure::{Carried, Unread};

use super::links;
use super::members::Members;
use super::{Opened, Reason};
use crate::document::FORM;
use crate::transcript::COMMENT;

/// Names at the top of a scenario file.
const SCENARIO: [&str; 10] =
    ["version", "seed", "workload", "fleet", "router", "client", "gateway", "changes", "limits", "slo"];

/// Those of them that no other JSON has by chance.
const SECTIONS: [&str; 6] = ["workload", "fleet", "router", "gateway", "limits", "slo"];

/// A document of ours, or a scenario. What has a section of a scenario and something else besides is
/// taken for one, so that its own reader can say what is wrong with it.
pub(super) fn json(text: &str) -> Result<Opened<'_>, Reason> {
    let mut keys = Vec::new();
    for member in Members::of(text.as_bytes()).into_iter().flatten() {
        if member.key == "tokenyard" {
            return of_ours(text).map(Opened::Lab).map_err(Reason::Export);
        }
        // Scenarios have few names, however long the file is.
        if keys.len() < 64 {
            keys.push(member.key);
        }
    }
    let is_known = |key: &&str| SCENARIO.contains(key) || key.contains('\\');
    let is_empty = || text[1..].trim_ascii() == "}";
    let is_all = if keys.is_empty() { is_empty() } else { keys.iter().all(is_known) };
    let is_scenario = is_all || keys.iter().any(|key| SECTIONS.contains(key));
    if is_scenario { Ok(Opened::Scenario(text)) } else { Err(Reason::Json) }
}

/// The state of a document, whatever the order of its names: programs that rewrite JSON sort them.
fn of_ours(text: &str) -> Result<Carried, Unread> {
    let value = |key: &str| {
        let found = Members::of(text.as_bytes())?.find(|member| member.key == key)?;
        (!found.value.is_empty()).then_some(found.value)
    };
    let form = value("export").and_then(|form| form.parse::<u32>().ok()).ok_or(Unread::Broken)?;
    if form > FORM {
        return Err(Unread::Newer(form));
    }
    let text = |key: &str| value(key)?.strip_prefix('"')?.strip_suffix('"');
    let (product, link) = text("tokenyard").zip(text("link")).ok_or(Unread::Broken)?;
    // A link is ASCII; these are the characters of it that some programs escape.
    let link = link.replace("\\/", "/").replace("\\u0026", "&");
    let (lab, fragment) = links::lab_of(&link).ok_or(Unread::Broken)?;
    Carried::linked(product, &lab, &fragment)
}

/// What the comment of a transcript holds; the last one if a text has several. It begins a line, which
/// no name that somebody typed can.
pub(super) fn comment(text: &str) -> Option<&str> {
    let begin = format!("{}tokenyard ", COMMENT.0);
    let at = text.rfind(&format!("\n{begin}")).map(|at| at + 1).or(text.starts_with(&begin).then_some(0))?;
    let inside = &text[at + COMMENT.0.len()..];
    Some(&inside[..inside.find(COMMENT.1.trim_start())?])
}
