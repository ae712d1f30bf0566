//! Words that may not appear in any tracked text file.

use xtask::Outcome;
use xtask::workspace::Workspace;

/// What is looked for and why. Written in two halves, so that this file does not contain it.
const WORDS: &[([&str; 2], &str)] = &[
    (["TO", "DO"], "unfinished work is an issue, not a comment"),
    (["FIX", "ME"], "unfinished work is an issue, not a comment"),
    (["/ho", "me/"], "a path of one machine"),
    (["/ro", "ot/"], "a path of one machine"),
    (["/Us", "ers/"], "a path of one machine"),
    (["/t", "mp/"], "a path of one machine"),
    (["C:\\", "\\Users"], "a path of one machine"),
    (["registry.", "npmjs"], "the host of a registry"),
    (["index.crates", ".io"], "the host of a registry"),
    (["static.crates", ".io"], "the host of a registry"),
    (["pypi", ".org"], "the host of a registry"),
    (["deb.debian", ".org"], "the host of a registry"),
    (["arti", "factory"], "the host of a registry"),
];

/// Every fault of one file.
fn faults(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for (halves, reason) in WORDS {
            let word = halves.concat();
            if line.match_indices(&word).any(|(start, _)| stands_alone(line, start, &word)) {
                found.push(format!("{path}:{}: {word}: {reason}", at + 1));
            }
        }
    }
    found
}

/// A path counts only where it begins: an address that merely contains such a part is no machine
/// path. A word counts only whole.
fn stands_alone(line: &str, start: usize, word: &str) -> bool {
    let joins = |side: Option<char>| side.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let before = joins(line[..start].chars().next_back());
    let after = joins(line[start + word.len()..].chars().next());
    if word.starts_with('/') {
        !before && !line[..start].ends_with(['.', '$', '}', ')', '/'])
    } else if word.chars().all(|letter| letter.is_ascii_uppercase()) {
        !before && !after
    } else {
        true
    }
}

#[test]
fn tracked_files_hold_no_leftovers_machine_paths_or_registry_hosts() -> Outcome<()> {
    let workspace = Workspace::load()?;
    let tracked = workspace.tracked()?;
    assert!(tracked.iter().any(|file| file == "Cargo.toml"));
    let mut found = Vec::new();
    for file in tracked {
        // Pictures and other files that are not text hold no words.
        if let Ok(text) = std::fs::read_to_string(workspace.root.join(&file)) {
            found.extend(faults(&file, &text));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}

#[test]
fn a_word_counts_where_it_stands_alone() {
    let bad = |line: &str| !faults("f", line).is_empty();
    for (halves, _) in WORDS {
        let word = halves.concat();
        assert!(bad(&format!("see {word}x")) || bad(&format!("see {word}")), "{word}");
    }
    assert!(bad(&format!("// {}DO: later", "TO")));
    assert!(!bad(&format!("{}DO_LIST and MY{}DOS", "TO", "TO")));
    assert!(bad(&format!("path = \"{}ot/.cache\"", "/ro")));
    assert!(!bad(&format!("https://example.org{}me/", "/ho")));
}
