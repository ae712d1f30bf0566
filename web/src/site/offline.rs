//! The site for offline use: the worker with the list of this version's files, the script that the reader's
//! button fetches, the manifest with its icons, and what every page says of its version.
//!
//! Pages name the build, and the build is a digest over all pages: they are rendered with marks of the same
//! length in its place, digested, and only then get it.

mod manifest;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokenyard_lab::{Markup, Words};

use super::document::bare;
use super::{Catalogues, SiteError, fail, hex, put};
use crate::page::{Kind, Page};

const WORKER: &str = include_str!("offline.js");
const PAGE: &str = include_str!("offline_page.js");
/// The part of every page's script that shows the version and offers to keep it.
pub(super) const FOOTER: &str = include_str!("footer.js");

/// The product's version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Stands for the build until it is known. As long as what comes in its place, as are the others.
const BUILD: &str = "@@build@@build@@";
/// For its first half, which readers are told.
const BRIEF: &str = "@@brief@";
/// For what all files weigh, in kilobytes.
const WEIGHT: &str = "@@weight";

/// Words that pages bring with them. The others are in the script that the button fetches.
const ON_PAGES: [&str; 4] = ["offline.version", "offline.keep", "offline.unable", "offline.missing"];
const LATER: [&str; 21] = [
    "offline.keep",
    "offline.missing",
    "offline.refused",
    "offline.space",
    "offline.full",
    "offline.files",
    "offline.keeping",
    "offline.progress",
    "offline.cancel",
    "offline.cancelled",
    "offline.kept",
    "offline.kept-other",
    "offline.partly",
    "offline.again",
    "offline.updating",
    "offline.update-files",
    "offline.update-full",
    "offline.ready",
    "offline.use",
    "offline.remove",
    "offline.removed",
];

/// Whether a page's own words have this one, which is of [`ON_PAGES`] if it is about offline use.
pub(super) fn is_said(page: &Kind, single: bool, key: &str) -> bool {
    !key.starts_with("offline.") || (!page.is_embed() && !single && ON_PAGES.contains(&key))
}

/// The script that the button fetches, and its name, which changes with it.
fn page_script(languages: &[(String, Arc<Words>)]) -> (String, String) {
    let of = |words: &Words| -> serde_json::Map<String, serde_json::Value> {
        let said = LATER.iter().filter_map(|key| Some((key.strip_prefix("offline.")?, words.get(key))));
        said.map(|(key, text)| (key.to_owned(), text.into())).collect()
    };
    let all: serde_json::Map<String, serde_json::Value> =
        languages.iter().map(|(lang, words)| (lang.clone(), of(words).into())).collect();
    let text = bare(PAGE).replace("@WORDS", &serde_json::Value::Object(all).to_string());
    (format!("offline-page-{:.16}.js", hex(&Sha256::digest(text.as_bytes()))), text)
}

/// What the root element of a page says of its version.
pub(super) fn root_attribute(kind: &Kind) -> String {
    if kind.is_embed() { String::new() } else { format!(" data-build=\"{BUILD}\"") }
}

/// The version and the button, under the application.
pub(super) fn section(page: &Page) -> String {
    if page.kind.is_embed() {
        return String::new();
    }
    let words = &page.languages[0].1;
    let version = words.fill_key(
        "offline.version",
        &[("version", VERSION.to_owned().into()), ("build", BRIEF.to_owned().into())],
    );
    let mut m = Markup::default();
    let about = [
        ("id", "keep"),
        ("class", "keep"),
        ("aria-labelledby", "version"),
        ("data-version", VERSION),
        ("data-weight", WEIGHT),
    ];
    m.el("section", &about, |m| {
        m.text_el("p", &[("id", "version"), ("data-say", "offline.version")], &version);
        m.text_el("p", &[("role", "status")], "");
        m.el("button", &[("type", "button"), ("data-say", "offline.keep"), ("hidden", "")], |_| {});
        m.el("p", &[("class", "note"), ("data-say", "offline.unable"), ("hidden", "")], |_| {});
    });
    m.finish() + "\n"
}

/// The script part of a page, with the name of the script that the button fetches.
pub(super) fn footer(page: &Page) -> String {
    if page.kind.is_embed() {
        return String::new();
    }
    bare(FOOTER).replace("ROOT", &page.root).replace("MANAGE", &page_script(&page.languages).0)
}

