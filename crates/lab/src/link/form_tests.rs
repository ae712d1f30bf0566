//! Forms of links, on lists of forms that this product never had.

use proptest::prelude::*;

use super::form::{Change, FORMS, Forms, Migration, Pairs};
use super::*;
use crate::digest;
use crate::labs::LABS;

fn herding() -> &'static LabSpec {
    LABS.iter().find(|l| l.forks()).unwrap()
}

const fn all(change: Change) -> Migration {
    Migration { page: None, change }
}

fn seconds(milliseconds: &str) -> String {
    let number = milliseconds.parse::<u32>().ok();
    number.map_or_else(|| milliseconds.to_owned(), |n| (n / 1_000).to_string())
}

/// `lanes=a+b` became a key for each.
fn lanes(value: &str) -> Pairs {
    let (left, right) = value.split_once('+').unwrap_or((value, "in-flight-aware"));
    [("left", left), ("right", right)].map(|(k, v)| (k.to_owned(), v.to_owned())).into()
}

fn last_first(mut pairs: Pairs) -> Pairs {
    pairs.reverse();
    pairs
}

/// Four forms: first the interval was called `poll` and both lanes were one key, then it was in
/// milliseconds, then the default of `routers` was another one.
static FOUR: Forms<'static> = Forms(&[
    &[all(Change::Rename("poll", "interval")), all(Change::Split("lanes", lanes))],
    &[all(Change::Value("interval", seconds))],
    &[all(Change::Default("routers", "8"))],
]);

#[test]
fn a_link_of_any_form_opens_as_the_same_state() {
    let lab = herding();
    let (present, notices) =
        read_in(&FOUR, lab, "f=4&interval=20&right=in-flight-aware&routers=8&fork=31&then.interval=1");
    assert_eq!(notices, []);
    assert_eq!((present.setup.values.int("scrape_interval"), present.setup.values.int("routers")), (20, 8));
    for older in [
        "poll=20000&lanes=least-outstanding%2Bin-flight-aware&fork=31&then.poll=1000",
        "f=1&poll=20000&lanes=least-outstanding&fork=31&then.poll=1000",
        "#f=2&interval=20000&right=in-flight-aware&fork=31&then.interval=1000",
        "interval=20&f=3&right=in-flight-aware&fork=31&then.interval=1",
        "routers=8&f=3&interval=20&right=in-flight-aware&fork=31&then.interval=1",
    ] {
        assert_eq!(read_in(&FOUR, lab, older), (present.clone(), vec![]), "{older}");
    }
}

#[test]
fn a_form_is_said_only_where_it_must_be() {
    let lab = herding();
    let mut state = State::fresh(lab);
    assert_eq!(write_in(&FOUR, lab, &state), "", "the page itself");
    state.setup.apply(&[("routers", "8"), ("horizon", "120")]);
    let plain = write_in(&FOUR, lab, &state);
    assert!(!plain.contains("f="), "means the same in every form: {plain}");
    state.setup.apply(&[("scrape_interval", "20")]);
    assert!(write_in(&FOUR, lab, &state).starts_with("f=4&"));
    let mut default = State::fresh(lab);
    default.step = Some(4);
    assert!(write_in(&FOUR, lab, &default).starts_with("f=4&"), "routers are not as they were in form 1");
    assert_eq!(read_in(&FOUR, lab, "step=5").0.setup.values.int("routers"), 8, "as its writer saw it");
    assert_eq!(read_in(&FOUR, lab, "").0, State::fresh(lab), "nobody saw anything");
}

#[test]
fn a_migration_of_one_page_leaves_the_others() {
    static ONE: Forms<'static> =
        Forms(&[&[Migration { page: Some("herding"), change: Change::Rename("seed", "from") }]]);
    for lab in LABS.iter().filter(|lab| lab.has_seed()) {
        let (state, notices) = read_in(&ONE, lab, "seed=77");
        let renamed = lab.id == "herding";
        assert_eq!(notices.is_empty(), !renamed, "{}: {notices:?}", lab.id);
        assert_eq!(state.setup.values.int("seed") == 77, !renamed, "{}", lab.id);
    }
}

