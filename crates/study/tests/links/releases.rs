//! Links of every release open, say what they said, and give the figures that they promise.

use tokenyard_det::Digest;
use tokenyard_lab::LabRun;
use tokenyard_lab::link::FORMS;
use tokenyard_lab::link::form::Forms;
use tokenyard_study::link::{self, MODEL_VERSION, PAGE, State};
use tokenyard_study::named::NAMED;
use tokenyard_study::reports::INCIDENTS;
use tokenyard_study::{Study, StudyRun, work};

use crate::golden::{Folder, changelog, explained, sorted};

/// States of our own beside the reports: rules with parameters, changes, other fleets, a request.
const OWN: [&str; 10] = [
    "rules=random",
    "rules=round-robin,power-of-two&seed=4294967296",
    "rules=random,least-outstanding,prefix-gap,dynamo-kv&seed=7&at=120",
    "1.implicit_key=on&1.virtual_nodes=40&rules=consistent-hash&fleet.replicas=8",
    "2.implicit_key=on&at=33",
    "router.load=scraped&router.scrape_ms=400&router.routers=3",
    "change=2,1,fail&change=4.5,1,restart&change=6,0,slow,500&fleet.replicas=3",
    "workload.arrivals=closed&workload.concurrency=40&workload.requests=300",
    "gateway.queue_cap=40&client.attempts=3&client.backoff=exponential&workload.rate_rps=60&slo.ttft_ms=1500",
    "workload.prompt_shape=mixture&workload.prompt_second_mean=9000&workload.requests=120&seed=3",
];

fn run(state: &State) -> StudyRun {
    let lanes = work::run(&state.study, None).unwrap_or_else(|p| panic!("{p:?}: {}", link::write(state)));
    StudyRun::new(&state.study, lanes)
}

/// Start page, named workloads, reports with and without their cures, and our own.
fn states() -> Vec<State> {
    let plain = |study: Study| State { study, at: None, version: None, headline: None };
    let named = NAMED.iter().map(|named| {
        let mut study = Study::default();
        named.put(&mut study);
        plain(study)
    });
    let reports = INCIDENTS.iter().copied().flatten().flat_map(|i| [i.broken, i.cured]);
    let written = reports.chain(OWN).map(|fragment| {
        let (state, notices) = link::read(fragment);
        assert_eq!(notices, [], "{fragment}");
        state
    });
    let mut states: Vec<State> = Vec::new();
    for state in named.chain(written) {
        if !states.contains(&state) {
            states.push(state);
        }
    }
    states
}

fn signed(state: &State) -> String {
    let headline = Some(run(state).headline());
    let state = State { version: Some(MODEL_VERSION), headline, ..state.clone() };
    link::share(&state).unwrap()
}

#[test]
fn links_of_this_version_are_on_record() {
    let mut lines: Vec<String> = states().iter().map(|state| format!("fleet/#{}", signed(state))).collect();
    let last = lines.last().and_then(|line| line.split_once('#')).unwrap().1.to_owned();
    lines.push(format!("https://example.org/a/fleet/index.html?lang=ja#{last}"));
    Folder::own().keep(&lines);
}

#[test]
fn the_record_of_a_release_is_not_written_again() {
    Folder::own().fence();
}

#[test]
fn links_of_every_release_open_as_they_were_and_keep_their_figures() {
    for (version, line) in Folder::own().links() {
        let (address, fragment) = line.split_once('#').unwrap();
        assert!(address.contains("fleet/"), "{line}");
        let (state, notices) = link::read(fragment);
        assert_eq!(notices, [], "{version}: {line}");
        let again = link::write(&state);
        if FORMS.open_link(PAGE, fragment) == Forms(&[]).open_link(PAGE, fragment) {
            assert_eq!(sorted(&again), sorted(fragment), "{version}: {line}");
        }
        assert_eq!(link::read(&again), (state.clone(), vec![]), "{version}: {line} became {again}");
        if state.version == Some(MODEL_VERSION) {
            assert_eq!(state.headline, Some(run(&state).headline()), "{version}: {line}");
        }
        assert!(state.headline.is_some() && state.version.is_some(), "{version}: {line}");
    }
}

/// All figures of every lane and how many decisions there were. The parity suite compares whole
/// histories; here a few hundred runs say that the model is another one.
#[test]
fn a_change_of_results_is_another_model() {
    let spec = "crates/study/src/link.rs (MODEL_VERSION)";
    let digest = |fragment: &str| {
        let mut digest = Digest::default();
        run(&link::read(fragment).0).digest(&mut digest);
        digest.finish()
    };
    let now = || states().iter().map(link::write).collect();
    Folder::own().hold((PAGE, MODEL_VERSION, spec), now, digest);
    assert_eq!(explained(&changelog(), PAGE, MODEL_VERSION), Ok(()));
}
