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
fn what_a_newer_version_made_is_run_with_a_note() {
    let plain = run(&["lab", "herding", "--scrape-interval=5", "--format=json"]).json();
    for (fragment, parts) in [
        ("v=99&interval=5", &["model 99", "model 1"][..]),
        ("f=7&interval=5", &["form 7", "up to form 1"]),
        ("f=7&v=99&interval=5", &["form 7", "model 99"]),
    ] {
        let ran = linked(&format!("labs/herding/#{fragment}"), "json");
        assert!(parts.iter().all(|part| ran.stderr.contains(part)), "{}", ran.stderr);
        assert_eq!(ran.json(), plain, "{fragment}");
    }
    // Other figures are no fault of this model.
    let ran = linked("labs/herding/#v=99&h=1,2,3,4", "table");
    let last = ran.stdout.lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("made with model 99, this is model 1: was 1 2 3 4, is "), "{last}");
    let headline = &linked("labs/herding/#v=99&h=1,2,3,4", "json").json()["headline"];
    assert_eq!(
        (&headline["verdict"], &headline["model"]["was"]),
        (&Json::from("other model"), &Json::from(99))
    );
    // A picture has no place for a note, so it is refused.
    let message = run(&["figure", "labs/herding/#f=7", "--format=alt"]).refused();
    assert!(message.contains("newer form"), "{message}");
}

/// Links of every release in every form of an address that there is.
#[test]
fn golden_links_run_and_say_same() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../lab/tests/golden/links");
    let list = std::fs::read_to_string(format!("{folder}/releases.txt")).unwrap();
    let versions: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(!versions.is_empty());
    for version in versions {
        let lines = std::fs::read_to_string(format!("{folder}/{version}.txt")).unwrap();
        for line in lines.lines() {
            // Where an address says its state itself, what it stands for is behind it.
            let Some((address, fragment)) = line.rsplit_once("/ ") else {
                let ran = linked(line, "json");
                assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
                let headline = &ran.json()["headline"];
                let same_model = headline["model"]["was"] == headline["model"]["is"];
                assert!(headline["verdict"] == "same" || !same_model, "{line}: {headline}");
                continue;
            };
            let id =
                LABS.iter().map(|lab| lab.id).find(|id| address.starts_with(&format!("p/{id}-"))).unwrap();
            let mut behind = linked(&format!("labs/{id}/#{fragment}"), "json").json();
            let headline = behind.as_object_mut().unwrap().remove("headline").unwrap();
            assert!(
                headline["verdict"] == "same" || headline["model"]["was"] != headline["model"]["is"],
                "{line}"
            );
            assert_eq!(linked(&format!("{address}/"), "json").json(), behind, "{line}");
        }
    }
}

/// The golden line of a figure is what a figure of that state carries.
#[test]
fn a_figure_carries_the_golden_line() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../lab/tests/golden/links/", env!("CARGO_PKG_VERSION"), ".txt");
    let lines = std::fs::read_to_string(path).unwrap();
    let carried: Vec<&str> = lines.lines().filter(|line| line.starts_with("tokenyard ")).collect();
    assert_eq!(carried.len(), LABS.len());
    for line in carried {
        let svg = run(&["figure", line, "--format=svg"]).ok();
        assert!(svg.contains(&line.replace('&', "&amp;")), "{line}");
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
        ("f=0&v=99", &["f", "0", "from 1"]),
        ("f=7&colour=red", &["f", "7", "newer", "1 to 1"]),
        ("v=99&colour=red", &["v", "99", "newer", "1 to 1"]),
        ("guess=31", &["guess", "31", "0 to 30"]),
        ("interval=%ff", &["interval"]),
    ] {
        let message = linked(&format!("labs/herding/#{fragment}"), "json").refused();
        // What a newer version made, or a second reason, has a line of its own.
        let lines = 1 + usize::from(fragment.contains("f=7&") || fragment.contains("v=99"));
        assert_eq!(message.lines().count(), lines, "{message}");
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
