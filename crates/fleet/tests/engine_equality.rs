//! The engine proper is the reference engine, event for event, over random scenarios.

#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod reference;

use std::ops::Range;

use reference::compare::{compare, compare_engines};
use reference::drive::Manner;
use reference::generate::{foreseeing, scenario};
use reference::histogram::smallest;
use reference::scenario::Scenario;
use reference::{Engine, Mutation, Reference};
use tokenyard_fleet::chain::Chain;
use tokenyard_fleet::engine::types::{EngineEvent, EngineSettings, Happened, Look, Sequence};
use tokenyard_fleet::engine::{Out, Replica};
use tokenyard_fleet::time::Ps;

/// The engine proper, with a place of its own to write to.
struct Subject {
    replica: Replica,
    out: Out,
}

impl Subject {
    /// Hands over what was told since the last call.
    fn tell(&mut self, out: &mut Vec<EngineEvent>) {
        out.append(&mut self.out.events);
    }
}

impl Engine for Subject {
    fn new(settings: &EngineSettings) -> Self {
        Self { replica: Replica::new(settings), out: Out::default() }
    }

    fn enqueue(&mut self, at: Ps, sequence: Sequence, out: &mut Vec<EngineEvent>) {
        self.replica.enqueue(at, sequence, &mut self.out);
        self.tell(out);
    }

    fn abort(&mut self, at: Ps, id: u32, out: &mut Vec<EngineEvent>) {
        self.replica.abort(at, id, &mut self.out);
        self.tell(out);
    }

    fn fail(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        self.replica.fail(at, &mut self.out);
        self.tell(out);
    }

    fn set_speed(&mut self, at: Ps, per_mille: u32) {
        self.replica.set_speed(at, per_mille);
    }

    fn next(&self) -> Option<Ps> {
        self.replica.next()
    }

    fn run(&mut self, out: &mut Vec<EngineEvent>) {
        self.replica.run(&mut self.out);
        self.tell(out);
    }

    fn look(&mut self, at: Ps) -> Look {
        self.replica.look(at, &mut self.out)
    }

    fn hits(&mut self, at: Ps, chain: &Chain) -> u32 {
        self.replica.hits(at, chain, &mut self.out)
    }

    fn gaps(&self) -> Vec<(Ps, u64)> {
        let buckets = self.out.gaps.buckets();
        buckets.map(|(bucket, times)| (smallest(bucket as u64), times)).collect()
    }
}

/// An engine behind a world that keeps its promise: nobody names generated blocks of a sequence
/// that is still inside, since nobody knows its answer yet. Chains are cut where they would.
struct Careful<E> {
    engine: E,
    block: u32,
    /// Id and generated blocks of what is inside.
    inside: Vec<(u32, Range<u64>)>,
}

impl<E: Engine> Careful<E> {
    fn around(engine: E, settings: &EngineSettings) -> Self {
        Self { engine, block: settings.block, inside: Vec::new() }
    }

    /// A chain as far as somebody can know it.
    fn known(&self, chain: &Chain) -> Chain {
        let is_known = |id: &u64| !self.inside.iter().any(|(_, ids)| ids.contains(id));
        chain.ids().take_while(is_known).collect()
    }

    fn forget(&mut self, events: &[EngineEvent]) {
        let left =
            |what| !matches!(what, Happened::Admitted { .. } | Happened::FirstToken | Happened::Preempted);
        for event in events.iter().filter(|event| left(event.what)) {
            self.inside.retain(|(id, _)| *id != event.id);
        }
    }
}

impl<E: Engine> Engine for Careful<E> {
    fn new(settings: &EngineSettings) -> Self {
        Self::around(E::new(settings), settings)
    }

    fn enqueue(&mut self, at: Ps, mut sequence: Sequence, out: &mut Vec<EngineEvent>) {
        let told = out.len();
        sequence.chain = self.known(&sequence.chain);
        let (prompt, all) = (sequence.prompt / self.block, (sequence.prompt + sequence.output) / self.block);
        let end = sequence.generated + u64::from(all - prompt);
        self.inside.push((sequence.id, sequence.generated..end));
        self.engine.enqueue(at, sequence, out);
        self.forget(&out[told..]);
    }

    fn abort(&mut self, at: Ps, id: u32, out: &mut Vec<EngineEvent>) {
        let told = out.len();
        self.engine.abort(at, id, out);
        self.forget(&out[told..]);
    }

    fn fail(&mut self, at: Ps, out: &mut Vec<EngineEvent>) {
        let told = out.len();
        self.engine.fail(at, out);
        self.forget(&out[told..]);
    }

    fn set_speed(&mut self, at: Ps, per_mille: u32) {
        self.engine.set_speed(at, per_mille);
    }

    fn next(&self) -> Option<Ps> {
        self.engine.next()
    }

    fn run(&mut self, out: &mut Vec<EngineEvent>) {
        let told = out.len();
        self.engine.run(out);
        self.forget(&out[told..]);
    }

    fn look(&mut self, at: Ps) -> Look {
        self.engine.look(at)
    }

    fn hits(&mut self, at: Ps, chain: &Chain) -> u32 {
        self.engine.hits(at, &self.known(chain))
    }

    fn gaps(&self) -> Vec<(Ps, u64)> {
        self.engine.gaps()
    }
}

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
    compare::<Careful<Reference>, Careful<Subject>>(scenario)?;
    let settings = &scenario.settings;
    let (plain, subject) = (Careful::new(settings), Careful::new(settings));
    compare_engines::<Careful<Reference>, Careful<Subject>>(plain, subject, scenario, Manner::Nosy)
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
            let faulty =
                Careful::around(Reference::with(&scenario.settings, Some(mutation)), &scenario.settings);
            let subject = Careful::<Subject>::new(&scenario.settings);
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
