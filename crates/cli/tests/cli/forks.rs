//! Links to runs that change on the way.

use serde_json::Value as Json;
use tokenyard_lab::labs::LABS;
use tokenyard_lab::link;

use crate::program::run;

const ADDRESS: &str = "labs/herding/#interval=20&fork=31&then.interval=1";

#[test]
fn a_fork_prints_the_summary_of_the_changed_run_and_says_so() {
    let ran = run(&["link", ADDRESS, "--format=json"]);
    assert!(ran.stderr.contains("step 31") && ran.stderr.contains("scrape_interval 1;"), "{}", ran.stderr);
    let json = ran.json();
    assert_eq!((&json["fork"]["step"], &json["fork"]["params"]["scrape_interval"]), (&31.into(), &1.into()));
    assert_eq!(json["params"]["scrape_interval"], 20);
    let lab = LABS.iter().find(|lab| lab.id == "herding").unwrap();
    let (state, _) = link::read(lab, "interval=20&fork=31&then.interval=1");
    let table = lab.table(&state.setup);
    for (row, result) in table.rows.iter().zip(json["results"].as_array().unwrap()) {
        assert_eq!(result["rule"], row.id);
        for (column, cell) in lab.columns.iter().zip(&row.cells) {
            assert_eq!(result[column.key].as_f64(), Some(*cell), "{}", column.key);
        }
    }
    let straight = run(&["link", "labs/herding/#interval=20", "--format=json"]).json();
    let keys = |json: &Json| json["results"][0].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&straight), keys(&json));
    assert_ne!(straight["results"], json["results"]);
}

#[test]
fn a_fork_at_the_first_step_is_the_run_with_the_new_settings() {
    let forked = run(&["link", "labs/herding/#fork=1&then.interval=1", "--format=json"]).json();
    let plain = run(&["lab", "herding", "--scrape-interval=1", "--format=json"]).json();
    assert_eq!(forked["results"], plain["results"]);
}

#[test]
fn the_headline_of_a_fork_is_that_of_the_changed_run() {
    let lab = LABS.iter().find(|lab| lab.id == "herding").unwrap();
    let (mut state, _) = link::read(lab, "interval=20&fork=31&then.interval=1&left=power-of-two");
    state.headline = Some(link::headline(&lab.table(&state.setup)));
    let address = format!("labs/herding/#{}", link::write(lab, &state));
    assert_eq!(run(&["link", &address]).ok().lines().last(), Some("same"));
    assert_eq!(run(&["link", &address, "--format=json"]).json()["headline"]["row"], "power-of-two");
    state.setup.fork = None;
    let address = format!("labs/herding/#{}", link::write(lab, &state));
    assert!(run(&["link", &address]).ok().lines().last().unwrap().starts_with("differs: was "));
}

#[test]
fn steps_of_a_fork_are_refused() {
    assert!(run(&["link", ADDRESS, "--steps"]).refused().contains("fork"));
}

#[test]
fn a_lab_that_cannot_change_on_the_way_refuses_a_fork() {
    for lab in LABS.iter().filter(|lab| !lab.forks()) {
        let message = run(&["link", &format!("labs/{}/#fork=2", lab.id)]).refused();
        assert!(message.contains("fork") && message.contains(lab.id), "{message}");
    }
}
