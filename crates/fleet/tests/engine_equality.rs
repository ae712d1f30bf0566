//! The engine proper is the reference engine, event for event, over random scenarios.

#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod reference;

use reference::compare::{compare, compare_engines};
use reference::drive::Manner;
use reference::generate::{foreseeing, scenario};
use reference::scenario::Scenario;
use reference::{Engine, Mutation, Reference};

/// The engine that is compared with the reference.
type Subject = Reference;

/// In how many scenarios a fault has to show. The rarest needs a preempted prefill whose blocks
/// another has published meanwhile.
const FOR_A_FAULT: u64 = 2_000;

/// Names the seed of a scenario in which an engine panics.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("this was in the scenario of seed {}", self.0);
        }
    }
}

fn difference(scenario: &Scenario) -> Result<(), String> {
    compare::<Reference, Subject>(scenario)?;
    let settings = &scenario.settings;
    compare_engines(Reference::new(settings), Subject::new(settings), scenario, Manner::Nosy)
}

/// Compares over a range of seeds. A difference is shown in a scenario cut down to what it needs.
fn assert_equal_over(seeds: std::ops::Range<u64>, write: impl Fn(u64) -> Scenario) {
    for seed in seeds {
        let _guard = Seed(seed);
        let scenario = write(seed);
        if let Err(first) = difference(&scenario) {
            let smallest = scenario.smallest_that(|shorter| difference(shorter).is_err());
            let last = difference(&smallest).expect_err("it still fails");
            panic!("{first}\ncut down to {} calls: {last}\n{smallest:#?}", smallest.ops.len());
        }
    }
}

#[test]
fn equal_over_a_thousand_scenarios() {
    assert_equal_over(0..1_000, scenario);
}

#[test]
fn slow_equal_over_ten_thousand_more() {
    assert_equal_over(1_000..11_000, scenario);
}

/// Prompts that contain what a running sequence is still going to generate: the waiting one's hits
/// can grow, and a decoder can adopt a block and so free its own.
#[test]
fn equal_where_prompts_foresee_what_others_generate() {
    assert_equal_over(0..1_000, foreseeing);
}

/// A comparison is worth what it notices: each deliberate fault is found within so many scenarios.
#[test]
fn every_fault_is_noticed() {
    for mutation in Mutation::ALL {
        let is_noticed = |seed| {
            let scenario = scenario(seed);
            let faulty = Reference::with(&scenario.settings, Some(mutation));
            let subject = Subject::new(&scenario.settings);
            compare_engines(faulty, subject, &scenario, Manner::Plain).is_err()
        };
        assert!((0..FOR_A_FAULT).any(is_noticed), "{mutation:?} changes nothing");
    }
}

/// A difference is told so that one can act on it: the seed, the call, both sides, few calls.
#[test]
fn a_difference_is_cut_down_and_named() {
    let fault = |scenario: &Scenario| {
        let faulty = Reference::with(&scenario.settings, Some(Mutation::AbortImmediately));
        compare_engines(faulty, Reference::new(&scenario.settings), scenario, Manner::Plain)
    };
    let found = (0..FOR_A_FAULT).map(scenario).find(|scenario| fault(scenario).is_err());
    let smallest = found.expect("a fault shows").smallest_that(|shorter| fault(shorter).is_err());
    for place in 0..smallest.ops.len() {
        let mut shorter = smallest.clone();
        shorter.ops.remove(place);
        assert_eq!(fault(&shorter), Ok(()), "call {place} is not needed");
    }
    let told = fault(&smallest).expect_err("it still fails");
    let last = smallest.ops.len() - 1;
    assert!(told.starts_with(&format!("seed {}: before or at op {last}, event ", smallest.seed)), "{told}");
    assert!(told.contains("Aborted"), "{told}");
}
