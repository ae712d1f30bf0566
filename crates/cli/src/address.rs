//! The parts of a shared address that say what to run: the lab and the fragment.
//!
//! Every form that a page or a figure has: a whole URL, the part from `labs/…`, `embed/…` or `p/…` on, the
//! lab's name alone (`<id>#seed=7`), the form of the single file, whose fragment names the lab itself
//! (`#lab=<id>&seed=7`), and the line that a figure carries. Host, leading path and query say nothing about
//! a run and are passed over.

use tokenyard_lab::LabSpec;
use tokenyard_lab::labs;
use tokenyard_lab::link::{self, State, decode};

use crate::find;
use crate::refusal::{Refusal, shown};

/// What an address names.
#[derive(Debug)]
pub(crate) struct Target {
    /// The lab.
    pub(crate) lab: &'static LabSpec,
    /// Everything after the `#`, without the lab's name.
    pub(crate) fragment: String,
}

/// Takes an address apart.
pub(crate) fn read(address: &str) -> Result<Target, Refusal> {
    let address = of_figure(address.trim());
    let bare = address.starts_with("lab=");
    let (place, fragment) =
        if bare { ("", address) } else { address.split_once('#').unwrap_or((address, "")) };
    let path = place.split_once('?').map_or(place, |(path, _)| path);
    let (named, rest) = without_lab(fragment);
    match (in_path(path), named) {
        (Some(Page { id, tail: None, .. }), Some(named)) if id == named => {
            Ok(Target { lab: find::lab(&id)?, fragment: rest })
        }
        (Some(Page { id, tail: None, state }), None) => {
            // A preset's page says its state itself, until somebody changes something there.
            let fragment = if fragment.is_empty() { state } else { fragment.to_owned() };
            Ok(Target { lab: find::lab(&id)?, fragment })
        }
        (Some(Page { id, tail: None, .. }), Some(named)) if find::ids().contains(&id.as_str()) => {
            let (id, named) = (shown(&id), shown(&named));
            Err(Refusal::new(format!("the address names two labs, {id} in its path and {named} after #lab=")))
        }
        // The single file may lie in a folder that happens to be called labs.
        (_, Some(named)) => Ok(Target { lab: find::lab(&named)?, fragment: rest }),
        (Some(Page { tail: Some(tail), .. }), None) => Err(Refusal::new(format!(
            "the address goes on after its lab with {}; allowed: index.html or nothing, then # and settings",
            shown(&tail)
        ))),
        (None, None) if find::ids().contains(&path) => {
            Ok(Target { lab: find::lab(path)?, fragment: fragment.to_owned() })
        }
        (None, None) => Err(Refusal::new(format!(
            "{} names no lab; allowed: labs/<id>/#… or #lab=<id>&…; labs: {}",
            if address.is_empty() { "an empty address".to_owned() } else { shown(address) },
            find::ids().join(", ")
        ))),
    }
}

/// The link in the line that a figure carries, or the address as it is.
fn of_figure(address: &str) -> &str {
    let link = address.strip_prefix("tokenyard ").and_then(|line| line.splitn(3, "; ").nth(2));
    link.unwrap_or(address)
}

/// A lab's page in a path, and what follows it if that is not its own file.
struct Page {
    id: String,
    tail: Option<String>,
    /// What its address says without a fragment.
    state: String,
}

/// The last segment of a kind of page with a name after it.
fn in_path(path: &str) -> Option<Page> {
    let segments: Vec<&str> = path.split(['/', '\\']).collect();
    let page = |at: usize| {
        let name = segments.get(at + 1).filter(|name| !name.is_empty())?;
        let name = decode(name).unwrap_or_else(|| (*name).to_owned());
        let (id, state) = match segments[at] {
            "labs" | "embed" => (name, String::new()),
            "p" => {
                let (lab, preset) = labs::preset(&name)?;
                (lab.id.to_owned(), link::write(lab, &State::at(lab, preset)))
            }
            _ => return None,
        };
        let tail = segments[at + 2..].iter().find(|s| !s.is_empty() && **s != "index.html");
        Some(Page { id, tail: tail.map(|s| (*s).to_owned()), state })
    };
    (0..segments.len()).rev().find_map(page)
}

