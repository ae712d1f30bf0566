//! The workshop kit: one folder for a stick or a laptop, whole without any network.
//!
//! `start.html` says what to do in which order. Everything links to everything by relative addresses, so
//! that the folder works from a disk.

use std::fs;
use std::path::Path;

use tokenyard_lab::{Markup, Words};

use super::paper::{Lessons, Place, Sheet, document};
use super::{Catalogues, LANGUAGES, SINGLE_SHEETS, SiteError, fail, put, single, style_sheet, take_programs};

/// The page to begin with.
pub(super) const START: &str = "start.html";

/// Lists of the start page, in order: heading, whether the order counts, items.
const LISTS: [(&str, bool, &[&str]); 5] = [
    (
        "start.before.title",
        true,
        &[
            "start.before.whole",
            "start.before.try",
            "start.before.print",
            "start.before.share",
            "start.before.room",
            "start.before.clicker",
        ],
    ),
    (
        "start.day.title",
        true,
        &["start.day.open", "start.day.guess", "start.day.reveal", "start.day.task", "start.day.keys"],
    ),
    (
        "start.fails.title",
        false,
        &[
            "start.fails.window",
            "start.fails.small",
            "start.fails.phone",
            "start.fails.blank",
            "start.fails.reload",
        ],
    ),
    ("start.after.title", true, &["start.after.codes", "start.after.keep", "start.after.clear"]),
    ("start.files.title", false, FILES),
];

/// What is in the folder.
const FILES: &[&str] = &[
    "start.files.single",
    "start.files.handouts",
    "start.files.notes",
    "start.files.lessons",
    "start.files.readme",
];

/// Writes the kit into `out` from the built files of `stage`; says how many pages it has. Lessons, words
/// and style sheets come from the `project` folder. What was in `out` before is replaced.
///
/// # Errors
/// The first thing that could not be read, understood or written.
pub fn write_workshop(stage: &Path, out: &Path, project: &Path) -> Result<usize, SiteError> {
    let catalogues = Catalogues::load(&project.join("locales"))?;
    let lessons = Lessons::load(project)?;
    if out.exists() {
        fs::remove_dir_all(out).map_err(|e| fail("emptying", out, e))?;
    }
    // The edition is made from files that the kit does not have.
    let parts = out.join("parts");
    fs::create_dir_all(&parts).map_err(|e| fail("making", &parts, e))?;
    let assets = take_programs(stage, &parts)?;
    let style = style_sheet(&project.join("public/styles"), SINGLE_SHEETS)?;
    single::write_all(&parts, out, &assets, style, &catalogues)?;
    fs::remove_dir_all(&parts).map_err(|e| fail("removing", &parts, e))?;
    Ok(1 + write_beside(out, &lessons)?)
}

/// Everything but the single-file edition.
fn write_beside(out: &Path, lessons: &Lessons) -> Result<usize, SiteError> {
    let sheets = lessons.sheets(Place::Kit);
    for (file, text) in &sheets {
        put(&out.join(file), text)?;
    }
    for (text, lesson) in &lessons.files {
        put(&out.join(format!("lessons/{}.toml", lesson.id)), text)?;
    }
    put(&out.join(START), &start(lessons))?;
    put(&out.join("README.txt"), &readme(lessons))?;
    Ok(1 + sheets.len())
}

/// What to do in which order, in every language one after the other.
fn start(lessons: &Lessons) -> String {
    let all: Vec<(&str, Words)> = LANGUAGES.iter().map(|lang| (*lang, lessons.words(lang, None))).collect();
    let mut m = Markup::default();
    m.el("header", &[], |m| {
        m.text_el("h1", &[("class", "kind")], &title(&all));
        m.el("nav", &[("aria-label", &all[0].1.at(&["start.parts"]))], |m| {
            for (lang, words) in &all {
                let href = format!("#{lang}");
                m.text_el("a", &[("href", &href), ("lang", lang)], &words.at(&["paper.language"]));
            }
        });
    });
    m.el("main", &[("class", "start")], |m| {
        for (lang, words) in &all {
            m.el("section", &[("lang", lang), ("id", lang)], |m| {
                m.text_el("h2", &[], &words.at(&["start.title"]));
                m.text_el("p", &[("class", "lead")], &words.at(&["start.lead"]));
                m.text_el("h3", &[], &words.at(&["start.choose"]));
                choose(m, lessons, lang, words);
                for (heading, ordered, items) in LISTS {
                    m.text_el("h3", &[], &words.at(&[heading]));
                    m.el(if ordered { "ol" } else { "ul" }, &[], |m| {
                        items.iter().for_each(|item| m.text_el("li", &[], &words.at(&[item])));
                    });
                }
            });
        }
    });
    document(LANGUAGES[0], &title(&all), &lessons.style, &m.finish())
}

/// Its name in every language.
fn title(all: &[(&str, Words)]) -> String {
    let titles: Vec<String> = all.iter().map(|(_, words)| words.at(&["start.title"])).collect();
    titles.join(" · ")
}

/// The table of lessons with the ways to each.
fn choose(m: &mut Markup, lessons: &Lessons, lang: &str, words: &Words) {
    let head = ["start.lesson", "start.minutes", "start.open"];
    m.el("table", &[], |m| {
        m.el("thead", &[], |m| {
            m.el("tr", &[], |m| {
                head.iter().for_each(|key| m.text_el("th", &[("scope", "col")], &words.at(&[key])));
            });
        });
        m.el("tbody", &[], |m| {
            for (_, lesson) in &lessons.files {
                // Texts of a lesson's head hold no figure of a lab that would need its words.
                let mut facts = tokenyard_lesson::Facts::of(lesson);
                let at = lesson.language(lang);
                m.el("tr", &[], |m| {
                    m.el("td", &[], |m| {
                        m.text_el("b", &[], &facts.fill(lesson.title.at(at), words));
                        m.text_el("p", &[], &facts.fill(lesson.about.at(at), words));
                    });
                    m.text_el("td", &[], &lesson.minutes.to_string());
                    m.el("td", &[], |m| ways(m, lesson, lang, words));
                });
            }
        });
    });
}

fn ways(m: &mut Markup, lesson: &tokenyard_lesson::Lesson, lang: &str, words: &Words) {
    let mut link = |href: &str, text: &str| {
        m.text_el("a", &[("href", href)], text);
        m.text(" ");
    };
    link(&Place::Kit.live(&lesson.id), &words.at(&["paper.live"]));
    // A lesson that is not in this language has its sheets in its own.
    let own = Lessons::languages(lesson).find(|own| *own == lang).or(Lessons::languages(lesson).next());
    for sheet in Sheet::EACH {
        if let Some(own) = own {
            link(&Place::Kit.file(sheet, &lesson.id, own), &sheet.name(words));
        }
    }
}

/// For whoever opens the folder in a file manager: lines that Windows shows as lines.
fn readme(lessons: &Lessons) -> String {
    let one = |lang: &&str| {
        let words = lessons.words(lang, None);
        let keys = ["start.title", "readme.first"].iter().chain(FILES);
        keys.map(|key| format!("{}\r\n", words.at(&[key]))).collect::<String>()
    };
    LANGUAGES.iter().map(one).collect::<Vec<String>>().join("\r\n")
}

#[cfg(test)]
mod tests;
