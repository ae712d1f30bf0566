//! The page generator: one real HTML file per page, with its first frame, its words in every
//! language, its policy, and a reading without JavaScript. Native only.

mod card;
mod document;
mod glue;
mod offline;
mod paper;
mod pictures;
mod single;
mod words;
mod workshop;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use leptos::prelude::*;
use sha2::{Digest as _, Sha256};
use tokenyard_lab::digest;
use tokenyard_lab::labs::{IDS, LABS};

use crate::app::{self, App};
use crate::frame::Shape;
use crate::page::{Kind, Page, Program};
use crate::shell::{Colours, Shell};

pub use card::SiteUrl;
pub use document::policy;
pub use words::{Catalogues, LANGUAGES};
pub use workshop::write_workshop;

/// Sheets of pages in the style sheet of home and labs, of embeds, of the program with the fleet, and of
/// that with lessons: who reads an embed does not load what the fleet looks like.
const SHEETS: [&[&str]; 4] =
    [&["home"], &["embed"], &["home", "fleet"], &["home", "embed", "teach", "class"]];

/// Those of the single-file edition.
const SINGLE_SHEETS: &[&str] = &["home", "embed", "teach", "class"];

/// Name of the program of tools, in `web/src/bin/`.
const TOOLS: &str = "tools";

/// The script of the custom element. It has one name for ever: other people's pages name it.
const ELEMENT: &str = include_str!("site/element.js");

/// Something that kept the site from being written: what was done, to which file, and why not.
#[derive(Debug)]
pub struct SiteError(pub String);

impl std::fmt::Display for SiteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SiteError {}

pub(crate) fn fail(doing: &str, path: &Path, why: impl std::fmt::Display) -> SiteError {
    SiteError(format!("{doing} {}: {why}", path.display()))
}

/// Names of one built program's files. They change with what is in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Glue script.
    pub script: String,
    /// Module.
    pub wasm: String,
    /// Digest of the module, in the form of subresource integrity: `sha256-…`.
    pub integrity: String,
}

/// Names of all built files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assets {
    /// Each of [`Program::EACH`].
    pub programs: [Built; 3],
    /// The program of each lab's embed, by the lab. Without one an embed loads the one that shows all labs.
    pub embeds: BTreeMap<&'static str, Built>,
    /// The program of tools, which pages ask for when it is needed.
    pub tools: Built,
    /// The style sheet of each group of pages (home and labs, embeds, fleet, lessons), put together by
    /// [`style_sheet`].
    pub styles: [String; 4],
}

impl Assets {
    /// The style sheet of a page.
    #[must_use]
    pub fn style(&self, kind: &Kind) -> &str {
        let [labs, embed, all, teach] = &self.styles;
        match kind.program() {
            _ if kind.is_embed() => embed,
            Program::Labs | Program::Embed => labs,
            Program::All => all,
            Program::Teach => teach,
        }
    }

    /// The program that shows a page.
    #[must_use]
    pub fn of(&self, kind: &Kind) -> &Built {
        let own =
            kind.lab().filter(|_| kind.program() == Program::Embed).and_then(|lab| self.embeds.get(lab.id));
        if let Some(own) = own {
            return own;
        }
        let place = Program::EACH.iter().position(|p| *p == kind.program()).unwrap_or(0);
        &self.programs[place]
    }
}

