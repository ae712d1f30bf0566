//! Laws of whole runs, over random scenarios.

#![expect(clippy::panic, reason = "helpers of tests fail as tests do")]

use tokenyard_fleet::World;
use tokenyard_fleet::digest::draft;
use tokenyard_fleet::metrics::{Report, Status};
use tokenyard_fleet::recording::Recording;
use tokenyard_fleet::run::run_to_end;
use tokenyard_fleet::scenario::{Change, ChangeKind, Scenario};
use tokenyard_fleet::time::SECOND;
use tokenyard_fleet::world::{End, Step};

fn scenario(seed: u64) -> Scenario {
    draft(seed).build(None).unwrap_or_else(|problems| panic!("seed {seed}: {problems:?}"))
}

/// A scenario with failures, restarts, drains and changes of speed.
fn troubled(seed: u64) -> Scenario {
    let mut scenario = scenario(seed);
    let n = scenario.fleet.replicas;
    for i in 0..8 {
        let kind = match (seed + i) % 5 {
            0 => ChangeKind::Fail,
            1 | 2 => ChangeKind::Restart,
            3 => ChangeKind::Drain,
            _ => ChangeKind::Undrain,
        };
        let replica = ((seed * 7 + i * 3) % u64::from(n)) as u32;
        scenario.changes.push(Change { at: (i + 1) * SECOND, replica, kind });
    }
    scenario.changes.push(Change { at: 3 * SECOND, replica: 0, kind: ChangeKind::Speed(300) });
    let all = 0..n;
    scenario.changes.extend(all.map(|replica| Change {
        at: 12 * SECOND,
        replica,
        kind: ChangeKind::Restart,
    }));
    scenario.changes.sort_by_key(|change| change.at);
    scenario
}

fn both(seed: u64) -> Scenario {
    if seed.is_multiple_of(2) { scenario(seed) } else { troubled(seed) }
}

#[test]
fn requests_attempts_and_blocks_are_conserved_and_the_clock_never_goes_back() {
    for seed in 0..300 {
        let mut world = World::new(&both(seed), None);
        let mut before = 0;
        let end = loop {
            match world.step() {
                Step::Did(at) => {
                    assert!(at >= before, "seed {seed}");
                    before = at;
                    if world.events().is_multiple_of(97) {
                        world.laws().unwrap_or_else(|broken| panic!("seed {seed}: {broken:?}"));
                    }
                }
                Step::Ended(end) => break end,
            }
        };
        world.laws().unwrap_or_else(|broken| panic!("seed {seed}: {broken:?}"));
        if end == End::Drained {
            assert_eq!(world.in_system(), 0, "seed {seed}");
        }
        assert_ne!(end, End::Stuck, "seed {seed}: every replica comes back at the end");
    }
}

/// A law over scenarios in which nothing happens says nothing.
#[test]
fn the_random_scenarios_reach_everything() {
    let mut ended = std::collections::BTreeMap::new();
    let mut counts = [0; 8];
    for seed in 0..300 {
        let mut world = World::new(&both(seed), None);
        run_to_end(&mut world);
        let report = Report::of(&world);
        report.ended.iter().for_each(|(status, n)| *ended.entry(*status).or_insert(0) += n);
        let more = [report.preemptions, report.wasted_tokens, report.recomputed_tokens];
        for (count, new) in counts.iter_mut().zip(report.client.into_iter().chain(more)) {
            *count += new;
        }
    }
    assert_eq!(ended.len(), 7, "{ended:?}");
    assert!(ended.values().chain(&counts).all(|n| *n >= 20), "{ended:?} {counts:?}");
}

