//! The message catalogues: complete, equal in every language, and nothing in them unused.

#[cfg(test)]
mod arguments;
#[cfg(test)]
mod catalogue;
#[cfg(test)]
mod required;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod walk;

use std::collections::BTreeSet;

use catalogue::{Catalogue, Texts, all, named, words_of};
use tokenyard_lab::labs::LABS;
use tokenyard_lab::words::placeholders;
use tokenyard_lab::{LabSpec, pseudo};
use walk::{Walk, raw_key};

/// Catalogues of the fleet page, which is no lab, of lessons and of the workshop kit: what must be in them
/// and who gives their arguments is checked by `tokenyard-study`, `tokenyard-lesson` and the page generator,
/// how they look is checked here.
const FLEET_PAGE: [&str; 6] = ["fleet", "lesson", "reports", "rules", "scenario", "workshop"];

fn texts(catalogues: &[Catalogue]) -> impl Iterator<Item = (String, &String, &String)> {
    catalogues.iter().flat_map(|c| {
        c.languages.iter().flat_map(move |(language, texts)| {
            texts.iter().map(move |(key, text)| (format!("{}/{language} {key}", c.folder), key, text))
        })
    })
}

#[test]
fn folders_are_those_of_the_labs_and_all_speak_the_same_languages() {
    let catalogues = all();
    let folders = catalogues.iter().map(|c| c.folder.as_str());
    let folders: BTreeSet<&str> = folders.filter(|folder| !FLEET_PAGE.contains(folder)).collect();
    let wanted: BTreeSet<&str> =
        LABS.iter().map(|l| l.id).chain(["class", "common", "home", "proof", "teach"]).collect();
    assert_eq!(folders, wanted);
    let languages: Vec<&String> = named(&catalogues, "common").languages.keys().collect();
    assert!(languages.iter().any(|l| *l == "en") && languages.iter().any(|l| *l == "ja"));
    for c in &catalogues {
        assert_eq!(c.languages.keys().collect::<Vec<_>>(), languages, "{}", c.folder);
    }
}

#[test]
fn languages_have_the_same_keys_and_placeholders() {
    for c in all() {
        let english = c.english();
        for (language, texts) in &c.languages {
            let differs = |a: &Texts, b: &Texts| -> Vec<String> {
                a.keys().filter(|key| !b.contains_key(*key)).cloned().collect()
            };
            let (missing, extra) = (differs(english, texts), differs(texts, english));
            assert_eq!((missing, extra), (vec![], vec![]), "{}/{language}: missing, extra", c.folder);
            for (key, text) in texts {
                let place = format!("{}/{language} {key}", c.folder);
                assert_eq!(placeholders(text), placeholders(&english[key]), "{place}");
                // A number without a unit has none in any language.
                let param = key.starts_with("param.") || key.contains(".param.");
                let unit = param && key.ends_with(".unit");
                assert!(!text.is_empty() || unit, "{place} is empty");
                assert_eq!(text.is_empty(), english[key].is_empty(), "{place}");
            }
        }
    }
}

#[test]
fn no_sentence_was_left_in_english() {
    for c in all() {
        let others = c.languages.iter().filter(|(language, _)| *language != "en");
        for (language, texts) in others {
            for (key, text) in texts.iter().filter(|(key, text)| c.english()[*key] == **text) {
                // Names and bare placeholders are the same everywhere; two words in a row are not.
                let word = |w: &&str| *w != "ms" && w.chars().all(char::is_alphabetic);
                let two = text.split(' ').filter(word).count() > 1;
                assert!(!two, "{}/{language} {key}: {text}", c.folder);
            }
        }
    }
}

#[test]
fn texts_are_tidy_and_their_markup_is_closed() {
    let catalogues = all();
    for (place, _, text) in texts(&catalogues) {
        // Separators of lists end in a space; nothing else begins or ends with one.
        let list = place.ends_with(" number.list");
        assert!(list || text.trim() == text, "{place}: {text:?}");
        assert!(!text.contains("  ") && !text.contains(char::is_control), "{place}: {text:?}");
        let bare = text.replace("{{", "");
        assert_eq!(bare.matches('{').count(), bare.matches('}').count(), "{place}: {text}");
        assert_eq!(text.matches("[[").count(), text.matches("]]").count(), "{place}: {text}");
    }
}

