//! The page `docs/validation.md`: every line of the suite, written by the suite.

use std::path::PathBuf;
use std::sync::Mutex;

/// One result beside what it is compared with.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) what: String,
    /// As the source gives it, or as computed by another small model.
    pub(crate) given: String,
    pub(crate) ours: String,
    /// What is asserted.
    pub(crate) asserted: &'static str,
    pub(crate) holds: bool,
}

/// Lines of one setup.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) title: &'static str,
    /// The setup, in a sentence or two.
    pub(crate) setup: &'static str,
    pub(crate) lines: Vec<Line>,
}

impl Group {
    pub(crate) fn new(title: &'static str, setup: &'static str) -> Self {
        Self { title, setup, lines: Vec::new() }
    }

    pub(crate) fn line(
        &mut self,
        what: impl Into<String>,
        given: impl Into<String>,
        ours: impl Into<String>,
        asserted: &'static str,
        holds: bool,
    ) {
        let (what, given, ours) = (what.into(), given.into(), ours.into());
        self.lines.push(Line { what, given, ours, asserted, holds });
    }

    /// Fails with every line that does not hold.
    pub(crate) fn assert(&self) {
        let wrong: Vec<_> = self.lines.iter().filter(|line| !line.holds).collect();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", self.title);
    }

    fn written(&self) -> String {
        let mut page = format!("### {}\n\n{}\n\n", self.title, self.setup);
        page += "| what | given | here | asserted |\n|---|---|---|---|\n";
        for line in &self.lines {
            page += &format!("| {} | {} | {} | {} |\n", line.what, line.given, line.ours, line.asserted);
        }
        page
    }
}

/// Compares the part of the page between the marks of a name with what the suite computes, or
/// writes it with `UPDATE_GOLDEN=1`.
pub(crate) fn compare_part(name: &str, now: &str) {
    let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->\n"));
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/validation.md");
    // Two parts are never written at once.
    let _turn = TURN.lock();
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(&begin).unwrap();
    let (was, tail) = rest.split_once(&end).unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, format!("{head}{begin}{now}{end}{tail}")).unwrap();
    } else {
        assert!(was == now, "docs/validation.md is not what the suite computes: UPDATE_GOLDEN=1 writes it");
    }
}

static TURN: Mutex<()> = Mutex::new(());

/// The part with all results.
pub(crate) fn compare(groups: &[&Group]) {
    let now: Vec<String> = groups.iter().map(|group| group.written()).collect();
    compare_part("computed", &now.join("\n"));
}
