//! The script that defines `<tokenyard-lab>`: how it travels, and what it takes for parameters.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use xtask::files;

/// Bytes that the script may have, compressed as servers send it.
const BUDGET: usize = 5 * 1024;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The script as the site has it: lines that are comments stay here.
fn script() -> String {
    let text = files::read(&root().join("web/src/site/element.js")).unwrap();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.map(|line| format!("{line}\n")).collect()
}

/// Names that the script keeps from the labs.
fn reserved() -> Vec<String> {
    let script = script();
    let list = script.split("RESERVED = new Set(").nth(1).unwrap().split(".split(").next().unwrap();
    let quoted = list.split('\'').skip(1).step_by(2);
    quoted.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

#[test]
fn it_is_small() {
    let size = tokenyard_serve::compress(script().as_bytes()).unwrap().len();
    println!("element.js: {size} bytes with brotli");
    assert!(size <= BUDGET, "{size} bytes with brotli, {BUDGET} allowed");
}

#[test]
fn it_can_be_a_classic_script_and_leaves_alone_what_is_the_readers() {
    let script = script();
    for word in
        ["import.meta", "import ", "export ", "wheel", "history", "localStorage", "WebAssembly.", "fetch("]
    {
        assert!(!script.contains(word), "{word}");
    }
    assert!(script.contains("postMessage") && script.len() > 5000);
}

/// Every parameter of a lab by its word in links.
fn parameters() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["crates/models/src", "crates/lab/src/labs"] {
        for file in files::below(&root().join(folder), &[]).unwrap() {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            let words = text.split("link: \"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
            found.extend(words);
        }
    }
    found
}

#[test]
fn every_parameter_of_a_lab_can_be_an_attribute() {
    let (parameters, reserved) = (parameters(), reserved());
    assert!(parameters.len() > 20 && reserved.len() > 40);
    for word in parameters {
        assert!(!reserved.contains(&word), "{word} is kept for the element");
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(fits), "{word}");
        assert!(!["data-", "aria-", "v-", "x-", "ng-"].iter().any(|start| word.starts_with(start)), "{word}");
    }
}

#[test]
fn the_documentation_names_every_attribute_and_event() {
    let text = files::read(&root().join("docs/embedding.md")).unwrap();
    let own = reserved().into_iter().take_while(|name| name != "id");
    let names: Vec<String> = own.collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(text.contains(&format!("| `{name}`")), "{name} is not in a table of docs/embedding.md");
    }
    for event in ["ready", "state", "event", "key", "error"] {
        assert!(text.contains(&format!("`tokenyard-{event}`")), "{event}");
    }
}

/// Readers of the guide have no copy of the project at hand.
#[test]
fn the_documentation_prints_the_files_that_it_names() {
    let text = files::read(&root().join("docs/embedding.md")).unwrap();
    let hosts = root().join("examples/embed");
    let shown = [
        "hugo/layouts/shortcodes/tokenyard-lab.html",
        "hugo/layouts/shortcodes/tokenyard-frame.html",
        "reveal/deck.js",
    ];
    for file in shown {
        let content = files::read(&hosts.join(file)).unwrap();
        assert!(text.contains(content.trim_end()), "docs/embedding.md does not print {file} as it is");
    }
}
