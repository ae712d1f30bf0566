//! Forms of the fleet page's links, on lists of forms that this product never had.

use proptest::prelude::*;
use tokenyard_lab::link::form::{Change, FORMS, Forms, Migration, Pairs};
use tokenyard_lab::link::{MAX_CHARS, Notice};
use tokenyard_study::Study;
use tokenyard_study::link::{self, PAGE, State};

const fn ours(change: Change) -> Migration {
    Migration { page: Some(PAGE), change }
}

fn thousand(seconds: &str) -> String {
    seconds.parse::<u32>().map_or_else(|_| seconds.to_owned(), |n| n.saturating_mul(1_000).to_string())
}

/// `pool=8x2` became the replicas and the routers.
fn pool(value: &str) -> Pairs {
    let (replicas, routers) = value.split_once('x').unwrap_or((value, "1"));
    [("fleet.replicas", replicas), ("router.routers", routers)]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into()
}

static FOUR: Forms<'static> = Forms(&[
    &[ours(Change::Rename("router.scrape", "router.scrape_ms")), ours(Change::Split("pool", pool))],
    &[ours(Change::Value("router.scrape_ms", thousand))],
    &[ours(Change::Default("slo.ttft_ms", "700"))],
]);

fn read(fragment: &str) -> (State, Vec<Notice>) {
    link::read_in(&FOUR, fragment, MAX_CHARS)
}

#[test]
fn a_link_of_any_form_opens_as_the_same_study() {
    let present = read("f=4&fleet.replicas=8&router.routers=2&router.scrape_ms=3000&slo.ttft_ms=700");
    assert_eq!(present.1, []);
    for older in [
        "pool=8x2&router.scrape=3",
        "f=1&pool=8x2&router.scrape=3",
        "f=2&fleet.replicas=8&router.routers=2&router.scrape_ms=3",
        "f=3&fleet.replicas=8&router.routers=2&router.scrape_ms=3000",
    ] {
        assert_eq!(read(older), present, "{older}");
    }
    assert!(link::write_in(&FOUR, &present.0).starts_with("f=4&"));
    assert_eq!(read("").0.study, Study::default(), "nobody made this link");
    assert_ne!(read("seed=1&at=3").0.study, Study::default(), "somebody saw the older default");
}

#[test]
fn migrations_of_labs_leave_the_fleet_page_alone() {
    static LABS: Forms<'static> =
        Forms(&[&[Migration { page: Some("herding"), change: Change::Rename("seed", "from") }]]);
    let (state, notices) = link::read_in(&LABS, "seed=77", MAX_CHARS);
    assert_eq!((state.study.base.seed, notices), (77, vec![]));
    assert_eq!(link::write_in(&LABS, &state), "seed=77");
}

#[test]
fn a_newer_form_is_told_and_read_as_far_as_it_goes() {
    let (state, notices) = link::read("f=9&seed=77&fleet.racks=3");
    let newer = Notice::NewerForm { form: 9, own: FORMS.present() };
    assert_eq!(
        (state.study.base.seed, notices),
        (77, vec![newer, Notice::Unknown("fleet.racks".to_owned())])
    );
    assert!(matches!(link::read("f=0&seed=77").1[..], [Notice::Value(_)]));
    assert!(matches!(link::read("v=0").1[..], [Notice::Value(_)]), "versions begin with 1");
}

proptest! {
    #[test]
    fn writing_and_reading_is_nothing_under_any_forms(
        seed in 0..3_u64, replicas in 1..9_u32, at in proptest::option::of(0..9_u32),
        pick in proptest::collection::vec(proptest::collection::vec(0..5_usize, 0..3), 0..4)
    ) {
        let changes = [
            ours(Change::Rename("seed", "fleet.replicas")),
            ours(Change::Split("pool", pool)),
            ours(Change::Value("fleet.replicas", thousand)),
            ours(Change::Default("slo.ttft_ms", "700")),
            ours(Change::Split("at", |_| Pairs::new())),
        ];
        let list: Vec<Vec<Migration>> = pick.iter().map(|of| of.iter().map(|i| changes[*i]).collect()).collect();
        let steps: Vec<&[Migration]> = list.iter().map(Vec::as_slice).collect();
        let forms = Forms(&steps);
        let mut study = Study::default();
        study.base.seed = seed;
        study.base.set("fleet.replicas", &replicas.to_string()).unwrap();
        let state = State { study, at, version: None, headline: None };
        let text = link::write_in(&forms, &state);
        prop_assert_eq!(link::read_in(&forms, &text, MAX_CHARS), (state, vec![]), "{}", text);
    }
}
