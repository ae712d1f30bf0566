//! The document around a page's first frame.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use tokenyard_lab::labs::IDS;
use tokenyard_lab::markup::escape;
use tokenyard_lab::{Markup, Words, link};

use super::{Assets, LANGUAGES, SiteUrl, card, offline};
use crate::frame;
use crate::page::{Kind, Page};
use crate::pages::proof;

/// Runs before the first paint: the reader's colours, so that nothing flashes.
pub(super) const EARLY: &str = include_str!("early.js");
const FETCH: &str = include_str!("fetch.js");
/// Starts the application, or says in one line why it cannot.
const BOOT: &str = include_str!("boot.js");
/// The part of it that gets the module: from the site's files.
const LOAD: &str = include_str!("load.js");
/// The same two for an embed: its policy and shape, and its talk with the page around it.
pub(super) const EARLY_EMBED: &str = include_str!("early_embed.js");
pub(super) const EMBED: &str = include_str!("embed.js");

/// The script that starts the application, with the part that gets its module.
pub(super) fn boot(load: &str) -> String {
    bare(&BOOT.replace("// LOAD\n", load))
}

/// A script as it travels: its comments stay here.
pub(super) fn bare(script: &str) -> String {
    script
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// What the proof page compares with: the digests of both suites as this machine computes them, one line
/// each. No other page has them.
fn digests(kind: &Kind) -> String {
    if !matches!(kind, Kind::Proof) {
        return String::new();
    }
    let lines: String = (0..proof::count()).map(|i| format!("{:016x}\n", proof::run(i))).collect();
    data("digests", "text/plain", &lines)
}

/// The content security policy of a page with these inline scripts.
#[must_use]
pub fn policy(scripts: &[&str]) -> String {
    let hashes: String = scripts
        .iter()
        .map(|s| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(s.as_bytes()))))
        .collect();
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{hashes}; style-src 'self'; \
         img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'"
    )
}

pub(super) fn attr(text: &str) -> String {
    let mut out = String::new();
    escape(text, &mut out);
    out
}

/// The whole file. Module and glue are asked for in the head, so that they are on their way while
/// the first frame still arrives.
///
/// `others` are pages that this one shows too: their words come with it.
pub(super) fn page(
    page: &Page,
    others: &[Page],
    assets: &Assets,
    body: &str,
    site: Option<&SiteUrl>,
) -> String {
    let Page { kind, root, languages, .. } = page;
    let built = assets.of(kind);
    let words = &languages[0].1;
    let (title, lead) = (kind.title(words), plain(&kind.about(words)));
    let embed = kind.is_embed();
    let boot = starts(page, assets);
    // An embed asks for nothing before it is in view, and brings its policy itself.
    let (policy, early, ahead) = if embed {
        let early = bare(EARLY_EMBED).replace("TABLE", &frame::table());
        let early = early.replace("POLICY", &policy(&[&boot]).replace("'self'", "ORIGIN"));
        (String::new(), early, String::new())
    } else {
        let fetch = bare(FETCH).replace("WASM", &format!("{root}{}", built.wasm));
        let policy = attr(&policy(&[EARLY, &fetch, &boot]));
        (
            format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"),
            EARLY.to_owned(),
            format!(
                "<script type=\"module\" async>{fetch}</script>\n<link rel=\"modulepreload\" href=\"{root}{}\">\n",
                built.script
            ),
        )
    };
    format!(
        "<!doctype html>\n<html lang=\"{lang}\" data-page=\"{id}\" data-root=\"{root}\"{build}>\n<head>\n\
         <meta charset=\"utf-8\">\n{policy}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · {site}</title>\n\
         <meta name=\"description\" content=\"{lead}\">\n{cards}\
         <link rel=\"icon\" href=\"{root}icon.svg\" type=\"image/svg+xml\">\n\
         <script>{early}</script>\n\
         <link rel=\"stylesheet\" href=\"{root}{style}\">\n{ahead}\
         </head>\n<body>\n{stopped}{broken}<div id=\"app\">{body}</div>\n{keep}{noscript}\
         {words}{digests}<script type=\"module\">{boot}</script>\n</body>\n</html>\n",
        lang = LANGUAGES[0],
        id = kind.id(),
        title = attr(&title),
        site = attr(&words.at(&["site"])),
        lead = attr(&lead),
        build = offline::root_attribute(kind),
        keep = offline::section(page),
        style = assets.style(kind),
        cards = card::tags(page, site),
        stopped = stopped(page),
        broken = broken(page),
        noscript = noscript(page),
        words = words_data(page, others),
        digests = digests(kind),
    )
}

