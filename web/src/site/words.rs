//! Which catalogues a page needs, in every language.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokenyard_lab::Words;
use tokenyard_lab::catalogue::{self, Texts};
use tokenyard_lab::labs::LABS;

use super::SiteError;
use crate::page::Kind;

/// The site's languages; the first one is the language of the files' first frame. Adding one is
/// its code here and one file in each catalogue.
pub const LANGUAGES: &[&str] = &["en", "ja"];

/// All catalogues of a folder.
#[derive(Clone, Debug)]
pub struct Catalogues {
    folder: PathBuf,
    common: Vec<(String, Texts)>,
}

impl Catalogues {
    /// Reads what every page needs: the common words, and title, question and teaser of every lab.
    ///
    /// # Errors
    /// The first file that is missing or malformed.
    pub fn load(folder: &Path) -> Result<Self, SiteError> {
        let mut common = Vec::new();
        for lang in LANGUAGES {
            let mut map = read(folder, "common", lang)?;
            for lab in LABS {
                let words = read(folder, lab.id, lang)?;
                for key in ["title", "question", "teaser"] {
                    let text = words.get(key).cloned().unwrap_or_default();
                    map.insert(format!("labs.{}.{key}", lab.id), text);
                }
            }
            common.push(((*lang).to_owned(), map));
        }
        Ok(Self { folder: folder.to_owned(), common })
    }

    /// Words of one page in every language.
    ///
    /// # Errors
    /// A catalogue that is missing or malformed.
    pub fn page(&self, kind: Kind) -> Result<Vec<(String, Arc<Words>)>, SiteError> {
        // The home page shows one lab's scene, so it needs that lab's words under its own.
        let live = LABS.iter().find(|l| l.on_home && matches!(kind, Kind::Home));
        let one = |(lang, common): &(String, Texts)| {
            let mut words = common.clone();
            if let Some(lab) = live {
                words.extend(read(&self.folder, lab.id, lang)?);
            }
            for catalogue in kind.catalogues() {
                words.extend(read(&self.folder, catalogue, lang)?);
            }
            let words: Words = words.into_iter().collect();
            Ok((lang.clone(), Arc::new(words)))
        };
        self.common.iter().map(one).collect()
    }
}

fn read(folder: &Path, catalogue: &str, lang: &str) -> Result<Texts, SiteError> {
    catalogue::read(folder, catalogue, lang).map_err(SiteError)
}
