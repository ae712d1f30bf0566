//! Laws of lesson files.

use tokenyard_lesson::{Fault, Lesson, link, read, write};

/// Most faults that are told of one file.
const MOST_FAULTS: usize = 100;

/// Any bytes give a lesson or faults that name their lines. A lesson is written to a file that gives the
/// same lesson and is written the same again, and one that fits into a link comes back from it.
pub fn lesson(bytes: &[u8]) {
    // Files that are no text are refused before they are read.
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match read(text) {
        Ok(lesson) => {
            let written = write(&lesson);
            let again = read(&written);
            assert_eq!(again.as_ref(), Ok(&lesson), "read again from {written}");
            assert_eq!(again.as_ref().map(write), Ok(written), "written again");
            linked(&lesson);
        }
        Err(faults) => named(text, &faults),
    }
}

fn linked(lesson: &Lesson) {
    if let Some(text) = link::to_link(lesson) {
        assert_eq!(link::from_link(&text).as_ref(), Ok(lesson), "read again from {text}");
    }
}

/// A fault has a line that the file has, or the one after it, and a reason in words.
fn named(text: &str, faults: &[Fault]) {
    assert!(!faults.is_empty() && faults.len() <= MOST_FAULTS, "{} faults", faults.len());
    let lines = text.split('\n').count() + 1;
    for fault in faults {
        let line = usize::try_from(fault.line.0).unwrap_or(usize::MAX);
        assert!(line > 0 && line <= lines, "{fault:?} of {lines} lines");
        assert!(fault.why.key.starts_with("fault."), "{fault:?}");
    }
}
