//! The word catalogues, built into the program.

use tokenyard_lab::{Words, catalogue};

use crate::find;
use crate::refusal::{Refusal, shown};

/// Catalogue, language, text of the file.
const CATALOGUES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/catalogues.rs"));

/// All languages, as the common catalogue has them.
pub(crate) fn languages() -> Vec<&'static str> {
    CATALOGUES.iter().filter(|(name, ..)| *name == "common").map(|(_, language, _)| *language).collect()
}

/// The language in which the command line itself speaks, by the name that it has for itself.
pub(crate) fn default() -> &'static str {
    let english = |text: &str| text.lines().any(|line| line == "language = \"English\"");
    let found = CATALOGUES.iter().find(|(name, _, text)| *name == "common" && english(text));
    found.map_or("", |(_, language, _)| language)
}

/// A catalogue in the command line's own language; empty if there is none of that name.
pub(crate) fn text(catalogue: &str) -> &'static str {
    let own = default();
    let found = CATALOGUES.iter().find(|(name, language, _)| *name == catalogue && *language == own);
    found.map_or("", |(_, _, text)| text)
}

/// The words of a lab's page: the common catalogue and its own.
pub(crate) fn of(lab: &str, language: &str) -> Result<Words, Refusal> {
    with(&["common", lab], language)
}

/// The words of several catalogues in a language.
pub(crate) fn with(names: &[&str], language: &str) -> Result<Words, Refusal> {
    let languages = languages();
    if !languages.contains(&language) {
        return Err(Refusal::new(format!(
            "--lang is {}; allowed: {}{}",
            shown(language),
            languages.join(", "),
            find::hint(language, &languages, "")
        )));
    }
    collect(language, names)
}

/// The words of every page, in the command line's own language.
pub(crate) fn common() -> Result<Words, Refusal> {
    collect(default(), &["common"])
}

fn collect(language: &str, names: &[&str]) -> Result<Words, Refusal> {
    let mut words = Vec::new();
    for (name, _, text) in CATALOGUES.iter().filter(|(name, l, _)| *l == language && names.contains(name)) {
        let read = catalogue::parse(text);
        words.push(read.map_err(|error| Refusal::new(format!("words of {name}: {error}")))?);
    }
    Ok(words.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lab::labs::LABS;

    #[test]
    fn every_lab_has_its_words_in_every_language() {
        assert!(languages().contains(&default()) && languages().len() > 1);
        for (lab, language) in LABS.iter().flat_map(|lab| languages().into_iter().map(|l| (lab.id, l))) {
            let words = of(lab, language).unwrap();
            assert!(words.has("title") && words.get("shot.language") == language, "{lab} {language}");
        }
        assert!(of(LABS[0].id, "xx").unwrap_err().to_string().contains(default()));
    }
}
