//! Names: the lab that was asked for, and what a mistyped name may have meant.

use tokenyard_lab::LabSpec;
use tokenyard_lab::labs::{self, LABS};

use crate::refusal::{Refusal, shown};

/// Longest text that is compared; nothing longer is a slip of the finger.
const LONGEST: usize = 48;

/// Identifiers of all labs, in reading order.
pub(crate) fn ids() -> Vec<&'static str> {
    LABS.iter().map(|lab| lab.id).collect()
}

/// The lab with an identifier, or a refusal that names the labs there are.
pub(crate) fn lab(id: &str) -> Result<&'static LabSpec, Refusal> {
    labs::by_id(id).ok_or_else(|| {
        Refusal::new(format!(
            "no lab is called {}{}; labs: {}",
            shown(id),
            hint(id, &ids(), ""),
            ids().join(", ")
        ))
    })
}

/// ` (did you mean …?)` for a near miss, empty otherwise. `prefix` is put before the name.
pub(crate) fn hint(given: &str, known: &[&str], prefix: &str) -> String {
    nearest(given, known).map_or(String::new(), |name| format!(" (did you mean {prefix}{name}?)"))
}

/// The known name within a third of its length of slips, or the only one that begins so.
fn nearest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    if given.len() > LONGEST {
        return None;
    }
    let given = given.to_ascii_lowercase().replace('_', "-");
    let near = known
        .iter()
        .map(|name| (slips(&given, name), *name))
        .filter(|(slips, name)| slips * 3 <= name.len().max(3))
        .min_by_key(|(slips, _)| *slips);
    let mut begins = known.iter().filter(|name| given.len() >= 3 && name.starts_with(&given));
    near.map(|(_, name)| name).or_else(|| begins.next().copied().filter(|_| begins.next().is_none()))
}

/// Levenshtein distance: insertions, deletions and substitutions of one character.
fn slips(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_slips() {
        let pairs = [("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0), ("é", "e", 1)];
        assert!(pairs.iter().all(|(a, b, n)| slips(a, b) == *n && slips(b, a) == *n));
    }

    #[test]
    fn only_near_names_are_suggested() {
        let known = ["scrape-interval", "routers", "replicas"];
        assert_eq!(nearest("scrape_interval", &known), Some("scrape-interval"));
        assert_eq!(nearest("router", &known), Some("routers"));
        assert_eq!(nearest("scrape", &known), Some("scrape-interval"));
        assert_eq!(nearest("r", &known), None);
        assert_eq!(nearest("temperature", &known), None);
        assert_eq!(nearest(&"routers".repeat(40), &known), None);
    }
}
