//! Message catalogues: TOML tables flattened to dotted keys.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokenyard_lab::Words;
use tokenyard_lab::labs::LABS;

use super::{SiteError, fail};
use crate::page::Kind;

/// The site's languages; the first one is the language of the files' first frame. Adding one is
/// its code here and one file in each catalogue.
pub const LANGUAGES: &[&str] = &["en", "ja"];

type Map = BTreeMap<String, String>;

/// All catalogues of a folder.
#[derive(Clone, Debug)]
pub struct Catalogues {
    folder: PathBuf,
    common: Vec<(String, Map)>,
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
        let one = |(lang, common): &(String, Map)| {
            let mut words = common.clone();
            if let Some(lab) = live {
                words.extend(read(&self.folder, lab.id, lang)?);
            }
            words.extend(read(&self.folder, kind.catalogue(), lang)?);
            let words: Words = words.into_iter().collect();
            Ok((lang.clone(), Arc::new(words)))
        };
        self.common.iter().map(one).collect()
    }
}

fn read(folder: &Path, catalogue: &str, lang: &str) -> Result<Map, SiteError> {
    let path = folder.join(catalogue).join(format!("{lang}.toml"));
    let text = fs::read_to_string(&path).map_err(|e| fail("reading", &path, e))?;
    let table: toml::Table = text.parse().map_err(|e| fail("understanding", &path, e))?;
    let mut map = Map::new();
    flatten("", &table, &mut map);
    Ok(map)
}

fn flatten(prefix: &str, table: &toml::Table, out: &mut Map) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, out),
            toml::Value::String(text) => {
                out.insert(key, text.clone());
            }
            other => {
                out.insert(key, other.to_string());
            }
        }
    }
}
