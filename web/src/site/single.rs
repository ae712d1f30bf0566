//! The single-file edition: pages, words, style sheet, script and module in one HTML file that works
//! straight from a disk, in a sandbox, and as an embed of itself (`?ui=lab`).
//!
//! One file holds one lab, another all of them and the home page; the fragment says which page is
//! shown: `#lab=<id>&interval=5`.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};
use tokenyard_lab::labs::LABS;

use super::document::{self, attr, bare};
use super::{Assets, Built, Catalogues, LANGUAGES, SiteError, fail, first_frame, put};
use crate::frame;
use crate::page::{Kind, Page, Program};

/// The part of the first script that gets the module out of the file.
const UNPACK: &str = include_str!("unpack.js");
const EARLY_SINGLE: &str = include_str!("early_single.js");

/// The file for all labs.
pub(super) const ALL: &str = "tokenyard.html";

/// A program as it stands in a file.
struct Packed {
    /// Its glue, which leaves what it exports where [`UNPACK`] looks for it.
    glue: String,
    /// Its module: gzip as base64.
    module: String,
}

/// What all files of the edition share.
struct Shared<'a> {
    catalogues: &'a Catalogues,
    /// The style sheet.
    style: String,
}

/// Writes the edition into `out`, from the built files that are there already: one file for all labs
/// (`tokenyard.html`) and one for each (`tokenyard-<lab>.html`). Says how many it wrote.
///
/// # Errors
/// The first file that cannot be read or written.
pub(super) fn write(
    built: &Path,
    out: &Path,
    assets: &Assets,
    style: String,
    catalogues: &Catalogues,
) -> Result<usize, SiteError> {
    let tools = tools(built, assets)?;
    let labs = pack(built, assets.of(&Kind::Home), UNPACKED)?;
    let shared = Shared { catalogues, style };
    put(&out.join(ALL), &shared.all(&pack(built, assets.of(&Kind::Teach), UNPACKED)?, &tools))?;
    for lab in LABS {
        let file = shared.file(&[Kind::Lab(lab)], Program::Labs, &labs, &tools);
        put(&out.join(format!("tokenyard-{}.html", lab.id)), &file)?;
    }
    Ok(LABS.len() + 1)
}

/// Writes the file for all labs alone.
///
/// # Errors
/// The first file that cannot be read or written.
pub(super) fn write_all(
    built: &Path,
    out: &Path,
    assets: &Assets,
    style: String,
    catalogues: &Catalogues,
) -> Result<(), SiteError> {
    let (program, tools) = (pack(built, assets.of(&Kind::Teach), UNPACKED)?, tools(built, assets)?);
    put(&out.join(ALL), &Shared { catalogues, style }.all(&program, &tools))
}

/// What the glue of a page's program leaves for [`UNPACK`].
const UNPACKED: &str = "self.unpack = __wbg_init;";

fn tools(built: &Path, assets: &Assets) -> Result<Packed, SiteError> {
    pack(built, &assets.tools, "self.kit = { default: __wbg_init, open, close, read };")
}

fn pack(built: &Path, program: &Built, leaves: &str) -> Result<Packed, SiteError> {
    let (script, wasm) = (built.join(&program.script), built.join(&program.wasm));
    let glue = fs::read_to_string(&script).map_err(|e| fail("reading", &script, e))?;
    let module = fs::read(&wasm).map_err(|e| fail("reading", &wasm, e))?;
    Ok(Packed { glue: format!("{glue}\n{leaves}\n"), module: packed(&module, &wasm)? })
}

fn packed(wasm: &[u8], out: &Path) -> Result<String, SiteError> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(wasm).map_err(|e| fail("packing the module for", out, e))?;
    Ok(STANDARD.encode(packer.finish().map_err(|e| fail("packing the module for", out, e))?))
}

impl Shared<'_> {
    /// The file with the home page, lessons and all labs.
    fn all(&self, program: &Packed, tools: &Packed) -> String {
        let labs = LABS.iter().copied().map(Kind::Lab);
        let kinds: Vec<Kind> = [Kind::Home, Kind::Teach].into_iter().chain(labs).collect();
        self.file(&kinds, Program::Teach, program, tools)
    }

    /// A file with these pages, shown by a program; the first one is what it shows when its address names
    /// none.
    fn file(&self, kinds: &[Kind], program: Program, packed: &Packed, tools: &Packed) -> String {
        let mut words = serde_json::Map::new();
        let mut pages = Vec::new();
        for kind in kinds {
            let page = Page {
                kind: *kind,
                root: "./".to_owned(),
                single: true,
                languages: self.catalogues.page(*kind),
            };
            words.insert(kind.id(), document::said(&page));
            pages.push(page);
        }
        let Some(first) = pages.first() else {
            return String::new();
        };
        let early = bare(document::EARLY) + &bare(EARLY_SINGLE).replace("TABLE", &frame::table());
        let boot = document::boot(UNPACK) + "if (self.frame) {\n" + &bare(document::EMBED) + "}\n";
        let Packed { glue, module } = packed;
        let Packed { glue: kit, module: tools } = tools;
        let text = &first.languages[0].1;
        let (title, site) = (first.kind.title(text), text.at(&["site"]));
        format!(
            "<!doctype html>\n<html lang=\"{lang}\" data-page=\"{id}\" data-root=\"./\" data-single=\"{id}\">\n<head>\n\
             <meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title} · {site}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <script>{early}</script>\n<style>{style}</style>\n\
             </head>\n<body>\n{stopped}{broken}<div id=\"app\">{body}</div>\n{noscript}{words}\
             <script type=\"text/plain\" id=\"module\">{module}</script>\n\
             <script type=\"text/plain\" id=\"tools-module\">{tools}</script>\n\
             <script type=\"module\">{glue}</script>\n<script type=\"module\">{kit}</script>\n<script type=\"module\">{boot}</script>\n</body>\n</html>\n",
            lang = LANGUAGES[0],
            id = first.kind.id(),
            policy = attr(&self.policy(&[&early, glue, kit, &boot])),
            title = attr(&title),
            site = attr(&site),
            style = self.style,
            stopped = document::stopped(first),
            broken = document::broken(first),
            body = first_frame(program, first, true),
            noscript = document::noscript(first),
            words =
                document::data("words", "application/json", &serde_json::Value::Object(words).to_string()),
        )
    }

    /// Nothing may be fetched from anywhere: all there is is in the file.
    fn policy(&self, scripts: &[&str]) -> String {
        let hash = |text: &str| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
        let scripts: String = scripts.iter().map(|text| hash(text)).collect();
        format!(
            "default-src 'none'; script-src 'wasm-unsafe-eval'{scripts}; style-src{}; img-src data: blob:; \
             worker-src blob:; base-uri 'none'; form-action 'none'",
            hash(&self.style)
        )
    }
}
