//! A link runs what it describes, in every form that is shared.

use serde_json::Value as Json;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::link::{self, State};
use tokenyard_lab::{LabSpec, digest};
use tokenyard_param::Values;

use crate::program::{Ran, csv, run};

/// Every so manieth scenario is run through a link.
const EVERY: usize = 5;

fn linked(address: &str, format: &str) -> Ran {
    run(&["link", address, "--format", format])
}

fn state(lab: &LabSpec, values: Values) -> State {
    let mut state = State::fresh(lab);
    state.setup.values = values;
    state.version = Some(lab.model_version);
    state.headline = Some(link::headline(&lab.table(&state.setup)));
    state
}

/// The same settings as flags.
fn flags(lab: &LabSpec, values: &Values) -> Vec<String> {
    let flag = |(i, spec): (usize, &tokenyard_param::ParamSpec)| {
        format!("--{}={}", spec.flag(), spec.kind.write(values.at(i).unwrap()))
    };
    lab.params.iter().enumerate().map(flag).collect()
}

#[test]
fn a_written_link_gives_the_results_of_the_same_flags_and_says_same() {
    for index in (0..digest::count()).step_by(EVERY) {
        let (lab, values) = digest::scenario(index).unwrap();
        let fragment = link::write(lab, &state(lab, values.clone()));
        let form = match index as usize / EVERY % 3 {
            0 => format!("https://example.org/a/labs/{}/index.html?theme=dark#{fragment}", lab.id),
            1 => format!("labs/{}/#{fragment}", lab.id),
            _ => format!("#lab={}&{fragment}", lab.id),
        };
        let mut args = vec!["lab".to_owned(), lab.id.to_owned(), "--format=json".to_owned()];
        args.extend(flags(lab, &values));
        let mut from_link = linked(&form, "json").json();
        let headline = from_link.as_object_mut().unwrap().remove("headline").unwrap();
        assert_eq!(headline["verdict"], "same", "{form} {headline}");
        assert_eq!(from_link, run(&args).json(), "{form}");
    }
}

#[test]
fn other_figures_are_told_beside_the_true_ones() {
    for lab in LABS {
        let mut state = state(lab, lab.defaults().values);
        let is = state.headline.clone().unwrap();
        let same = format!("labs/{}/#{}", lab.id, link::write(lab, &state));
        assert_eq!(linked(&same, "table").ok().lines().last(), Some("same"));
        state.headline.as_mut().unwrap()[0] = "77.7".to_owned();
        let address = format!("labs/{}/#{}", lab.id, link::write(lab, &state));
        let was = state.headline.unwrap();
        let line = format!("differs: was {}, is {}", was.join(" "), is.join(" "));
        assert_eq!(linked(&address, "table").ok().lines().last(), Some(&*line));
        let headline = &linked(&address, "json").json()["headline"];
        assert_eq!((&headline["verdict"], &headline["was"]), (&Json::from("differs"), &Json::from(was)));
        assert_eq!(headline["is"], Json::from(is));
        let ran = linked(&address, "csv");
        assert!(ran.stderr.contains(&line), "{}", ran.stderr);
        assert_eq!(csv(&ran.stdout), csv(&run(&["lab", lab.id, "--format=csv"]).stdout));
    }
}

#[test]
fn steps_come_through_a_link() {
    for lab in LABS {
        let address = format!("#lab={}&step=1", lab.id);
        let from_link = run(&["link", &address, "--steps", "--format=json"]);
        assert_eq!(from_link, run(&["lab", lab.id, "--steps", "--format=json"]));
    }
}

#[test]
fn what_the_page_would_clamp_is_refused_with_field_value_and_range() {
    for (fragment, names) in [
        ("interval=61", &["scrape_interval", "61", "1 to 60"][..]),
        ("interval=ten", &["scrape_interval", "ten", "1 to 60"]),
        ("phases=maybe", &["stagger", "maybe", "off, on, random"]),
        ("left=fastest", &["lane_a", "fastest", "power-of-two"]),
        ("colour=red", &["colour", "interval", "then."]),
        ("intervall=5", &["intervall", "did you mean interval?"]),
        ("seed=1&seed=2", &["seed", "twice"]),
        ("step=91", &["step", "91", "1 to 90"]),
        ("step=0", &["step", "0", "from 1"]),
        ("fork=91&then.interval=1", &["fork", "91", "1 to 90"]),
        ("fork=3&then.replicas=2", &["then.replicas"]),
        ("fork=3&then.interval=0", &["scrape_interval", "0", "1 to 60"]),
        ("v=99", &["v", "99", "1 to 1"]),
        ("guess=31", &["guess", "31", "0 to 30"]),
        ("interval=%ff", &["interval"]),
    ] {
        let message = linked(&format!("labs/herding/#{fragment}"), "json").refused();
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(names.iter().all(|name| message.contains(name)), "{fragment}: {message}");
    }
    let both = linked("labs/herding/#interval=61&routers=17", "json").refused();
    assert_eq!(both.lines().count(), 2, "{both}");
    let many = linked(&format!("labs/herding/#{}", "a&".repeat(800)), "json").refused();
    assert!(many.lines().count() < 10 && many.ends_with(" more\n"), "{many}");
    let long = linked(&format!("labs/herding/#interval={}", "9".repeat(4000)), "json").refused();
    assert!(long.contains("4009") && long.contains("1800"), "{long}");
}

#[test]
fn an_address_without_a_lab_or_with_an_unknown_one_names_the_labs() {
    for address in
        ["https://example.org/", "https://example.org/index.html#seed=7", "#seed=7", "labs/", "", "#"]
    {
        let message = linked(address, "table").refused();
        assert!(LABS.iter().all(|lab| message.contains(lab.id)), "{message}");
    }
    for address in ["labs/herdin/", "https://example.org/labs/herdin/#seed=7", "#lab=herdin"] {
        let message = linked(address, "table").refused();
        assert!(message.contains("did you mean herding?"), "{message}");
        assert!(LABS.iter().all(|lab| message.contains(lab.id)), "{message}");
    }
}
