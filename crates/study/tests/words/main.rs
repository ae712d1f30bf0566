//! Words of the fleet page's data: the catalogues `scenario` and `rules` hold a word for everything
//! that scenarios and rules declare, in every language, and nothing else.

#[cfg(test)]
mod catalogues;
#[cfg(test)]
mod wanted;

use std::collections::{BTreeMap, BTreeSet};

use catalogues::{english, languages, locales, read};
use tokenyard_fleet::presets::PRESETS;
use tokenyard_lab::catalogue::Texts;
use tokenyard_lab::words::placeholders;
use tokenyard_policy::rules::RULES;
use wanted::Wanted;

/// Widest name of a parameter, an option or a rule, in columns: a letter of Japanese takes two.
const NAME: usize = 40;
/// Widest short name of a rule, which stands beside a line in a chart.
const SHORT: usize = 12;
/// Widest unit and widest head of a column.
const UNIT: usize = 28;

/// Widest part of a sentence that says what was compared.
const PHRASE: usize = 80;

/// Texts that are names, and so the same in every language; those of presets come on top.
const PROPER: [&str; 8] = ["Dynamo", "Ray", "Retry-After", "SGLang", "SMG", "%", "‰", ""];

/// Shows both catalogues in every language, with what must be in them.
fn each(visit: impl Fn(&str, &str, &Texts, &Wanted)) {
    for (name, wanted) in [("scenario", wanted::scenario()), ("rules", wanted::rules())] {
        for (language, texts) in &read(name) {
            visit(&format!("{name}/{language}"), language, texts, &wanted);
        }
    }
}

/// The last part of a key that has no id of a preset in it.
fn part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

fn is_sentence(key: &str) -> bool {
    key.starts_with("why.") || ["help", "compares", "text"].contains(&part(key))
}

#[test]
fn everything_declared_has_its_words_and_no_word_is_left_over() {
    for name in ["scenario", "rules"] {
        assert_eq!(languages(name), languages("common"), "{name}");
    }
    each(|place, _, texts, wanted| {
        let missing: Vec<_> = wanted.keys.keys().filter(|key| !texts.contains_key(*key)).collect();
        let extra: Vec<_> = texts.keys().filter(|key| !wanted.keys.contains_key(*key)).collect();
        assert!(missing.is_empty() && extra.is_empty(), "{place} lacks {missing:?}; unused {extra:?}");
    });
}

/// Sentences tell all that they are given; a unit may bend with its number, in all languages or in
/// none; nothing but a unit is empty.
#[test]
fn words_tell_what_they_are_given() {
    let english = english();
    each(|place, _, texts, wanted| {
        for (key, text) in texts {
            let (told, unit) = (placeholders(text), part(key) == "unit");
            let fits = told == wanted.keys[key] || (unit && told.is_empty());
            assert!(fits, "{place} {key} tells {told:?} of {:?}", wanted.keys[key]);
            assert!(unit || !text.is_empty(), "{place} {key} is empty");
            let own = &english[key];
            assert_eq!((told, text.is_empty()), (placeholders(own), own.is_empty()), "{place} {key}");
        }
    });
}

/// Columns of a text on screen: letters of East Asia are twice as wide as others.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum()
}

#[test]
fn names_fit_where_they_stand() {
    each(|place, _, texts, _| {
        for (key, text) in texts.iter().filter(|(key, _)| !is_sentence(key)) {
            let most = match part(key) {
                "short" if !key.contains(".param.") => SHORT,
                "unit" => UNIT,
                _ if key.contains(".term.") => UNIT,
                _ if key.starts_with("by.") => PHRASE,
                _ => NAME,
            };
            // Of a unit that bends, both forms together with their marks.
            assert!(width(text) <= most, "{place} {key}: {text} is {} wide, at most {most}", width(text));
        }
    });
}

#[test]
fn names_side_by_side_differ() {
    each(|place, _, texts, wanted| {
        for list in &wanted.lists {
            let names: BTreeSet<&str> = list.iter().map(|key| texts[key].as_str()).collect();
            assert_eq!(names.len(), list.len(), "{place}: {names:?} are the names of {list:?}");
        }
    });
}

#[test]
fn presets_keep_their_names() {
    for (language, texts) in read("scenario") {
        for preset in &PRESETS {
            assert_eq!(texts[&format!("param.fleet.preset.{}", preset.id)], preset.name, "{language}");
        }
    }
}

/// A rule that takes over another one's parameters says the same of them.
#[test]
fn one_table_has_one_set_of_words() {
    let pairs = || RULES.iter().flat_map(|a| RULES.iter().map(move |b| (a, b))).filter(|(a, b)| a.id < b.id);
    let twins: Vec<_> = pairs().filter(|(a, b)| a.params == b.params && !a.params.is_empty()).collect();
    assert!(!twins.is_empty());
    for (language, texts) in read("rules") {
        for (a, b) in &twins {
            let of = |id: &str| -> BTreeMap<&str, &String> {
                let start = format!("rule.{id}.param.");
                texts.iter().filter_map(|(key, text)| Some((key.strip_prefix(&start)?, text))).collect()
            };
            assert_eq!(of(a.id), of(b.id), "{language}: {} and {}", a.id, b.id);
        }
    }
}

#[test]
fn sentences_end_as_sentences_and_names_do_not() {
    each(|place, language, texts, _| {
        for (key, text) in texts {
            let full = text.ends_with(if language == "ja" { '。' } else { '.' });
            // A short name may be cut: "least out."
            let fits = full == is_sentence(key) || (part(key) == "short" && !text.ends_with('。'));
            assert!(fits, "{place} {key}: {text}");
        }
    });
}

/// Whether a text has a letter of Japanese.
fn is_japanese(text: &str) -> bool {
    text.chars().any(|c| ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// Two words of English in a row. Names begin with capitals, and formulas have signs between letters.
fn has_english(text: &str) -> bool {
    let plain = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    let mut runs = text.split(|c: char| !c.is_ascii_alphabetic() && c != ' ');
    runs.any(|run| run.split(' ').filter(plain).count() > 1)
}

#[test]
fn nothing_is_left_in_english() {
    let english = english();
    let proper: BTreeSet<&str> = PROPER.into_iter().chain(PRESETS.iter().map(|p| p.name)).collect();
    each(|place, language, texts, _| {
        let translated = texts.iter().filter(|(_, text)| language != "en" && !proper.contains(text.as_str()));
        for (key, text) in translated {
            let copied = english[key] == *text;
            let japanese = is_japanese(text) && !has_english(text);
            assert!(!copied && (language != "ja" || japanese), "{place} {key}: {text}");
        }
    });
}

#[test]
fn english_in_japanese_would_be_seen() {
    assert!(has_english("レプリカ takes the least loaded"));
    assert!(!has_english("Ray Serve KV認識") && !has_english("e^(−x/T)に比例する確率"));
    assert!(is_japanese("木") && is_japanese("プ") && !is_japanese("Queue"));
}

/// The page has the words of all of these at once; that of the page itself may not be there yet.
#[test]
fn no_catalogue_of_the_page_hides_a_word_of_another() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let page = ["common", "scenario", "rules", "fleet", "reports"];
    for name in page.into_iter().filter(|name| locales().join(name).is_dir()) {
        for key in read(name)["en"].keys() {
            let other = seen.insert(key.clone(), name);
            assert!(other.is_none(), "{key} is in {name} and in {other:?}");
        }
    }
}
