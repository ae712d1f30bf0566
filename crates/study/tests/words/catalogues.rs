//! The catalogues as they lie in `locales/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tokenyard_lab::catalogue::{self, Texts};

/// The folder of all catalogues.
pub(crate) fn locales() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales")
}

/// Languages of a catalogue, by the names of its files.
pub(crate) fn languages(catalogue: &str) -> BTreeSet<String> {
    let files = std::fs::read_dir(locales().join(catalogue)).unwrap();
    files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// A catalogue in every language.
pub(crate) fn read(catalogue: &str) -> BTreeMap<String, Texts> {
    let of = |language: String| {
        let texts = catalogue::read(&locales(), catalogue, &language).unwrap();
        (language, texts)
    };
    languages(catalogue).into_iter().map(of).collect()
}

/// The English words of both catalogues, which share no key.
pub(crate) fn english() -> Texts {
    ["scenario", "rules"].into_iter().flat_map(|name| read(name).remove("en").unwrap()).collect()
}
