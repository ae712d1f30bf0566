//! Laws of the reference engine and of the scenarios it is asked about.

use std::collections::BTreeMap;

use tokenyard_fleet::engine::types::{EngineEvent, Happened, Mode, Sequence};

use super::drive::{Manner, Trace, drive};
use super::generate::scenario;
use super::scenario::{Answer, Op, Scenario};
use super::{Engine, Reference};

const SCENARIOS: u64 = 1_000;

fn sequences(scenario: &Scenario) -> impl Iterator<Item = &Sequence> {
    scenario.ops.iter().filter_map(|(_, op)| match op {
        Op::Enqueue(sequence) => Some(sequence),
        _ => None,
    })
}

fn trace(scenario: &Scenario) -> Trace {
    drive(Reference::new(&scenario.settings), scenario, Manner::Plain).expect("it comes to an end")
}

/// The block before each id. An id that has two is a fault of the generator.
fn parents(scenario: &Scenario) -> BTreeMap<u64, Option<u64>> {
    let mut parents = BTreeMap::new();
    for sequence in sequences(scenario) {
        let block = scenario.settings.block;
        let full = sequence.prompt / block;
        let mut ids: Vec<u64> = sequence.chain.cut(full).ids().collect();
        if ids.len() == full as usize {
            let generated = u64::from((sequence.prompt + sequence.output) / block - full);
            ids.extend(sequence.generated..sequence.generated + generated);
        }
        for (place, id) in ids.iter().enumerate() {
            let parent = place.checked_sub(1).map(|before| ids[before]);
            assert_eq!(*parents.entry(*id).or_insert(parent), parent, "{id} has two places");
        }
    }
    parents
}

/// Blocks, references, paths, parents and the line, after every boundary and every call.
#[test]
fn the_state_is_lawful_at_every_moment() {
    for seed in 0..SCENARIOS {
        let scenario = scenario(seed);
        let parents = parents(&scenario);
        let mut engine = Reference::new(&scenario.settings);
        let mut out = Vec::new();
        for (at, op) in &scenario.ops {
            while engine.next().is_some_and(|next| next < *at) {
                engine.run(&mut out);
                engine.check(&parents);
            }
            op.call(&mut engine, *at, &mut out);
            engine.check(&parents);
        }
        while engine.next().is_some() {
            engine.run(&mut out);
            engine.check(&parents);
        }
    }
}

/// Where the events so far have left a sequence.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    runs: bool,
    has_token: bool,
    ends: u32,
}

fn follow(place: &mut Place, event: &EngineEvent, sequence: &Sequence, block: u32) {
    assert_eq!(place.ends, 0, "{event:?} after the end");
    match event.what {
        Happened::Admitted { cached, computed } => {
            assert!(!place.runs && computed > 0 && cached % block == 0, "{event:?}");
            let target = cached + computed;
            let least = sequence.prompt + u32::from(place.has_token);
            assert!(target >= least && target < sequence.prompt + sequence.output, "{event:?}");
            place.runs = true;
        }
        Happened::FirstToken => {
            assert!(place.runs && !place.has_token, "{event:?}");
            place.has_token = true;
        }
        Happened::Preempted => {
            assert!(place.runs, "{event:?}");
            place.runs = false;
        }
        Happened::Finished { longest_gap } => {
            assert!(place.runs && place.has_token, "{event:?}");
            assert_eq!(longest_gap == 0, sequence.output == 1, "{event:?}");
            place.ends += 1;
        }
        Happened::Refused | Happened::Aborted | Happened::Lost => place.ends += 1,
    }
}

/// Every sequence ends exactly once or is still inside, and goes the way a sequence can go.
#[test]
fn no_sequence_is_lost_or_doubled() {
    for seed in 0..SCENARIOS {
        let scenario = scenario(seed);
        let trace = trace(&scenario);
        let by_id: BTreeMap<u32, &Sequence> = sequences(&scenario).map(|s| (s.id, s)).collect();
        let mut places: BTreeMap<u32, Place> = by_id.keys().map(|id| (*id, Place::default())).collect();
        for event in trace.steps.iter().flat_map(|step| &step.events) {
            let place = places.get_mut(&event.id).expect("only sequences that came have events");
            follow(place, event, by_id[&event.id], scenario.settings.block);
        }
        let Some(Answer::Look(last)) = trace.steps.last().and_then(|step| step.answer) else {
            panic!("the last step is a look");
        };
        let inside = places.values().filter(|place| place.ends == 0).count() as u32;
        assert_eq!(inside, last.waiting + last.running, "seed {seed}");
        assert!(scenario.end.is_some() || inside == 0, "seed {seed}: work is left");
    }
}

/// The clock never runs backwards, and without aborts and failures every token has its gap.
#[test]
fn time_goes_on_and_every_token_counts() {
    for seed in 0..SCENARIOS {
        let mut scenario = scenario(seed);
        scenario.ops.retain(|(_, op)| !matches!(op, Op::Abort(_) | Op::Fail));
        scenario.end = None;
        let trace = trace(&scenario);
        let events: Vec<_> = trace.steps.iter().flat_map(|step| &step.events).collect();
        assert!(events.is_sorted_by_key(|event| event.at), "seed {seed}");
        let is_finished =
            |id| events.iter().any(|e| e.id == id && matches!(e.what, Happened::Finished { .. }));
        let finished = sequences(&scenario).filter(|sequence| is_finished(sequence.id));
        let tokens: u64 = finished.map(|sequence| u64::from(sequence.output) - 1).sum();
        assert_eq!(trace.gaps.iter().map(|(_, times)| times).sum::<u64>(), tokens, "seed {seed}");
    }
}

/// Scenarios that never preempt, hit or fail would compare nothing.
#[test]
fn the_scenarios_reach_every_corner() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..SCENARIOS {
        let scenario = scenario(seed);
        let mode = match scenario.settings.mode {
            Mode::Static => "static preempts",
            Mode::Continuous => "continuous preempts",
            Mode::Chunked => "chunked preempts",
        };
        let mut preempted = Vec::new();
        for event in trace(&scenario).steps.iter().flat_map(|step| &step.events) {
            let what = match event.what {
                Happened::Refused => "refused",
                Happened::Admitted { cached: 0, .. } => "admitted cold",
                Happened::Admitted { .. } if preempted.contains(&event.id) => "recompute with hits",
                Happened::Admitted { .. } => "admitted with hits",
                Happened::FirstToken => "first token",
                Happened::Finished { .. } => "finished",
                Happened::Preempted => mode,
                Happened::Aborted => "aborted",
                Happened::Lost => "lost",
            };
            if event.what == Happened::Preempted {
                preempted.push(event.id);
            }
            *seen.entry(what).or_default() += 1;
        }
    }
    assert_eq!(seen.len(), 11, "{seen:?}");
    assert!(seen.values().all(|times| *times >= 50), "{seen:?}");
}
