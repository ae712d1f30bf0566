//! Links of every release open, say what they said, and give the figures that they promise.

use std::collections::BTreeSet;

use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::{LABS, by_id};
use tokenyard_lab::link::{self, FORMS, State};

use crate::golden::{Folder, PRESENT, sorted};
use crate::states;

/// Shapes of an embed, as its address names them.
const SHAPES: [&str; 4] = ["full", "lab", "player", "figure"];

fn signed(lab: &LabSpec, state: &State) -> String {
    let headline = Some(link::headline(&lab.table(&state.setup)));
    link::write(lab, &State { version: Some(lab.model_version), headline, ..state.clone() })
}

/// Every state in the address of the lab's page, and one in each other address that a lab has. Where
/// the address does not say the state, it stands behind it.
fn lines(lab: &'static LabSpec) -> Vec<String> {
    let id = lab.id;
    let states = states::all(lab);
    let mut lines: Vec<String> =
        states.iter().map(|state| format!("labs/{id}/#{}", signed(lab, state))).collect();
    let last = signed(lab, states.last().unwrap());
    lines.extend(SHAPES.map(|ui| format!("embed/{id}/?ui={ui}#{last}")));
    lines.extend([
        format!("https://example.org/a/b/embed/{id}/index.html?ui=lab&theme=dark&lang=ja#{last}"),
        format!("../../labs/{id}/index.html?lang=en#{last}"),
        format!("#lab={id}&{last}"),
        format!("tokenyard.html?ui=player#lab={id}&{last}"),
        format!("tokenyard 1; product {PRESENT}; labs/{id}/#{last}"),
    ]);
    for preset in lab.presets {
        let state = State { setup: lab.with(preset.set), ..State::fresh(lab) };
        lines.push(format!("p/{id}-{}/ {}", preset.key, signed(lab, &state)));
    }
    let other = signed(lab, &State { step: Some(2), ..State::fresh(lab) });
    lines.push(format!("p/{id}-{}/index.html#{other}", lab.presets[0].key));
    lines
}

/// The lab and the state of a golden line. How programs take an address apart is their own test.
fn taken_apart(line: &str) -> (&'static LabSpec, &str) {
    let (address, fragment) = match line.rsplit_once("/ ") {
        Some((address, behind)) => (address, behind),
        None => line.split_once('#').unwrap(),
    };
    if let Some((id, fragment)) = fragment.strip_prefix("lab=").and_then(|rest| rest.split_once('&')) {
        return (by_id(id).unwrap(), fragment);
    }
    let page = |word: &str| {
        let (_, rest) =
            address.rsplit_once(&format!("{word}/")).or(address.strip_prefix(word).map(|r| ("", r)))?;
        let name = rest.split('/').next()?;
        LABS.iter()
            .copied()
            .find(|lab| name == lab.id || name.strip_prefix(lab.id).is_some_and(|r| r.starts_with('-')))
    };
    (["labs", "embed", "p"].iter().find_map(|word| page(word)).unwrap(), fragment)
}

#[test]
fn links_of_this_version_are_on_record() {
    let lines: Vec<String> = LABS.iter().flat_map(|lab| lines(lab)).collect();
    let once: BTreeSet<&String> = lines.iter().collect();
    assert_eq!(once.len(), lines.len());
    Folder::own().keep(&lines);
}

#[test]
fn the_record_of_a_release_is_not_written_again() {
    Folder::own().fence();
}

#[test]
fn links_of_every_release_open_as_they_were_and_keep_their_figures() {
    for (version, line) in Folder::own().links() {
        let (lab, fragment) = taken_apart(&line);
        let (state, notices) = link::read(lab, fragment);
        assert_eq!(notices, [], "{version}: {line}");
        let again = link::write(lab, &state);
        if FORMS.open_link(lab.id, fragment).pairs == link::form::Forms(&[]).open_link(lab.id, fragment).pairs
        {
            assert_eq!(sorted(&again), sorted(fragment), "{version}: {line}");
        }
        assert_eq!(link::read(lab, &again), (state.clone(), vec![]), "{version}: {line} became {again}");
        if state.version == Some(lab.model_version) {
            let now = link::headline(&lab.table(&state.setup));
            assert_eq!(state.headline, Some(now), "{version}: {line}");
        }
        assert!(state.headline.is_some() && state.version.is_some(), "{version}: {line}");
    }
}
