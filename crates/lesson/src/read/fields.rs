//! Fields of one section, taken one by one; what nobody takes is unknown.

use std::ops::RangeInclusive;

use tokenyard_lab::{Msg, msg};

use super::Limit;
use crate::fault::{Faults, Line};
use crate::fleet;
use crate::model::{Fleet, Text};
use crate::place::Place;
use crate::prose;
use crate::toml::{Entry, Section, Value};

/// The format that this crate writes.
const FORMAT: i64 = 1;
/// Longest identifier.
const MAX_ID: usize = 40;
/// Most languages.
const MAX_LANGUAGES: usize = 12;

pub(super) struct Fields<'a> {
    line: Line,
    place: &'a str,
    entries: Vec<Entry>,
    languages: &'a [String],
    pub(super) faults: &'a mut Faults,
}

/// The languages of a lesson. If their list cannot be used, those that texts have, so that one fault
/// does not become a hundred.
pub(super) fn languages(sections: &[Section], faults: &mut Faults) -> Vec<String> {
    let head = sections.first().map_or(&[][..], |section| &section.entries);
    let listed = head.iter().find(|entry| entry.key == "languages");
    let code = |text: &String| {
        let parts = text
            .split('-')
            .all(|p| (2..=8).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_alphanumeric()));
        parts && text.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let repeated = |all: &[String]| all.iter().enumerate().any(|(i, l)| all[..i].contains(l));
    if let Some(Entry { value: Value::List(all), .. }) = listed
        && (1..=MAX_LANGUAGES).contains(&all.len())
        && all.iter().all(code)
        && !repeated(all)
    {
        return all.clone();
    }
    let line = listed.map_or(Line(1), |entry| entry.line);
    faults.add(line, "languages", "", msg("fault.languages").with("most", MAX_LANGUAGES));
    let mut used: Vec<String> = Vec::new();
    for language in sections.iter().flat_map(|s| &s.entries).filter_map(|entry| entry.language.clone()) {
        if !used.contains(&language) && used.len() < MAX_LANGUAGES {
            used.push(language);
        }
    }
    used
}

/// The identifier of a section's step, if it has one that can be shown.
pub(super) fn name(section: &Section) -> Option<String> {
    section.entries.iter().find_map(|entry| match &entry.value {
        Value::Text(id) if entry.key == "id" && plain(id) => Some(id.clone()),
        _ => None,
    })
}