/// Copies the files of one program from the build tool's `stage`, which calls them `<id>.js` and
/// `<id>_bg.wasm` with or without digests of its own, under names that carry ours.
fn take_program(stage: &Path, out: &Path, id: &str) -> Result<Built, SiteError> {
    let find = |end: &str| -> Result<PathBuf, SiteError> {
        let files = fs::read_dir(stage).map_err(|e| fail("listing", stage, e))?;
        let is_it = |path: &PathBuf| {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let rest = name.strip_prefix(id).and_then(|rest| rest.strip_suffix(end));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let mut found = files.filter_map(|entry| Some(entry.ok()?.path())).filter(is_it);
        found.next().ok_or_else(|| SiteError(format!("the build made no file {id}…{end}")))
    };
    let (script, wasm) = (find(".js")?, find("_bg.wasm")?);
    let glue = fs::read_to_string(&script).map_err(|e| fail("reading", &script, e))?;
    let module = fs::read(&wasm).map_err(|e| fail("reading", &wasm, e))?;
    let other = || SiteError(format!("{} and {} are not of one program", script.display(), wasm.display()));
    let (glue, module) = glue::lean(&glue, &module).ok_or_else(other)?;
    let write = |bytes: &[u8], end: &str| -> Result<(String, String), SiteError> {
        let digest = Sha256::digest(bytes);
        let name = format!("{id}-{:.16}{end}", hex(&digest));
        put_bytes(&out.join(&name), bytes)?;
        Ok((name, format!("sha256-{}", STANDARD.encode(digest))))
    };
    let ((wasm, integrity), (script, _)) = (write(&module, "_bg.wasm")?, write(glue.as_bytes(), ".js")?);
    Ok(Built { script, wasm, integrity })
}

/// The same for all programs.
fn take_programs(stage: &Path, out: &Path) -> Result<Assets, SiteError> {
    let [labs, all, teach] = Program::EACH.map(|program| take_program(stage, out, program.id()));
    let tools = take_program(stage, out, TOOLS)?;
    Ok(Assets { programs: [labs?, all?, teach?], tools, ..Assets::default() })
}

/// Writes all pages into `out` and copies the built files of `stage` beside them; says how many
/// pages it wrote. Words and style sheets come from the `project` folder; `site` is the address
/// that cards and oEmbed need; `single` adds the single-file edition in `single/`; `embeds` has the
/// program of each lab's embed in a folder by its name. What was in `out` before is replaced.
///
/// # Errors
/// The first thing that could not be read, understood or written.
pub fn write(
    stage: &Path,
    out: &Path,
    project: &Path,
    embeds: Option<&Path>,
    site: Option<&SiteUrl>,
    single: bool,
) -> Result<usize, SiteError> {
    let catalogues = Catalogues::load(&project.join("locales"))?;
    if out.exists() {
        fs::remove_dir_all(out).map_err(|e| fail("emptying", out, e))?;
    }
    fs::create_dir_all(out).map_err(|e| fail("making", out, e))?;
    let own = |folder: &Path, lab: &'static str| {
        Ok((lab, take_program(&folder.join(lab), out, Program::Embed.id())?))
    };
    let embeds = embeds.into_iter().flat_map(|folder| IDS.map(|lab| own(folder, lab)));
    let mut assets = take_programs(stage, out)?;
    assets.embeds = embeds.collect::<Result<_, SiteError>>()?;
    let icon = project.join("public/icon.svg");
    fs::copy(&icon, out.join("icon.svg")).map_err(|e| fail("copying", &icon, e))?;
    for (name, pages) in assets.styles.iter_mut().zip(SHEETS) {
        let style = style_sheet(&project.join("public/styles"), pages)?;
        *name = format!("style-{:.16}.css", hex(&Sha256::digest(style.as_bytes())));
        put(&out.join(name.as_str()), &style)?;
    }
    let pages = Kind::all();
    for kind in &pages {
        put(&out.join(kind.file()), &render(*kind, &assets, &catalogues, site))?;
        let words = &catalogues.page(*kind)[0].1;
        if let (Some(file), Some(answer)) = (card::oembed_file(kind), card::oembed(kind, words, site)) {
            put(&out.join(file), &answer)?;
        }
    }
    put(&out.join("digests.txt"), &native_digests())?;
    put(&out.join("element.js"), &document::bare(ELEMENT))?;
    pictures::write(out, &pages, &catalogues, site)?;
    let sheets = paper::write(out, project)?;
    offline::write(out, project, &catalogues)?;
    let singles = if single {
        let style = style_sheet(&project.join("public/styles"), SINGLE_SHEETS)?;
        single::write(out, &out.join("single"), &assets, style, &catalogues)?
    } else {
        0
    };
    Ok(pages.len() + sheets + singles)
}

fn put(path: &Path, text: &str) -> Result<(), SiteError> {
    put_bytes(path, text.as_bytes())
}

fn put_bytes(path: &Path, bytes: &[u8]) -> Result<(), SiteError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| fail("making", folder, e))?;
    }
    fs::write(path, bytes).map_err(|e| fail("writing", path, e))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// One style sheet: tokens and ground first, then what labs share, the sheets of `pages`, and those of
/// all labs, by name.
///
/// # Errors
/// A sheet that cannot be read.
pub fn style_sheet(folder: &Path, pages: &[&str]) -> Result<String, SiteError> {
    let labs = folder.join("labs");
    let mut sheets: Vec<PathBuf> =
        ["tokens", "base", "lab"].iter().chain(pages).map(|n| folder.join(format!("{n}.css"))).collect();
    let mut own: Vec<PathBuf> = fs::read_dir(&labs)
        .map_err(|e| fail("listing", &labs, e))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "css"))
        .collect();
    own.sort();
    sheets.append(&mut own);
    let read = |path: &PathBuf| fs::read_to_string(path).map_err(|e| fail("reading", path, e));
    sheets.iter().map(|path| read(path).map(|sheet| lean(&sheet))).collect()
}

/// A style sheet without its comments and indentation, which nobody reads there.
fn lean(sheet: &str) -> String {
    let mut out = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// One page's file.
#[must_use]
pub fn render(kind: Kind, assets: &Assets, catalogues: &Catalogues, site: Option<&SiteUrl>) -> String {
    let languages = catalogues.page(kind);
    let page = Page { kind, root: kind.root(), single: false, languages };
    let program = kind.program();
    let mut body = first_frame(program, &page, !kind.is_embed());
    if kind.is_embed() {
        // For addresses that ask the question. The two differ little, so it hardly adds to what is sent.
        body = format!("{body}<template id=\"asking\">{}</template>", first_frame(program, &page, true));
    }
    // The page of lessons shows every lab.
    let labs = LABS.iter().filter(|_| kind == Kind::Teach).map(|lab| Kind::Lab(lab));
    let labs = labs.map(|kind| Page {
        kind,
        root: page.root.clone(),
        single: false,
        languages: catalogues.page(kind),
    });
    document::page(&page, &labs.collect::<Vec<_>>(), assets, &body, site)
}

/// What a page shows before the application has started; `asks` covers what would answer the question.
fn first_frame(program: Program, page: &Page, asks: bool) -> String {
    let owner = Owner::new();
    let body = owner.with(|| {
        let shell = Shell::new(program, page.clone(), LANGUAGES[0].to_owned(), Colours::System);
        shell.shape.set_value((Shape { asks, ..Shape::whole() }, Vec::new()));
        view! { <App shell pages=app::every /> }.to_html()
    });
    // The frame is replaced, not hydrated, so the markers for hydration only cost bytes.
    body.replace("<!>", "")
}

/// The digests of the suite, one line each.
#[must_use]
pub fn native_digests() -> String {
    (0..digest::count()).map(|i| format!("{:016x}\n", digest::run(i))).collect()
}

#[cfg(test)]
mod tests;