/// The first `lab` of a fragment, and the fragment without it.
fn without_lab(fragment: &str) -> (Option<String>, String) {
    let mut parts: Vec<&str> = fragment.split('&').collect();
    let Some(at) = parts.iter().position(|part| part.starts_with("lab=")) else {
        return (None, fragment.to_owned());
    };
    let given = parts.remove(at).trim_start_matches("lab=");
    (Some(decode(given).unwrap_or_else(|| given.to_owned())), parts.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenyard_lab::labs::LABS;

    #[test]
    fn every_form_of_an_address_names_its_lab_and_fragment() {
        let id = LABS[0].id;
        for form in [
            "https://example.org/labs/ID/#seed=7",
            "https://example.org/deep/labs/er/labs/ID/index.html?lang=ja&ui=bare#seed=7",
            "http://localhost:8080/labs/ID#seed=7",
            "file:///C:/site/labs/ID/index.html#seed=7",
            "labs/ID/#seed=7",
            "/labs/ID/index.html#seed=7",
            "  ./labs/ID/?theme=dark#seed=7\n",
            "ID#seed=7",
            "#lab=ID&seed=7",
            "lab=ID&seed=7",
            "#seed=7&lab=ID",
            "file:///tmp/tokenyard.html#lab=ID&seed=7",
            "file:///home/labs/it/tokenyard.html?x#lab=ID&seed=7",
            "labs/ID/#lab=ID&seed=7",
            "embed/ID/?ui=player&controls=none#seed=7",
            "https://example.org/p/embed/ID/index.html?lang=ja#seed=7",
            "https://example.org/p/tokenyard.html?ui=lab#lab=ID&seed=7",
            "tokenyard 1; product 0.1.0; labs/ID/#seed=7",
        ] {
            let target = read(&form.replace("ID", id)).unwrap();
            assert_eq!((target.lab.id, target.fragment.as_str()), (id, "seed=7"), "{form}");
        }
    }

    #[test]
    fn a_presets_page_says_its_state_until_somebody_changes_it() {
        for lab in LABS {
            for preset in lab.presets {
                let page = format!("https://example.org/p/{}-{}", lab.id, preset.key);
                for end in ["", "/", "/index.html", "/?lang=ja", "/#"] {
                    let target = read(&format!("{page}{end}")).unwrap();
                    let (state, notices) = link::read(target.lab, &target.fragment);
                    assert_eq!((target.lab.id, notices), (lab.id, vec![]), "{page}{end}");
                    assert_eq!(state.setup, lab.with(preset.set), "{page}{end}");
                }
                let target = read(&format!("{page}/#v=1")).unwrap();
                assert_eq!((target.lab.id, target.fragment.as_str()), (lab.id, "v=1"));
            }
        }
        let unknown = format!("p/{}-nope/#seed=7", LABS[0].id);
        assert!(read(&unknown).unwrap_err().to_string().contains("names no lab"));
    }

    #[test]
    fn what_names_no_lab_is_refused_with_the_labs() {
        for form in
            ["", "#", "https://example.org/", "https://example.org/index.html#seed=7", "labs/", "labs"]
        {
            let error = read(form).unwrap_err().to_string();
            assert!(error.contains("names no lab") || error.contains("empty"), "{error}");
            assert!(error.contains(LABS[0].id), "{error}");
        }
        for form in ["labs/nope/#seed=7", "#lab=nope", "#lab=%zz", "#lab="] {
            assert!(read(form).unwrap_err().to_string().contains(LABS[0].id), "{form}");
        }
        let page = format!("labs/{}/&seed=7", LABS[0].id);
        assert!(read(&page).unwrap_err().to_string().contains("&seed=7"));
        let two = format!("labs/{}/#lab=nope", LABS[0].id);
        assert!(read(&two).unwrap_err().to_string().contains("two labs"));
    }
}