/// The script that starts a page's program, with the addresses of its files.
fn starts(page: &Page, assets: &Assets) -> String {
    let Page { kind, root, .. } = page;
    let built = assets.of(kind);
    let more = if kind.is_embed() { bare(EMBED) } else { offline::footer(page) };
    format!("{}{more}", boot(LOAD))
        .replace("TOOLS_SCRIPT", &format!("{root}{}", assets.tools.script))
        .replace("TOOLS_WASM", &format!("{root}{}", assets.tools.wasm))
        .replace("SCRIPT", &format!("{root}{}", built.script))
        .replace("WASM", &format!("{root}{}", built.wasm))
        .replace("INTEGRITY", &built.integrity)
}

/// Rich text without its glossary brackets.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split("[[").enumerate() {
        match part.split_once("]]") {
            Some((term, rest)) if i > 0 => {
                out.push_str(term.split_once('|').map_or(term, |(_, shown)| shown));
                out.push_str(rest);
            }
            _ => out.push_str(part),
        }
    }
    out
}

/// A data block; `<` is escaped so that no text in it can end it.
pub(super) fn data(id: &str, kind: &str, text: &str) -> String {
    format!("<script type=\"{kind}\" id=\"{id}\">{}</script>\n", text.replace('<', "\\u003c"))
}

/// Groups of words that only a lab's own page says: the home page has its scene and its player.
const OF_LAB_PAGES: &[&str] = &[
    "ask.",
    "axis.",
    "card.",
    "challenge.",
    "export.",
    "figure.",
    "guide.",
    "knobs.",
    "lab.",
    "link.",
    "luck.",
    "mark.",
    "notes.",
    "param.",
    "frame.",
    "predict.",
    "preset.",
    "share.",
    "sheet.",
    "shot.",
    "sweep.",
    "table.",
    "term.",
    "unit.",
    "why.",
];

/// Words that only the frame around pages says, or who opens files. An embed has neither.
const NOT_IN_EMBEDS: &[&str] = &[
    "nav.colours",
    "nav.fleet",
    "nav.foot",
    "nav.labs",
    "nav.proof",
    "nav.skip",
    "nav.theme-",
    "open.",
    "section.",
    "unopened.",
    "unread.",
];

/// Whether the words of a key introduce a lab that the page does not lead to. A lab's page leads to the next.
fn is_of_others(kind: &Kind, key: &str) -> bool {
    let Some(of) = key.strip_prefix("labs.").and_then(|rest| rest.split_once('.')) else { return false };
    match kind.lab() {
        Some(lab) => {
            let next = IDS.iter().skip_while(|id| **id != lab.id).nth(1);
            of.1 != "question" || next != Some(&of.0)
        }
        None => !matches!(kind, Kind::Home),
    }
}

/// Whether the application says the words of a key on a page. What no page says travels for
/// nothing, in every language: the home page would be half as large again.
pub(super) fn is_said(kind: &Kind, key: &str) -> bool {
    let in_groups = |groups: &[&str]| groups.iter().any(|group| key.starts_with(group));
    if is_of_others(kind, key) {
        return false;
    }
    match kind {
        Kind::Lab(_) | Kind::Preset(..) => !in_groups(&["error."]),
        Kind::Embed(_) => !in_groups(&["error."]) && !in_groups(NOT_IN_EMBEDS),
        Kind::Fleet => !in_groups(&["error.", "export.", "frame.", "share.", "sheet.", "shot."]),
        Kind::Teach => !in_groups(&["error.", "export.", "frame.", "handout.", "sheet.", "shot."]),
        Kind::Home | Kind::Proof => !in_groups(OF_LAB_PAGES) && !in_groups(&["error."]),
    }
}

