//! Published and computed results, reproduced. Each test names its row of the validation page; the
//! setup stands beside it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

#[cfg(test)]
#[path = "validation/cases.rs"]
mod cases;
#[cfg(test)]
#[path = "validation/checked.rs"]
mod checked;
#[path = "validation/metastable.rs"]
mod metastable;
#[path = "validation/page.rs"]
mod page;
#[path = "validation/serving.rs"]
mod serving;
#[path = "files/shared.rs"]
mod shared;
#[path = "validation/theory.rs"]
mod theory;
#[path = "validation/traces.rs"]
mod traces;

use tokenyard_fleet::World;
use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::Draft;

/// A draft from fields as the command line gives them.
pub(crate) fn draft(fields: &[(&str, &str)]) -> Draft {
    let mut draft = Draft::default();
    for (path, text) in fields {
        draft.set(path, text).unwrap_or_else(|problem| panic!("{problem:?}"));
    }
    draft
}

/// Runs a draft to its end.
pub(crate) fn world(draft: &Draft) -> World {
    let mut world = World::new(&draft.build(None).unwrap(), None);
    run_to_end(&mut world);
    world
}

/// Its summary.
pub(crate) fn report(draft: &Draft) -> Report {
    Report::of(&world(draft))
}

/// The same with other fields.
pub(crate) fn with(draft: &Draft, fields: &[(&str, &str)]) -> Draft {
    let mut draft = draft.clone();
    for (path, text) in fields {
        draft.set(path, text).unwrap_or_else(|problem| panic!("{problem:?}"));
    }
    draft
}

/// The page is written by the suite. Lines that need the shared traces stand in it too, so without
/// them there is nothing to compare.
#[test]
fn the_page_says_what_the_suite_computes() {
    let Some(traces) = traces::groups("the_page_says_what_the_suite_computes") else { return };
    let mut groups = vec![theory::supermarket(), theory::stale(), metastable::table()];
    groups.extend(serving::groups());
    groups.extend(traces);
    page::compare(&groups);
}
