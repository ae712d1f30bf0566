//! The catalogues as they lie in `locales/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) use tokenyard_lab::catalogue::Texts;
use tokenyard_lab::{LabSpec, Words, catalogue, pseudo};

/// One folder of `locales/`: its languages.
#[derive(Debug)]
pub(crate) struct Catalogue {
    pub(crate) folder: String,
    pub(crate) languages: BTreeMap<String, Texts>,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All catalogues, in the order of their names.
pub(crate) fn all() -> Vec<Catalogue> {
    let folders = entries(&root().join("locales"));
    folders.iter().filter(|path| path.is_dir()).map(|path| read(path)).collect()
}

/// Files and folders of a folder, in the order of their names.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
}

fn read(folder: &Path) -> Catalogue {
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let locales = root().join("locales");
    let languages = entries(folder).into_iter().map(|file| {
        assert!(file.extension().is_some_and(|e| e == "toml"), "{}", file.display());
        let texts = catalogue::read(&locales, &name(folder), &name(&file)).unwrap();
        (name(&file), texts)
    });
    Catalogue { folder: name(folder), languages: languages.collect() }
}

impl Catalogue {
    pub(crate) fn english(&self) -> &Texts {
        &self.languages["en"]
    }
}

pub(crate) fn named<'a>(catalogues: &'a [Catalogue], folder: &str) -> &'a Catalogue {
    catalogues.iter().find(|c| c.folder == folder).unwrap_or_else(|| panic!("no words for {folder}"))
}

/// The words of a lab's page in every language, and in the long one.
pub(crate) fn words_of(catalogues: &[Catalogue], lab: &LabSpec) -> Vec<(String, Words)> {
    let (common, own) = (named(catalogues, "common"), named(catalogues, lab.id));
    let merged = |language: &str| -> Words {
        let texts = common.languages[language].iter().chain(&own.languages[language]);
        texts.map(|(key, text)| (key.clone(), text.clone())).collect()
    };
    let mut words: Vec<(String, Words)> =
        own.languages.keys().map(|language| (language.clone(), merged(language))).collect();
    words.push((pseudo::LANGUAGE.to_owned(), pseudo::long(&merged("en"))));
    words
}