fn plain(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

impl<'a> Fields<'a> {
    /// Of a section; fields are named after `place`. A field that is given twice is a fault here.
    pub(super) fn of(
        section: Option<Section>,
        place: &'a str,
        languages: &'a [String],
        faults: &'a mut Faults,
    ) -> Self {
        let (line, entries) = section.map_or((Line(1), Vec::new()), |s| (s.line, s.entries));
        let mut fields = Self { line, place, entries: Vec::new(), languages, faults };
        for entry in entries {
            let same = |e: &&Entry| e.key == entry.key && e.language == entry.language;
            match fields.entries.iter().find(same).map(|e| e.line) {
                Some(first) => {
                    let why = msg("fault.twice").with("first", first.0);
                    fields.fault(entry.line, &full(&entry.key, entry.language.as_deref()), "", why);
                }
                None => fields.entries.push(entry),
            }
        }
        fields
    }

    /// Adds a fault of a field.
    pub(super) fn fault(&mut self, line: Line, key: &str, given: &str, why: Msg) {
        let dot = if self.place.is_empty() { "" } else { "." };
        self.faults.add(line, &format!("{}{dot}{key}", self.place), given, why);
    }

    /// Where a field stands, or the section if it is missing.
    pub(super) fn line_of(&self, key: &str) -> Line {
        self.entries.iter().find(|e| e.key == key).map_or(self.line, |e| e.line)
    }

    fn take(&mut self, key: &str, language: Option<&str>) -> Option<Entry> {
        let at = self.entries.iter().position(|e| e.key == key && e.language.as_deref() == language)?;
        Some(self.entries.remove(at))
    }

    fn missing(&mut self, key: &str) {
        self.fault(self.line, key, "", msg("fault.missing"));
    }

    /// A word: a text in one language only.
    pub(super) fn word(&mut self, key: &str) -> Option<(Line, String)> {
        let entry = self.take(key, None)?;
        match entry.value {
            Value::Text(text) => Some((entry.line, text)),
            _ => {
                self.fault(entry.line, key, "", msg("fault.not-text"));
                None
            }
        }
    }

    /// As [`Fields::word`]; its absence is a fault.
    pub(super) fn word_needed(&mut self, key: &str) -> Option<(Line, String)> {
        if !self.entries.iter().any(|e| e.key == key && e.language.is_none()) {
            self.missing(key);
        }
        self.word(key)
    }

    /// A list of words; empty if there is none.
    pub(super) fn list(&mut self, key: &str) -> (Line, Vec<String>) {
        match self.take(key, None) {
            None => (self.line, Vec::new()),
            Some(Entry { line, value: Value::List(items), .. }) => (line, items),
            Some(entry) => {
                self.fault(entry.line, key, "", msg("fault.not-list"));
                (entry.line, Vec::new())
            }
        }
    }

    pub(super) fn format(&mut self) {
        let Some(entry) = self.take("format", None) else { return self.missing("format") };
        if entry.value != Value::Number(FORMAT) {
            self.fault(entry.line, "format", &shown(&entry.value), msg("fault.format").with("own", FORMAT));
        }
    }

    pub(super) fn id(&mut self) -> String {
        let Some((line, id)) = self.word_needed("id") else { return String::new() };
        if !plain(&id) {
            self.fault(line, "id", &id, msg("fault.id").with("most", MAX_ID));
        }
        id
    }

    /// A number within a range.
    pub(super) fn number(&mut self, key: &str, range: RangeInclusive<i64>) -> u32 {
        let Some(entry) = self.take(key, None) else {
            self.missing(key);
            return 0;
        };
        match entry.value {
            Value::Number(n) if range.contains(&n) => u32::try_from(n).unwrap_or(0),
            value => {
                let why = msg("fault.number").with("least", *range.start()).with("most", *range.end());
                self.fault(entry.line, key, &shown(&value), why);
                0
            }
        }
    }

    /// The state of a step, if it has one.
    pub(super) fn state(&mut self) -> Option<Place> {
        let (line, text) = self.word("state")?;
        match Place::read(&text) {
            Ok(place) => Some(place),
            Err(why) => {
                why.into_iter().for_each(|why| self.fault(line, "state", &text, why));
                None
            }
        }
    }

    /// The fleet page of a step, if it has one, which then has no lab.
    pub(super) fn fleet(&mut self, has_lab: bool) -> Option<Fleet> {
        let (line, text) = self.word("fleet")?;
        if has_lab {
            self.fault(line, "fleet", &text, msg("fault.fleet-state"));
        }
        match fleet::read(&text) {
            Ok(fragment) => Some(Fleet { fragment, line }),
            Err(why) => {
                self.fault(line, "fleet", &text, why);
                None
            }
        }
    }

    /// A text in every language.
    pub(super) fn text(&mut self, key: &str, limit: Limit) -> Text {
        if let Some(entry) = self.take(key, None) {
            let example: Vec<String> = self.languages.iter().map(|l| full(key, Some(l))).collect();
            let why = msg("fault.no-language").with("allowed", example.join(", "));
            self.fault(entry.line, key, "", why);
            return Text::default();
        }
        self.text_if(key, limit).unwrap_or_else(|| {
            self.missing(key);
            Text::default()
        })
    }

    /// A text in every language, or in none.
    pub(super) fn text_if(&mut self, key: &str, limit: Limit) -> Option<Text> {
        let mut text = Text::default();
        let there = self.entries.iter().find(|e| e.key == key && e.language.is_some())?.line;
        for language in self.languages {
            let name = full(key, Some(language));
            let Some(entry) = self.take(key, Some(language)) else {
                self.fault(there, &name, "", msg("fault.untranslated"));
                continue;
            };
            match entry.value {
                Value::Text(words) => {
                    self.wide(entry.line, &name, &words, limit);
                    text.by.push(words);
                    text.lines.push(entry.line);
                }
                _ => self.fault(entry.line, &name, "", msg("fault.not-text")),
            }
        }
        Some(text)
    }

    fn wide(&mut self, line: Line, name: &str, words: &str, limit: Limit) {
        let width = prose::width(words);
        if words.is_empty() {
            self.fault(line, name, "", msg("fault.blank"));
        } else if width > limit.0 {
            let why = msg("fault.wide").with("n", width).with("most", limit.0);
            self.fault(line, name, words, why);
        }
    }

    /// As many texts as hints are given, in every language.
    pub(super) fn hints(&mut self) -> [Text; 3] {
        let mut hints = [Text::default(), Text::default(), Text::default()];
        for language in self.languages {
            let name = full("hints", Some(language));
            match self.take("hints", Some(language)) {
                Some(Entry { line, value: Value::List(all), .. }) if all.len() == hints.len() => {
                    for (hint, words) in hints.iter_mut().zip(all) {
                        self.wide(line, &name, &words, Limit::SHORT);
                        hint.by.push(words);
                        hint.lines.push(line);
                    }
                }
                Some(entry) => self.fault(entry.line, &name, &shown(&entry.value), msg("fault.hints")),
                None => self.fault(self.line, &name, "", msg("fault.hints")),
            }
        }
        hints
    }

    /// Names what nobody took; `known` are the fields that exist.
    pub(super) fn finish(mut self, known: &[&str]) {
        for entry in std::mem::take(&mut self.entries) {
            let name = full(&entry.key, entry.language.as_deref());
            let why = match (&entry.language, known.contains(&entry.key.as_str())) {
                (Some(_), true) => msg("fault.language").with("allowed", self.languages.join(", ")),
                (None, true) if entry.key == "languages" => continue,
                _ => msg("fault.unknown").with("allowed", known.join(", ")),
            };
            self.fault(entry.line, &name, "", why);
        }
    }
}

fn full(key: &str, language: Option<&str>) -> String {
    language.map_or_else(|| key.to_owned(), |language| format!("{key}.{language}"))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Number(n) => n.to_string(),
        Value::List(items) => items.join(", "),
    }
}
