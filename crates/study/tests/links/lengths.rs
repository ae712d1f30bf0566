//! A link that we give away can be opened. What is too long for one is refused.

use proptest::prelude::*;
use tokenyard_lab::link::{MAX_CHARS, Notice};
use tokenyard_study::link::{self, State, TooLong};
use tokenyard_study::reports::{INCIDENTS, MOST_CHARS};
use tokenyard_study::{Study, changes};

fn state(study: Study) -> State {
    State { study, at: None, version: None, headline: None }
}

/// The start page with so many changes of its replicas.
fn changing(count: u32) -> State {
    let mut study = Study::default();
    for i in 0..count {
        study.base.changes.push(changes::parse(&format!("{}.25,{},slow,{}", i, i % 4, 100 + i)).unwrap());
    }
    state(study)
}

proptest! {
    #[test]
    fn what_is_shared_opens_and_what_is_not_says_how_long_it_is(count in 0..200_u32, at in 0..400_u32) {
        let state = State { at: Some(at), version: Some(1), headline: Some(vec!["12.5".to_owned(); 4]), ..changing(count) };
        match link::share(&state) {
            Ok(link) => {
                prop_assert!(link.len() <= MAX_CHARS);
                prop_assert_eq!(link::read(&link), (state, vec![]));
            }
            Err(TooLong(length)) => {
                prop_assert!(length > MAX_CHARS);
                let text = link::write(&state);
                prop_assert_eq!(text.len(), length);
                prop_assert_eq!(link::read(&text).1, [Notice::TooLong(length)]);
                // A worker is asked in the same words, and gets all of them.
                prop_assert_eq!(link::read_all(&text), (state, vec![]));
            }
        }
    }
}

#[test]
fn both_happen() {
    assert!(link::share(&changing(10)).is_ok());
    assert!(link::share(&changing(200)).is_err());
}

#[test]
fn a_report_is_an_ordinary_link_with_its_figures_too() {
    for fragment in INCIDENTS.iter().copied().flatten().flat_map(|i| [i.broken, i.cured]) {
        let state =
            State { version: Some(1), headline: Some(vec!["12345".to_owned(); 2]), ..link::read(fragment).0 };
        let link = link::share(&state).unwrap();
        assert!(link.len() <= MOST_CHARS + 20, "{} characters: {link}", link.len());
    }
}
