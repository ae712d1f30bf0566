//! Lessons on paper: for each lesson and language a handout and the instructor's notes, as documents
//! that need no script and no other file. They are written for the site and for the workshop kit, which
//! differ in where links lead.

mod picture;
mod sheet;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tokenyard_lab::{Words, catalogue};
use tokenyard_lesson::{Facts, Lesson, handout, read, shipped};

use super::{LANGUAGES, SiteError, fail, lean, put};

pub(super) use sheet::document;

/// Of whose a sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sheet {
    /// What learners get.
    Handout,
    /// What the instructor has in hand.
    Notes,
}

impl Sheet {
    pub(super) const EACH: [Self; 2] = [Self::Handout, Self::Notes];

    /// Its name in addresses.
    fn id(self) -> &'static str {
        match self {
            Self::Handout => "handout",
            Self::Notes => "notes",
        }
    }

    /// Its name in words.
    pub(super) fn name(self, words: &Words) -> String {
        words.at(&[match self {
            Self::Handout => "paper.handout",
            Self::Notes => "paper.notes",
        }])
    }
}

/// Where sheets lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `teach/<lesson>/handout.<language>.html` of the site.
    Site,
    /// `handouts/<lesson>.<language>.html` and `notes/…` of the kit.
    Kit,
}

impl Place {
    /// The file of a sheet, from the root.
    pub(super) fn file(self, sheet: Sheet, lesson: &str, language: &str) -> String {
        match (self, sheet) {
            (Self::Site, _) => format!("teach/{lesson}/{}.{language}.html", sheet.id()),
            (Self::Kit, Sheet::Handout) => format!("handouts/{lesson}.{language}.html"),
            (Self::Kit, Sheet::Notes) => format!("notes/{lesson}.{language}.html"),
        }
    }

    /// The live lesson, from the root.
    pub(super) fn live(self, lesson: &str) -> String {
        match self {
            Self::Site => format!("teach/index.html#lesson={lesson}"),
            Self::Kit => format!("tokenyard.html#teach&lesson={lesson}"),
        }
    }

    /// From a sheet to the root.
    fn root(self) -> &'static str {
        match self {
            Self::Site => "../../",
            Self::Kit => "../",
        }
    }
}

/// All lessons that ship, with the words and the styles of what is written about them.
pub(super) struct Lessons {
    /// Text of each file, and the lesson in it, in the order in which they are listed.
    pub(super) files: Vec<(&'static str, Lesson)>,
    /// Words by language, and by lab: none, or one of those that lessons show.
    words: BTreeMap<(&'static str, Option<&'static str>), Words>,
    /// The style sheet of all sheets.
    pub(super) style: String,
}

impl Lessons {
    /// Words and styles are in the `project` folder.
    ///
    /// # Errors
    /// The first file that cannot be read; every fault of a lesson.
    pub(super) fn load(project: &Path) -> Result<Self, SiteError> {
        let locales = project.join("locales");
        let mut words = BTreeMap::new();
        let labs = tokenyard_lab::labs::LABS.iter().map(|lab| Some(lab.id));
        for lab in std::iter::once(None).chain(labs) {
            for language in LANGUAGES {
                let mut all = Vec::new();
                for name in ["common", "lesson", "workshop"].into_iter().chain(lab) {
                    all.extend(catalogue::read(&locales, name, language).map_err(SiteError)?);
                }
                words.insert((*language, lab), all.into_iter().collect());
            }
        }
        let styles = project.join("public/styles");
        let sheet = |name: &str| {
            let path = styles.join(name);
            fs::read_to_string(&path).map(|text| lean(&text)).map_err(|e| fail("reading", &path, e))
        };
        let style = sheet("tokens.css")? + &sheet("paper.css")?;
        let mut lessons = Self { files: Vec::new(), words, style };
        for (n, text) in (1..).zip(shipped::FILES) {
            let lesson = read(text).map_err(|faults| {
                let said: Vec<String> =
                    faults.iter().map(|fault| lessons.words(LANGUAGES[0], None).say(&fault.msg())).collect();
                SiteError(format!("understanding lesson {n} of those that ship: {}", said.join("; ")))
            })?;
            lessons.files.push((*text, lesson));
        }
        Ok(lessons)
    }

    /// Words in a language of the site, with those of a lab if one is named.
    pub(super) fn words(&self, language: &str, lab: Option<&str>) -> Words {
        let found = self.words.iter().find(|((of, with), _)| *of == language && *with == lab);
        found.map(|(_, words)| words.clone()).unwrap_or_default()
    }

    /// Languages that both the site and a lesson have, in the site's order.
    pub(super) fn languages(lesson: &Lesson) -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().copied().filter(|language| lesson.languages.iter().any(|own| own == language))
    }

    /// Every sheet with its file. Cost: the runs that the numbers of all lessons take, once.
    pub(super) fn sheets(&self, place: Place) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for (_, lesson) in &self.files {
            let mut facts = Facts::of(lesson);
            for language in Self::languages(lesson) {
                for sheet in Sheet::EACH {
                    let text = self.sheet(lesson, &mut facts, language, sheet, place);
                    all.push((place.file(sheet, &lesson.id, language), text));
                }
            }
        }
        all
    }

    fn sheet(
        &self,
        lesson: &Lesson,
        facts: &mut Facts<'_>,
        language: &'static str,
        sheet: Sheet,
        place: Place,
    ) -> String {
        let words_of = |lab: Option<&str>| self.words(language, lab);
        let at = lesson.language(language);
        let outline = handout::outline(lesson, facts, at, &words_of, sheet == Sheet::Notes);
        let body = handout::html(&outline, &mut |step| picture::of(lesson, step, &words_of));
        let title = facts.fill(lesson.title.at(at), &words_of(None));
        sheet::around(self, lesson, &title, language, sheet, place, &body)
    }
}

/// Writes all sheets into the site in `out`.
///
/// # Errors
/// What [`Lessons::load`] says, and the first file that cannot be written.
pub(super) fn write(out: &Path, project: &Path) -> Result<usize, SiteError> {
    let sheets = Lessons::load(project)?.sheets(Place::Site);
    for (file, text) in &sheets {
        put(&out.join(file), text)?;
    }
    Ok(sheets.len())
}

#[cfg(test)]
mod tests;