#[test]
fn a_newer_form_is_told_and_read_as_far_as_it_goes() {
    let lab = herding();
    let newer = Notice::NewerForm { form: 7, own: FORMS.present() };
    let (state, notices) = read(lab, "f=7&interval=5&pollution=3");
    assert_eq!(state.setup.values.int("scrape_interval"), 5);
    assert_eq!(notices, [newer.clone(), Notice::Unknown("pollution".to_owned())]);
    assert!(newer.is_of_newer() && !notices[1].is_of_newer());
    let (_, notices) = read_in(&FOUR, lab, "f=5&interval=7");
    assert_eq!(notices, [Notice::NewerForm { form: 5, own: 4 }], "and nothing is migrated");
    // Written again it is a link of ours.
    assert_eq!(write(lab, &state), "interval=5");
}

#[test]
fn a_form_that_there_cannot_be_is_form_one() {
    let lab = herding();
    for odd in ["0", "-1", "+2", "x", "", "4294967296"] {
        let (state, notices) = read_in(&FOUR, lab, &format!("f={odd}&poll=5000"));
        assert_eq!(state.setup.values.int("scrape_interval"), 5, "{odd}");
        assert!(matches!(&notices[..], [Notice::Value(e)] if e.key == "f"), "{odd}: {notices:?}");
    }
    let (state, notices) = read_in(&FOUR, lab, "f=9&poll=5000&f=1");
    assert_eq!(state.setup.values.int("scrape_interval"), 5, "the last one counts");
    assert_eq!(notices, [Notice::Repeated("f".to_owned())]);
}

#[test]
fn no_setting_has_a_key_of_the_codec() {
    for lab in LABS {
        for spec in lab.params.iter().chain(lab.views) {
            assert!(!RESERVED.contains(&spec.link) && !spec.link.contains('.'), "{}: {}", lab.id, spec.link);
        }
    }
}

/// Changes that a test draws from: none of them knows what the others did.
const CHANGES: [Change; 9] = [
    Change::Rename("poll", "interval"),
    Change::Rename("interval", "poll"),
    Change::Rename("seed", "routers"),
    Change::Value("interval", seconds),
    Change::Value("right", |_| "power-of-two".to_owned()),
    Change::Split("lanes", lanes),
    Change::Split("horizon", |_| Pairs::new()),
    Change::Default("routers", "8"),
    Change::Pairs(last_first),
];

fn lists() -> impl Strategy<Value = Vec<Vec<Migration>>> {
    let pages = prop_oneof![Just(None), Just(Some("herding")), Just(Some("batching"))];
    let one = (pages, 0..CHANGES.len()).prop_map(|(page, i)| Migration { page, change: CHANGES[i] });
    proptest::collection::vec(proptest::collection::vec(one, 0..3), 0..4)
}

proptest! {
    /// Whatever the forms were: what is written is read back, and migrating twice is migrating once.
    #[test]
    fn writing_and_reading_is_nothing_under_any_forms(
        list in lists(), index in 0..digest::count(), step in proptest::option::of(0..u32::MAX),
        version in proptest::option::of(1..3_u32)
    ) {
        let steps: Vec<&[Migration]> = list.iter().map(Vec::as_slice).collect();
        let forms = Forms(&steps);
        let (lab, values) = digest::scenario(index).unwrap();
        let mut state = State { step, version, ..State::fresh(lab) };
        state.setup.values = values;
        let text = write_in(&forms, lab, &state);
        let (again, notices) = read_in(&forms, lab, &text);
        prop_assert!(notices.iter().all(|n| matches!(n, Notice::Newer(_))), "{notices:?}: {text}");
        prop_assert_eq!(&again, &state, "{}", text);
        prop_assert_eq!(write_in(&forms, lab, &again), text);
    }

    /// A link of form 1 that goes through every form is the link that each form in turn would write.
    #[test]
    fn going_through_the_forms_one_by_one_is_going_through_them_at_once(
        list in lists(), text in "((poll|interval|routers|lanes|seed|horizon|then\\.interval)=[0-9]{1,4}&){0,6}"
    ) {
        let steps: Vec<&[Migration]> = list.iter().map(Vec::as_slice).collect();
        let at_once = Forms(&steps).open_link("herding", &text);
        let mut one_by_one = Forms(&[]).open_link("herding", &text).pairs;
        for step in &steps {
            one_by_one = Forms(&[*step]).migrate("herding", 1, one_by_one);
            // A link that lost its last key on the way is no link any more.
            prop_assume!(!one_by_one.is_empty());
        }
        prop_assert_eq!(&at_once.pairs, &one_by_one);
        // Closed, it is of the present form and opens as it is.
        let closed = Forms(&steps).close("herding", &at_once.pairs);
        prop_assert_eq!(Forms(&steps).open_link("herding", &closed), at_once, "{}", closed);
    }
}
