//! Names of files, which say what differs from the defaults.

use tokenyard_figure::Carried;
use tokenyard_lab::link::{self, State};
use tokenyard_lab::{LabSpec, labs};

const BEGIN: &str = "tokenyard-";
/// What stands behind the lab in the names of the two kinds of CSV.
pub(crate) const TABLE: &str = "-table";
pub(crate) const SERIES: &str = "-series";
/// The same for a figure that is not in light colours.
pub(crate) const DARK: &str = "-dark";

/// Between two settings; in a setting itself it is written `%2B`.
const BETWEEN: &str = "+";
/// In the place of settings that do not fit.
const MORE: &str = "+more";
/// Longest text of settings in a name: file systems take 255 bytes in all.
const LONGEST: usize = 120;

/// What the names of a lab's files begin with.
pub(crate) fn begin(lab: &LabSpec) -> String {
    format!("{BEGIN}{}", lab.id)
}

/// Settings and step as in a link, without the reader's guess.
pub(crate) fn settings(lab: &LabSpec, state: &State) -> String {
    let plain = State { guess: None, version: None, headline: None, ..state.clone() };
    let text = link::write(lab, &plain);
    match text.len() {
        0 => String::new(),
        length if length > LONGEST => MORE.to_owned(),
        _ => format!("{BETWEEN}{}", text.replace('&', BETWEEN)),
    }
}

/// The state that the name of a CSV of ours says; none if it was renamed or does not say everything.
/// A number in brackets that a browser puts at the end is passed over.
pub(crate) fn read(name: &str) -> Option<Carried> {
    let stem = name.strip_prefix(BEGIN)?.strip_suffix(".csv")?;
    let stem = stem.strip_suffix(')').and_then(numbered).unwrap_or(stem);
    let (what, settings) = stem.split_once(BETWEEN).unwrap_or((stem, ""));
    let id = what.strip_suffix(TABLE).or_else(|| what.strip_suffix(SERIES))?;
    let lab = labs::by_id(id)?;
    let fragment = settings.replace(BETWEEN, "&");
    let (_, notices) = link::read(lab, &fragment);
    notices.is_empty().then(|| Carried::linked("", id, &fragment).ok()).flatten()
}

/// The name without ` (2`.
fn numbered(name: &str) -> Option<&str> {
    let (name, number) = name.rsplit_once('(')?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then(|| name.trim_end())
}
