use proptest::prelude::*;
use tokenyard_param::Value;

use super::*;
use crate::digest;
use crate::labs::LABS;

fn herding() -> &'static LabSpec {
    LABS.iter().find(|l| l.forks()).unwrap()
}

#[test]
fn only_what_differs_is_written() {
    let lab = herding();
    let mut state = State::fresh(lab);
    assert_eq!(write(lab, &state), "");
    state.setup.apply(&[("scrape_interval", "5"), ("lane_b", "in-flight-aware")]);
    state.step = Some(27);
    state.guess = Some(9.0);
    assert_eq!(write(lab, &state), "interval=5&right=in-flight-aware&step=28&guess=9");
}

#[test]
fn a_fork_is_written_against_the_first_settings() {
    let lab = herding();
    let (state, notices) = read(lab, "#interval=20&fork=31&then.interval=1");
    assert_eq!(notices, []);
    let fork = state.setup.fork.as_ref().unwrap();
    assert_eq!((fork.step, fork.values.int("scrape_interval")), (30, 1));
    assert_eq!(state.setup.values.int("scrape_interval"), 20);
    assert_eq!(write(lab, &state), "interval=20&fork=31&then.interval=1");
    assert_eq!(read(lab, "fork=3&then.replicas=2").1, [Notice::Unknown("then.replicas".to_owned())]);
    assert_eq!(read(lab, "then.interval=2").1, [Notice::Unknown("then.interval".to_owned())]);
}

#[test]
fn a_lab_that_cannot_fork_says_that_it_leaves_the_fork_out() {
    let rigid: Vec<&LabSpec> = LABS.iter().filter(|l| !l.forks()).copied().collect();
    assert!(!rigid.is_empty());
    for lab in rigid {
        let key = lab.params[0].link;
        for (text, ignored) in [
            ("fork=3".to_owned(), vec!["fork"]),
            (format!("fork=x&then.{key}=1"), vec!["fork", &format!("then.{key}")]),
        ] {
            let (state, notices) = read(lab, &text);
            let named: Vec<Notice> = ignored.iter().map(|k| Notice::Unknown((*k).to_owned())).collect();
            assert_eq!((state, notices), (State::fresh(lab), named), "{} {text}", lab.id);
        }
    }
}

#[test]
fn what_is_out_of_range_is_clamped_and_named() {
    let (state, notices) = read(herding(), "interval=500&routers=many&colour=red&step=0");
    assert_eq!(state.setup.values.int("scrape_interval"), 60);
    assert_eq!(state.setup.values.int("routers"), 4);
    assert_eq!(state.step, None);
    let Notice::Value(error) = &notices[0] else { panic!("{notices:?}") };
    assert_eq!(error.to_string(), "scrape_interval is 500; allowed: 1 to 60");
    assert_eq!(notices[2], Notice::Unknown("colour".to_owned()));
    assert_eq!(notices.len(), 4);
}

#[test]
fn hostile_links_never_fail() {
    let lab = herding();
    let long = format!("interval={}", "9".repeat(4000));
    assert!(matches!(read(lab, &long).1[0], Notice::TooLong(4009)));
    for text in [
        "#",
        "&&&",
        "=",
        "%",
        "interval=%ff",
        "interval=1&interval=2",
        "seed=-1",
        "v=99",
        "h=,,,",
        "guess=NaN",
        "fork=x",
    ] {
        let (state, _) = read(lab, text);
        assert!(write(lab, &state).len() < 400, "{text}");
    }
    assert_eq!(read(lab, "v=99").1, [Notice::Newer(99)]);
    assert_eq!(read(lab, "interval=1&interval=2").1, [Notice::Repeated("interval".to_owned())]);
}

#[test]
fn numbers_of_a_hostile_headline_stay_in_it() {
    let lab = herding();
    let (state, notices) = read(lab, "h=1%26seed=2,50%2525,%E3%81%82+b");
    assert_eq!(
        (notices, state.headline.as_deref()),
        (vec![], Some(&["1&seed=2", "50%25", "あ b"].map(str::to_owned)[..]))
    );
    assert_eq!(read(lab, &write(lab, &state)), (state, vec![]));
}

#[test]
fn every_scenario_round_trips_in_an_ordinary_length() {
    for index in 0..digest::count() {
        let (lab, values) = digest::scenario(index).unwrap();
        let mut state = State::fresh(lab);
        state.setup.values = values;
        state.version = Some(lab.model_version);
        state.headline = Some(headline(&lab.table(&state.setup)));
        let link = write(lab, &state);
        assert!(link.len() <= 300 || lab.params.len() > 14, "{} {link}", link.len());
        assert_eq!(read(lab, &link), (state, Vec::new()), "{link}");
    }
}

proptest! {
    #[test]
    fn reading_any_text_gives_a_state_that_round_trips(text in "[ -~]{0,200}") {
        for lab in LABS {
            let (state, _) = read(lab, &text);
            let (again, _) = read(lab, &write(lab, &state));
            prop_assert_eq!(state, again);
        }
    }

    #[test]
    fn reading_pairs_of_known_keys_never_leaves_the_range(value in "[-+.0-9a-z%]{0,12}", at in 0..8_usize) {
        for lab in LABS {
            let spec = &lab.params[at % lab.params.len()];
            let (state, _) = read(lab, &format!("{}={value}", spec.link));
            let got = state.setup.values.get(spec.key).unwrap();
            let mut copy = state.setup.values.clone();
            prop_assert!(copy.set(at % lab.params.len(), got.clone()), "{got:?}");
            prop_assert!(!matches!(got, Value::Real(v) if v.is_nan()));
        }
    }
}