/// One file of a version.
struct Listed {
    /// Its path below the site's root, with slashes.
    name: String,
    /// Its digest as subresource integrity: `sha256-…`.
    integrity: String,
    bytes: usize,
}

/// Whether a file is kept for offline use. Not: pictures for feeds and other people's pages, answers to
/// their questions, their script, what programs compare with, and the edition that is one file.
fn is_kept(name: &str) -> bool {
    let of_others = ["figures/", "single/"].iter().any(|folder| name.starts_with(folder));
    !of_others
        && !name.ends_with("oembed.json")
        && !["element.js", "digests.txt", "offline.js"].contains(&name)
}

/// The files below `root` that are kept, by name.
fn list(root: &Path) -> Result<Vec<Listed>, SiteError> {
    let (mut found, mut folders) = (Vec::new(), vec![String::new()]);
    while let Some(folder) = folders.pop() {
        let here = root.join(&folder);
        for entry in fs::read_dir(&here).map_err(|e| fail("listing", &here, e))? {
            let entry = entry.map_err(|e| fail("listing", &here, e))?;
            let name = format!("{folder}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(format!("{name}/"));
            } else if is_kept(&name) {
                let content = fs::read(entry.path()).map_err(|e| fail("reading", &entry.path(), e))?;
                let integrity = format!("sha256-{}", STANDARD.encode(Sha256::digest(&content)));
                found.push(Listed { name, integrity, bytes: content.len() });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Adds to the pages in `out`, which is otherwise whole, what keeps them for offline use: the script of the
/// button, manifest and icons, the build in every page, and `offline.js` with the list of all files and the
/// digests that they have then. Without a usable font there are no icons as PNG.
///
/// # Errors
/// The first file that cannot be read, painted or written.
pub(super) fn write(out: &Path, project: &Path, catalogues: &Catalogues) -> Result<(), SiteError> {
    let languages = catalogues.page(Kind::Home);
    let (name, script) = page_script(&languages);
    put(&out.join(name), &script)?;
    manifest::write(out, project, &languages[0].1)?;
    let marked = list(out)?;
    let mut digest = Sha256::new();
    for part in marked.iter().flat_map(|file| [&file.name, &file.integrity]) {
        digest.update(part.as_bytes());
        digest.update(b"\n");
    }
    for part in [VERSION, WORKER] {
        digest.update(part.as_bytes());
    }
    let build = format!("{:.16}", hex(&digest.finalize()));
    let kilobytes = marked.iter().map(|file| file.bytes).sum::<usize>().div_ceil(1000);
    let weight = format!("{kilobytes:08}");
    for file in marked.iter().filter(|file| file.name.ends_with(".html")) {
        let path = out.join(&file.name);
        let text = fs::read_to_string(&path).map_err(|e| fail("reading", &path, e))?;
        let brief = build.get(..BRIEF.len()).unwrap_or(&build);
        put(&path, &text.replace(BUILD, &build).replace(BRIEF, brief).replace(WEIGHT, &weight))?;
    }
    put(&out.join("offline.js"), &worker(&list(out)?, &build, kilobytes, &languages))
}

/// The worker's text.
fn worker(files: &[Listed], build: &str, kilobytes: usize, languages: &[(String, Arc<Words>)]) -> String {
    let pairs: Vec<String> =
        files.iter().map(|file| json!([file.name, file.integrity]).to_string()).collect();
    bare(WORKER)
        .replace("@VERSION", VERSION)
        .replace("@BUILD", build)
        .replace("@WEIGHT", &kilobytes.to_string())
        .replace("@FILES", &format!("[\n{}\n]", pairs.join(",\n")))
        .replace("@LOST", &json!(lost(languages)).to_string())
}

/// The page that stands for one that the browser threw away, in every language; `@HOME` is the site's root.
fn lost(languages: &[(String, Arc<Words>)]) -> String {
    let mut m = Markup::default();
    for (lang, words) in languages {
        m.el("section", &[("lang", lang)], |m| {
            m.text_el("p", &[], words.get("offline.lost"));
            m.el("p", &[], |m| m.text_el("a", &[("href", "@HOME")], words.get("offline.home")));
        });
    }
    let (lang, words) = &languages[0];
    format!(
        "<!doctype html><html lang=\"{lang}\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{site}</title><h1>{site}</h1>{body}</html>",
        site = words.get("site"),
        body = m.finish(),
    )
}

#[cfg(test)]
mod tests;
