//! The document around a sheet.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use tokenyard_lab::Markup;
use tokenyard_lesson::Lesson;

use super::{Lessons, Place, Sheet};
use crate::site::document::attr;

/// A whole document that needs nothing but itself: its policy allows its own styles, and nothing else.
pub(in crate::site) fn document(language: &str, title: &str, style: &str, body: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(style.as_bytes()));
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{hash}'; \
         img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{style}</style>\n\
         </head>\n<body>\n{body}\n</body>\n</html>\n",
        title = attr(title),
    )
}

/// A sheet as a document, with its ways to the live lesson, to the other sheet and to other languages.
pub(super) fn around(
    lessons: &Lessons,
    lesson: &Lesson,
    title: &str,
    language: &'static str,
    sheet: Sheet,
    place: Place,
    body: &str,
) -> String {
    let words = lessons.words(language, None);
    let site = words.at(&["site"]);
    let root = place.root();
    let mut m = Markup::default();
    m.el("header", &[], |m| {
        m.el("p", &[("class", "kind")], |m| {
            m.text_el("b", &[], &sheet.name(&words));
            m.text(" · ");
            m.text(&site);
        });
        m.el("nav", &[("aria-label", &words.at(&["paper.ways"]))], |m| {
            let mut link = |href: &str, text: &str, lang: &str| {
                let href = format!("{root}{href}");
                m.text_el("a", &[("href", &href), ("lang", lang), ("hreflang", lang)], text);
            };
            if place == Place::Kit {
                link(super::super::workshop::START, &words.at(&["paper.start"]), language);
            }
            link(&place.live(&lesson.id), &words.at(&["paper.live"]), language);
            for other in Sheet::EACH.into_iter().filter(|other| *other != sheet) {
                link(&place.file(other, &lesson.id, language), &other.name(&words), language);
            }
            for other in Lessons::languages(lesson).filter(|other| *other != language) {
                let name = lessons.words(other, None).at(&["paper.language"]);
                link(&place.file(sheet, &lesson.id, other), &name, other);
            }
        });
        m.text_el("p", &[("class", "hint")], &words.at(&["paper.print"]));
    });
    let class = format!("sheet is-{}", sheet.id());
    m.el("main", &[("class", &class)], |m| m.ready(body));
    document(language, &format!("{title} · {} · {site}", sheet.name(&words)), &lessons.style, &m.finish())
}
