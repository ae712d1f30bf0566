//! Which catalogues a page needs, in every language.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tokenyard_lab::Words;
use tokenyard_lab::catalogue::{self, Texts};
use tokenyard_lab::labs::LABS;

use super::SiteError;
use crate::page::Kind;

/// The site's languages; the first one is the language of the files' first frame. Adding one is
/// its code here and one file in each catalogue.
pub const LANGUAGES: &[&str] = &["en", "ja"];

/// The catalogues of a folder, each read once.
#[derive(Clone, Debug)]
pub struct Catalogues {
    /// What every page needs, by language.
    common: Vec<(String, Texts)>,
    /// The others, by name; each by language, in the same order.
    others: BTreeMap<&'static str, Vec<Texts>>,
}

impl Catalogues {
    /// Reads the words of every page. What every page needs are the common words, and question and teaser
    /// of every lab.
    ///
    /// # Errors
    /// The first file that is missing or malformed.
    pub fn load(folder: &Path) -> Result<Self, SiteError> {
        let read = |name: &str| -> Result<Vec<Texts>, SiteError> {
            LANGUAGES.iter().map(|lang| catalogue::read(folder, name, lang).map_err(SiteError)).collect()
        };
        let mut others = BTreeMap::new();
        for name in Kind::all().iter().flat_map(|kind| kind.catalogues()) {
            if !others.contains_key(name) {
                others.insert(*name, read(name)?);
            }
        }
        let mut common = read("common")?;
        for lab in LABS {
            for (map, words) in common.iter_mut().zip(others.get(lab.id).into_iter().flatten()) {
                for key in ["question", "teaser"] {
                    let text = words.get(key).cloned().unwrap_or_default();
                    map.insert(format!("labs.{}.{key}", lab.id), text);
                }
            }
        }
        Ok(Self { common: LANGUAGES.iter().map(|l| (*l).to_owned()).zip(common).collect(), others })
    }

    /// Words of one page in every language.
    #[must_use]
    pub fn page(&self, kind: Kind) -> Vec<(String, Arc<Words>)> {
        // The home page shows one lab's scene, so it needs that lab's words under its own.
        let live = LABS.iter().find(|l| l.on_home && matches!(kind, Kind::Home)).map(|lab| lab.id);
        let one = |(i, (lang, common)): (usize, &(String, Texts))| {
            let mut words = common.clone();
            for name in live.iter().chain(kind.catalogues()) {
                words.extend(self.others.get(name).and_then(|all| all.get(i)).cloned().unwrap_or_default());
            }
            let words: Words = words.into_iter().collect();
            (lang.clone(), Arc::new(words))
        };
        self.common.iter().enumerate().map(one).collect()
    }
}