/// Causality: nobody is served before being admitted, admitted before arriving; and only whole
/// answers count as served.
#[test]
fn no_effect_comes_before_its_cause() {
    for seed in 0..200 {
        let mut world = World::new(&both(seed), None);
        run_to_end(&mut world);
        for outcome in world.outcomes().all() {
            assert!(outcome.queue <= outcome.ttft || outcome.ttft == 0, "seed {seed}: {outcome:?}");
            assert!(outcome.ttft <= outcome.e2e, "seed {seed}: {outcome:?}");
            assert!(outcome.cached < outcome.prompt, "one token is always computed: {outcome:?}");
            assert_eq!(outcome.status == Status::Served, outcome.replica.is_some());
        }
    }
}

#[test]
fn two_runs_are_the_same_run_and_recording_changes_nothing() {
    for seed in 0..60 {
        let scenario = both(seed);
        let (mut a, mut b) = (World::new(&scenario, None), World::new(&scenario, None));
        b.record();
        assert_eq!(run_to_end(&mut a), run_to_end(&mut b));
        assert_eq!((a.digest(), a.state_digest()), (b.digest(), b.state_digest()), "seed {seed}");
        let (mut ra, mut rb) = (Report::of(&a), Report::of(&b));
        (ra.regret, rb.regret) = Default::default();
        assert_eq!(ra, rb);
    }
}

#[test]
fn seeking_is_replaying() {
    for seed in 0..24 {
        let scenario = both(seed);
        let recording = Recording::of(&scenario, None);
        let mut world = World::new(&scenario, None);
        world.record();
        let mut next = 0;
        while let Step::Did(_) = world.step() {
            if world.events() >= next {
                next += recording.events() / 7 + 1;
                let there = recording.at(world.events());
                assert_eq!(there.state_digest(), world.state_digest(), "seed {seed}");
                assert_eq!(there.outcomes().all(), world.outcomes().all());
                assert_eq!(there.decisions(), world.decisions());
                let mut on = there;
                run_to_end(&mut on);
                assert_eq!(on.digest(), recording.last().digest(), "seed {seed}");
            }
        }
        assert_eq!(recording.events(), world.events());
    }
}

/// A fork under the same settings is the same future for rules that keep nothing of their own,
/// and the past is the same under any.
#[test]
fn a_fork_keeps_the_past() {
    for seed in 0..40 {
        let mut draft = draft(seed);
        draft.set("router.rule", "random").unwrap();
        let recording = Recording::of(&draft.build(None).unwrap(), None);
        let event = recording.events() / 2;
        let past = recording.at(event);
        draft.set("router.rule", "round-robin").unwrap();
        draft.set("client.attempts", "1").unwrap();
        let fork = recording.fork(event, &draft.build(None).unwrap()).unwrap();
        let common = past.outcomes().len() as usize;
        let forked = fork.last().outcomes().all();
        assert_eq!(&forked[..common], past.outcomes().all(), "seed {seed}");
        fork.last().laws().unwrap();
        draft.set("fleet.replicas", "3").unwrap();
        if past.outstanding().len() != 3 {
            let refused = recording.fork(event, &draft.build(None).unwrap()).unwrap_err();
            assert_eq!(refused.path, "fleet");
        }
    }
}

/// Common random numbers: another rule sees the same arrivals, one by one.
#[test]
fn changing_the_rule_changes_no_arrival() {
    for seed in 0..40 {
        let mut draft = draft(seed);
        // What depends on answers depends on who gave them.
        for (path, text) in
            [("workload.arrivals", "poisson"), ("workload.turns", "1"), ("workload.fan_out", "0")]
        {
            draft.set(path, text).unwrap();
        }
        let arrivals = |rule: &str| {
            let mut draft = draft.clone();
            draft.set("router.rule", rule).unwrap();
            let mut world = World::new(&draft.build(None).unwrap(), None);
            run_to_end(&mut world);
            let mut seen: Vec<_> =
                world.outcomes().all().iter().map(|o| (o.number, o.arrival, o.prompt, o.output)).collect();
            seen.sort_unstable();
            seen
        };
        assert_eq!(arrivals("round-robin"), arrivals("dynamo-kv"), "seed {seed}");
    }
}