#[test]
fn glossary_marks_point_at_a_term() {
    let catalogues = all();
    let common = named(&catalogues, "common");
    let mut marks = 0;
    for c in &catalogues {
        for (language, texts) in &c.languages {
            let has = |key: &str| texts.contains_key(key) || common.languages[language].contains_key(key);
            for (key, text) in texts {
                for piece in text.split("[[").skip(1) {
                    marks += 1;
                    let inner = piece.split_once("]]").map(|(inner, _)| inner);
                    let (term, shown) = inner.and_then(|i| i.split_once('|')).unwrap_or_default();
                    let known = ["name", "text"].iter().all(|part| has(&format!("term.{term}.{part}")));
                    assert!(known && !shown.is_empty(), "{}/{language} {key}: {piece}", c.folder);
                }
            }
        }
    }
    assert!(marks > 0);
}

#[test]
fn a_term_has_a_name_and_a_text() {
    let catalogues = all();
    for (place, key, _) in texts(&catalogues).filter(|(_, key, _)| key.starts_with("term.")) {
        assert!(key.ends_with(".name") || key.ends_with(".text"), "{place}");
    }
    for c in &catalogues {
        for key in c.english().keys().filter_map(|key| key.strip_suffix(".name")) {
            let term = key.starts_with("term.");
            assert!(!term || c.english().contains_key(&format!("{key}.text")), "{}: {key}", c.folder);
        }
    }
}

#[test]
fn no_lab_hides_a_word_that_every_page_needs() {
    let catalogues = all();
    let common = named(&catalogues, "common").english();
    for c in catalogues.iter().filter(|c| c.folder != "common") {
        let hidden: Vec<&String> = c.english().keys().filter(|key| common.contains_key(*key)).collect();
        assert!(hidden.is_empty(), "{}: {hidden:?} are in common too", c.folder);
    }
}

#[test]
fn what_labs_declare_has_words() {
    let catalogues = all();
    for lab in LABS {
        let own = named(&catalogues, lab.id).english();
        let missing: Vec<String> =
            required::keys(lab).into_iter().filter(|key| !own.contains_key(key)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", lab.id);
        assert!(named(&catalogues, "common").english().contains_key(lab.section.key()));
    }
}

fn walked(catalogues: &[Catalogue], lab: &'static LabSpec) -> Walk {
    let mut walk = Walk::new(lab, words_of(catalogues, lab));
    walk.go();
    walk
}

#[test]
fn what_labs_say_can_be_read_in_every_language_and_no_word_is_unused() {
    let catalogues = all();
    let source = sources::text();
    for lab in LABS {
        let own = named(&catalogues, lab.id).english();
        let walk = walked(&catalogues, lab);
        arguments::check(named(&catalogues, lab.id), &walk);
        let mut used = walk.keys;
        used.extend(required::keys(lab));
        let unused: Vec<&String> = own
            .keys()
            .filter(|key| !used.contains(*key) && !sources::mention(&source, key))
            .filter(|key| !required::is_misconception(key, |k| own.contains_key(k)))
            .collect();
        assert!(unused.is_empty(), "{}: {unused:?}", lab.id);
    }
}

#[test]
fn words_of_pages_are_used_by_a_page() {
    if !sources::has_page() {
        eprintln!("not checked: there is no web/src/lib.rs yet, so nothing uses the words of pages");
        return;
    }
    let (catalogues, source) = (all(), sources::text());
    for folder in ["class", "common", "home", "teach"] {
        let keys = named(&catalogues, folder).english().keys();
        let unused: Vec<&String> = keys.filter(|key| !sources::mention(&source, key)).collect();
        assert!(unused.is_empty(), "{folder}: {unused:?} stand in no source file");
    }
}

#[test]
fn the_long_language_keeps_every_placeholder_and_is_longer() {
    let catalogues = all();
    for (place, _, text) in texts(&catalogues) {
        let long = pseudo::double(text);
        assert_eq!(placeholders(&long), placeholders(text), "{place}");
        assert_eq!(long.matches("[[").count(), text.matches("[[").count(), "{place}");
        let letters = |s: &str| s.chars().filter(|c| c.is_alphabetic()).count();
        let marks: usize = placeholders(text).iter().map(String::len).sum();
        assert!(letters(text) <= marks || letters(&long) > letters(text), "{place}: {long}");
    }
}

#[test]
fn the_walk_would_see_a_raw_key() {
    assert_eq!(raw_key("<p class=\"lane style-1\">scene.skew</p>"), Some("scene.skew"));
    assert_eq!(raw_key("<circle cx=\"5.5\" r=\"4.4\"/>max − min 3."), None);
}
