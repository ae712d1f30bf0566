//! Laws of scenario files.

use tokenyard_fleet::Scenario;
use tokenyard_fleet::scenario::{Draft, MOST_PROBLEMS, Problem};
use tokenyard_lab::link::MAX_CHARS;
use tokenyard_study::Study;
use tokenyard_study::link::{self, State};

/// Longest message about one field, in bytes.
const MOST_MESSAGE: usize = 2_000;

/// Any bytes give a draft or a list of problems. A draft is written to a file that gives the same
/// draft, is a scenario or says why not, and comes back from the link of its study.
pub fn scenario(bytes: &[u8]) {
    match Draft::read(bytes) {
        Ok(draft) => {
            let text = draft.write();
            let again = Draft::read(text.as_bytes());
            assert_eq!(again.as_ref(), Ok(&draft), "read again from {text}");
            assert_eq!(again.map(|again| again.write()), Ok(text), "written again");
            if let Err(problems) = draft.build(None) {
                named(&problems);
            }
            linked(draft);
        }
        Err(problems) => {
            named(&problems);
            assert!(Scenario::read(bytes, None).is_err(), "a scenario without a draft");
        }
    }
}

fn named(problems: &[Problem]) {
    assert!(!problems.is_empty() && problems.len() <= MOST_PROBLEMS, "{} problems", problems.len());
    for problem in problems {
        assert!(!problem.path.is_empty() && !problem.allowed.is_empty(), "{problem:?}");
        assert!(problem.to_string().len() < MOST_MESSAGE, "{problem}");
    }
}

fn linked(draft: Draft) {
    let state = State { study: Study::of_draft(draft.clone()), at: None, version: None, headline: None };
    let text = link::write(&state);
    // A long list of changes is for a file.
    if text.len() <= MAX_CHARS {
        let (again, notices) = link::read(&text);
        assert!(notices.is_empty(), "{notices:?}: {text}");
        assert_eq!(again.study.draft(0), draft, "read again from {text}");
    }
}
