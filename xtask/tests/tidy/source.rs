//! Rules on Rust sources: how long files and functions may be, and which names may not appear.

use std::str::FromStr as _;

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use xtask::workspace::Workspace;
use xtask::{Outcome, Trouble, files};

const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 60;

/// Files that are tables of cases or of words rather than code.
const TABLES: &[&str] = &["tests/data/"];

/// Names that may not appear as code under `crates/`, each with its reason.
const NOT_IN_CRATES: &[(&str, &str)] = &[
    ("HashMap", "its order changes from run to run"),
    ("HashSet", "its order changes from run to run"),
    ("RandomState", "it draws chance from outside the seed"),
    ("Instant", "the simulator has no wall clock"),
    ("SystemTime", "the simulator has no wall clock"),
    ("UNIX_EPOCH", "the simulator has no wall clock"),
    ("thread_rng", "every draw comes from a stream that is passed in"),
    ("getrandom", "every draw comes from a stream that is passed in"),
];

/// One source file: path relative to the root, and text.
struct Source {
    path: String,
    text: String,
}

fn sources() -> Outcome<Vec<Source>> {
    let workspace = Workspace::load()?;
    let mut found = Vec::new();
    for folder in ["crates", "web", "xtask", "tests"] {
        for file in files::below(&workspace.root.join(folder), &["target", "node_modules"])? {
            let path =
                file.strip_prefix(&workspace.root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            if path.ends_with(".rs") && !TABLES.iter().any(|table| path.starts_with(table)) {
                found.push(Source { path, text: files::read(&file)? });
            }
        }
    }
    if found.len() < 10 {
        return Err(Trouble::new("the sources were not found"));
    }
    Ok(found)
}

fn tokens(text: &str) -> Outcome<TokenStream> {
    TokenStream::from_str(text).map_err(|error| Trouble(error.to_string()))
}

/// Functions and `view!` blocks with their lengths in lines, those inside macros too.
fn lengths(stream: TokenStream, found: &mut Vec<(String, usize)>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => lengths(group.stream(), found),
            TokenTree::Ident(word) if word == "fn" => found.extend(function(&trees[at..])),
            TokenTree::Ident(word) if word == "view" => found.extend(view(&trees[at..])),
            _ => {}
        }
    }
}

/// `fn name … { … }`. A function type or a declaration without a body is nothing.
fn function(trees: &[TokenTree]) -> Option<(String, usize)> {
    let [first, TokenTree::Ident(name), rest @ ..] = trees else { return None };
    for tree in rest {
        match tree {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
                return Some((format!("fn {name}"), lines(first.span(), body.span_close())));
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => return None,
            _ => {}
        }
    }
    None
}

/// `view! { … }`.
fn view(trees: &[TokenTree]) -> Option<(String, usize)> {
    let [first, TokenTree::Punct(bang), TokenTree::Group(body), ..] = trees else { return None };
    let is_call = bang.as_char() == '!' && bang.spacing() == Spacing::Alone;
    is_call.then(|| {
        (format!("view! at line {}", first.span().start().line), lines(first.span(), body.span_close()))
    })
}

fn lines(from: Span, to: Span) -> usize {
    to.end().line - from.start().line + 1
}

/// Whether a name is used as code: comments and texts do not count.
fn uses(stream: TokenStream, name: &str) -> bool {
    stream.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => uses(group.stream(), name),
        TokenTree::Ident(word) => word == name,
        _ => false,
    })
}

#[test]
fn no_file_is_longer_than_400_lines() {
    let long: Vec<String> = sources()
        .unwrap()
        .iter()
        .filter(|source| source.text.lines().count() > FILE_LINES)
        .map(|source| format!("{}: {} lines", source.path, source.text.lines().count()))
        .collect();
    assert!(long.is_empty(), "more than {FILE_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn no_function_or_view_is_longer_than_60_lines() {
    let mut long = Vec::new();
    for source in sources().unwrap() {
        let mut found = Vec::new();
        lengths(tokens(&source.text).unwrap(), &mut found);
        let over = found.into_iter().filter(|(_, lines)| *lines > FUNCTION_LINES);
        long.extend(over.map(|(what, lines)| format!("{}: {what}: {lines} lines", source.path)));
    }
    assert!(long.is_empty(), "more than {FUNCTION_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn names_that_break_determinism_stay_out_of_crates() {
    let mut faults = Vec::new();
    // Benches look at the clock and say why to the linter; nothing that is built into a page does.
    let counts = |path: &str| path.starts_with("crates/") && !path.contains("/benches/");
    for source in sources().unwrap().iter().filter(|source| counts(&source.path)) {
        let stream = tokens(&source.text).unwrap();
        for (name, reason) in NOT_IN_CRATES {
            if uses(stream.clone(), name) {
                faults.push(format!("{}: {name}: {reason}", source.path));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn lengths_are_measured_as_a_reader_counts() {
    let text = "
fn one() {}
type F = fn(u8) -> u8;
trait T { fn declared(); }
impl X {
    pub async fn three<const N: usize>(x: [u8; N]) -> Option<fn()>
    where u8: Copy {
        None }
}
proptest! {
    #[test]
    fn inside(x in 0..3) {
        let view = view;
        view! {
            <p/>
        }
    }
}";
    let mut found = Vec::new();
    lengths(tokens(text).unwrap(), &mut found);
    found.sort();
    let expected = [("fn inside", 6), ("fn one", 1), ("fn three", 3), ("view! at line 14", 3)];
    assert_eq!(found, expected.map(|(name, lines)| (name.to_owned(), lines)));
}

#[test]
fn names_in_comments_and_texts_are_not_code() {
    let text = "/// No HashMap here.\nfn f() { let a = \"HashMap\"; /* HashMap */ }";
    assert!(!uses(tokens(text).unwrap(), "HashMap"));
    assert!(uses(tokens("fn f() { g(|| std::collections::HashMap::new()) }").unwrap(), "HashMap"));
}
