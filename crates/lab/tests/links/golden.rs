//! Golden files that grow with every release and are never written again: the tests of labs and of
//! the fleet page share this.
//!
//! `tests/golden/links/<version>.txt` holds links as that version wrote them, `releases.txt` beside
//! them the digest of each file. `tests/golden/models.txt` holds what a model version computes.
//! `UPDATE_GOLDEN=1` writes what belongs to the present version, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tokenyard_det::Digest;

/// The version of the product that is being made.
pub(crate) const PRESENT: &str = env!("CARGO_PKG_VERSION");

/// Where the golden files of a crate are.
pub(crate) struct Folder(PathBuf);

fn updating() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1")
}

/// A text, empty where there is no file yet.
fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn digest(text: &str) -> String {
    let mut digest = Digest::default();
    digest.bytes(text.as_bytes());
    format!("{:016x}", digest.finish())
}

/// The parts of a fragment, in one order: a writer of another form may give them in another.
pub(crate) fn sorted(fragment: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = fragment.split('&').collect();
    parts.sort_unstable();
    parts
}

/// What the project says about its versions.
pub(crate) fn changelog() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CHANGELOG.md");
    fs::read_to_string(path).unwrap()
}

/// Versions in headings of the changelog, `## 0.1.0 (2026-11-30)`.
fn released(changelog: &str) -> BTreeSet<String> {
    let headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    headings.filter_map(|h| h.split_once(" (")).map(|(version, _)| version.to_owned()).collect()
}

impl Folder {
    /// Those of the crate under test.
    pub(crate) fn own() -> Self {
        Self(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"))
    }

    fn of(&self, version: &str) -> PathBuf {
        self.0.join("links").join(format!("{version}.txt"))
    }

    fn list(&self) -> PathBuf {
        self.0.join("links/releases.txt")
    }

    /// Digests of the files by version, as the list of releases has them.
    fn listed(&self) -> BTreeMap<String, String> {
        let list = text(&self.list());
        let lines = list.lines().filter_map(|line| line.split_once(' '));
        lines.map(|(version, digest)| (version.to_owned(), digest.to_owned())).collect()
    }

    /// Lines of every version's file, with the version.
    pub(crate) fn links(&self) -> Vec<(String, String)> {
        let of = |version: String| {
            let text = text(&self.of(&version));
            text.lines().map(|line| (version.clone(), line.to_owned())).collect::<Vec<_>>()
        };
        let all: Vec<_> = self.listed().into_keys().flat_map(of).collect();
        assert!(all.len() > 50, "no golden links");
        all
    }

    /// Compares the present version's links with its file, or writes them.
    pub(crate) fn keep(&self, lines: &[String]) {
        let now = lines.iter().fold(String::new(), |text, line| text + line + "\n");
        if updating() {
            fs::create_dir_all(self.0.join("links")).unwrap();
            fs::write(self.of(PRESENT), &now).unwrap();
            let mut listed = self.listed();
            listed.insert(PRESENT.to_owned(), digest(&now));
            let lines = listed.iter().fold(String::new(), |mut text, (version, digest)| {
                let _ = writeln!(text, "{version} {digest}");
                text
            });
            fs::write(self.list(), lines).unwrap();
        }
        let was = text(&self.of(PRESENT));
        let differing = now.lines().zip(was.lines()).find(|(now, was)| now != was);
        assert!(
            now == was,
            "golden links of {PRESENT} are not what is written now, {} of {} lines, first {differing:?}: \
             if a link of a release would be read otherwise, a migration is missing (CONTRIBUTING.md); if \
             {PRESENT} is not released yet, UPDATE_GOLDEN=1 writes its file",
            was.lines().count(),
            now.lines().count(),
        );
    }

    /// No file of a version is other than when it was made, and every version of the changelog has one.
    pub(crate) fn fence(&self) {
        let listed = self.listed();
        for (version, was) in &listed {
            let now = digest(&text(&self.of(version)));
            assert_eq!(&now, was, "the golden links of {version} were changed: they are a record");
        }
        let files = fs::read_dir(self.0.join("links")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let versions: BTreeSet<String> =
            names.filter_map(|n| n.strip_suffix(".txt").map(str::to_owned)).collect();
        let mut wanted: BTreeSet<String> = listed.into_keys().collect();
        assert!(
            wanted.is_superset(&released(&changelog())),
            "a release without its golden links: {wanted:?}"
        );
        wanted.insert("releases".to_owned());
        assert_eq!(versions, wanted, "files and list of releases");
    }

    /// What a model computes must be what its version is known to compute. `now` gives the fragments of
    /// a version that has none yet; `run` gives the digest of one. `spec` says where the version stands.
    pub(crate) fn hold(
        &self,
        (name, version, spec): (&str, u32, &str),
        now: impl FnOnce() -> Vec<String>,
        run: impl Fn(&str) -> u64,
    ) {
        let path = self.0.join("models.txt");
        let start = format!("{name} {version} ");
        let mut known = text(&path);
        if updating() && !known.lines().any(|line| line.starts_with(&start)) {
            for fragment in now() {
                let _ = writeln!(known, "{start}{:016x} #{fragment}", run(&fragment));
            }
            fs::write(&path, &known).unwrap();
        }
        let ours: Vec<(&str, &str)> =
            known.lines().filter_map(|line| line.strip_prefix(&start)?.split_once(" #")).collect();
        assert!(ours.len() >= 20, "model {version} of {name} has no digests yet: UPDATE_GOLDEN=1 adds them");
        let moved = |(digest, fragment): &&(&str, &str)| format!("{:016x}", run(fragment)) != *digest;
        let moved: Vec<&str> = ours.iter().filter(moved).map(|(_, fragment)| *fragment).collect();
        assert!(
            moved.is_empty(),
            "results of {name} changed in {} of {} states (#{} is one) and its model is still {version}. Old \
             links promise the old figures: raise the model version in {spec}, list `model {} of {name}` with \
             its reason in CHANGELOG.md, and UPDATE_GOLDEN=1 adds the digests of the new model",
            moved.len(),
            ours.len(),
            moved.first().unwrap_or(&""),
            version + 1,
        );
        let older = known.lines().filter(|line| line.starts_with(&format!("{name} ")));
        let versions: BTreeSet<&str> = older.filter_map(|line| line.split(' ').nth(1)).collect();
        let all: Vec<String> = (1..=version).map(|v| v.to_string()).collect();
        let all: BTreeSet<&str> = all.iter().map(String::as_str).collect();
        assert_eq!(versions, all, "{name}: digests of every model version stay");
    }
}

/// Every model version from the second on is in the changelog with a reason.
pub(crate) fn explained(changelog: &str, name: &str, version: u32) -> Result<(), String> {
    for n in 2..=version {
        let head = format!("model {n} of {name}");
        let said = changelog.lines().any(|line| {
            let after = line.split_once(&head).map(|(_, after)| after);
            after.is_some_and(|after| after.starts_with(':') && after.trim().len() > 10)
        });
        if !said {
            return Err(format!("CHANGELOG.md has no line `{head}: <reason>`"));
        }
    }
    Ok(())
}
