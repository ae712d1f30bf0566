//! Links of ours in a text that anybody wrote.

use tokenyard_figure::Carried;
use tokenyard_lab::labs;
use tokenyard_lab::link::MAX_CHARS;

use super::Opened;

/// Longest address that is looked at: a fragment of the longest kind and what stands before it.
const LONGEST: usize = MAX_CHARS + 400;

/// More different links than that are not told apart.
const MOST: usize = 8;

/// The different links of a text in their order, at most [`MOST`]. Equal states are one link, wherever
/// their pages are.
pub(super) fn all(text: &str) -> Vec<Opened<'static>> {
    let mut found = Vec::new();
    for word in text.split(|c: char| !in_address(c)).filter(|word| word.len() <= LONGEST) {
        let Some(link) = link(word).filter(|link| !found.contains(link)) else { continue };
        found.push(link);
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// Characters of our addresses; brackets and quotation marks stand around them.
fn in_address(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~,=&%+;/:?@#!".contains(c)
}

fn link(word: &str) -> Option<Opened<'static>> {
    if let Some((lab, fragment)) = lab_of(word).filter(|(lab, _)| labs::by_id(lab).is_some()) {
        return Carried::linked("", &lab, &fragment).ok().map(Opened::Lab);
    }
    let (path, fragment) = parts(word)?;
    let is_study = folders(path).next_back() == Some("fleet") && fragment.contains('=');
    is_study.then_some(Opened::Study(fragment))
}

/// Lab and fragment of a link: `…labs/<lab>/#…`, `…embed/<lab>/?…#…`, or `…#lab=<lab>&…` of the single
/// file.
pub(super) fn lab_of(link: &str) -> Option<(String, String)> {
    let (path, fragment) = parts(link)?;
    let mut settings: Vec<&str> = fragment.split('&').collect();
    if let Some(at) = settings.iter().position(|setting| setting.starts_with("lab=")) {
        let lab = settings.remove(at).trim_start_matches("lab=").to_owned();
        return Some((lab, settings.join("&")));
    }
    let mut folders = folders(path);
    let (lab, folder) = (folders.next_back()?, folders.next_back()?);
    matches!(folder, "labs" | "embed").then(|| (lab.to_owned(), fragment))
}

/// Path and fragment. A fragment in HTML has its `&` written out, and one in a sentence may have the
/// end of the sentence behind it.
fn parts(link: &str) -> Option<(&str, String)> {
    let (place, fragment) = link.split_once('#')?;
    let path = place.split('?').next().unwrap_or(place);
    Some((path, fragment.replace("&amp;", "&").trim_end_matches(['.', ',', ';', ':', '!', '?']).to_owned()))
}

fn folders(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|folder| !folder.is_empty() && *folder != "index.html")
}
