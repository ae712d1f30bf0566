//! The engine proper is the reference engine, event for event, over random scenarios.

#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod reference;

use reference::compare::{compare, compare_engines};
use reference::drive::Manner;
use reference::generate::scenario;
use reference::scenario::Scenario;
use reference::{Engine, Mutation, Reference};

/// The engine that is compared with the reference.
type Subject = Reference;

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
fn assert_equal_over(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let _guard = Seed(seed);
        let scenario = scenario(seed);
        if let Err(first) = difference(&scenario) {
            let smallest = scenario.smallest_that(|shorter| difference(shorter).is_err());
            let last = difference(&smallest).expect_err("it still fails");
            panic!("{first}\ncut down to {} calls: {last}\n{smallest:#?}", smallest.ops.len());
        }
    }
}

#[test]
fn equal_over_a_thousand_scenarios() {
    assert_equal_over(0..1_000);
}

#[test]
fn slow_equal_over_ten_thousand_more() {
    assert_equal_over(1_000..11_000);
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
        eprintln!(
            "{mutation:?} {:?} {}",
            (0..3000).find(|s| is_noticed(*s)),
            (0..3000).filter(|s| is_noticed(*s)).count()
        );
    }
}