/// The words of a page; by page where it shows others too.
fn words_data(page: &Page, others: &[Page]) -> String {
    if others.is_empty() {
        return data("words", "application/json", &said(page).to_string());
    }
    let all = std::iter::once(page).chain(others).map(|page| (page.kind.id(), said(page)));
    let all: serde_json::Map<String, serde_json::Value> = all.collect();
    data("words", "application/json", &serde_json::Value::Object(all).to_string())
}

/// The words that a page says, by language.
pub(super) fn said(page: &Page) -> serde_json::Value {
    let of = |words: &Words| -> serde_json::Map<String, serde_json::Value> {
        let said = words
            .keys()
            .filter(|key| is_said(&page.kind, key) && offline::is_said(&page.kind, page.single, key));
        said.map(|k| (k.to_owned(), words.get(k).into())).collect()
    };
    let all: serde_json::Map<String, serde_json::Value> =
        page.languages.iter().map(|(lang, words)| (lang.clone(), of(words).into())).collect();
    serde_json::Value::Object(all)
}

/// The panel of the panic boundary, in every language; the hook shows the
/// page's own.
pub(super) fn stopped(page: &Page) -> String {
    let mut m = Markup::default();
    m.el("div", &[("id", "stopped"), ("class", "stopped"), ("role", "alert"), ("hidden", "")], |m| {
        for (lang, words) in &page.languages {
            m.el("div", &[("lang", lang), ("hidden", "")], |m| {
                m.text_el("strong", &[], &words.at(&["error.title"]));
                m.text_el("p", &[], &words.at(&["error.text"]));
            });
        }
        m.el("input", &[("id", "stopped-link"), ("readonly", ""), ("aria-label", "link")], |_| {});
        m.el("pre", &[("id", "stopped-message")], |_| {});
    });
    m.finish().replace("</input>", "")
}

/// The line shown when the application cannot start: one per reason and language.
pub(super) fn broken(page: &Page) -> String {
    let mut m = Markup::default();
    m.el("div", &[("id", "broken"), ("class", "broken"), ("role", "status"), ("hidden", "")], |m| {
        for (lang, words) in &page.languages {
            for why in ["no-wasm", "old", "files", "sandbox"] {
                m.el(
                    "p",
                    &[("lang", lang), ("class", "only-lang"), ("data-why", why), ("hidden", "")],
                    |m| {
                        let why = tokenyard_lab::Arg::Key(format!("error.{why}"));
                        m.text(&words.say(&tokenyard_lab::msg("error.load").with("why", why)));
                    },
                );
            }
        }
        if let Kind::Embed(lab) = page.kind {
            let href = page.href(&Kind::Lab(lab));
            m.text_el("a", &[("href", &href)], &page.languages[0].1.at(&["frame.open"]));
        }
    });
    m.finish()
}

/// The reading without JavaScript: for a lab every step in one sentence.
pub(super) fn noscript(page: &Page) -> String {
    let mut m = Markup::default();
    m.el("noscript", &[], |m| {
        for (lang, words) in &page.languages {
            m.el("section", &[("lang", lang), ("class", "noscript")], |m| {
                match page.kind {
                    Kind::Fleet => crate::pages::fleet::card::reading(m, words),
                    _ => m.text_el("p", &[], &words.at(&["noscript.text"])),
                }
                if let Some(lab) = page.kind.lab() {
                    let run = lab.run(&link::read(lab, &page.kind.state()).0.setup);
                    m.el("ol", &[], |m| {
                        for step in 0..run.steps() {
                            m.text_el("li", &[], &words.say(&run.say(step)));
                        }
                    });
                }
            });
        }
    });
    m.finish()
}
