//! Golden files of one lab in both languages; the laws beside them are in the other files here.

use std::path::Path;

use tokenyard_lab::labs::by_id;
use tokenyard_lab::link;

use super::states::words;
use super::{Source, write};
use crate::Export;

/// `UPDATE_GOLDEN=1` writes them.
#[test]
fn exports_match_their_golden_files() {
    let lab = by_id("herding").unwrap();
    let (state, notices) = link::read(lab, "interval=5&seed=7&fork=41&then.interval=1&step=28&guess=4");
    assert!(notices.is_empty(), "{notices:?}");
    for (language, site) in [("en", Some("https://example.org/tokenyard/")), ("ja", None)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(language);
        let words = words(lab, language);
        for export in Export::ALL {
            let source = Source { lab, state: &state, words: &words, site, sweep: &[] };
            let now = write(export, &source).unwrap();
            let path = folder.join(export.file_name(lab, &link::State::fresh(lab)));
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &now).unwrap();
            }
            let golden = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(golden == now, "{} differs: look at it, then UPDATE_GOLDEN=1", path.display());
        }
    }
}
