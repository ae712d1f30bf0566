//! What rules are told: a rule that writes everything down.

use std::cell::RefCell;

use tokenyard_det::Digest;
use tokenyard_fleet::metrics::Status;
use tokenyard_fleet::scenario::{ChangeKind, Scenario};
use tokenyard_fleet::time::MILLI;
use tokenyard_policy::{Age, Ask, Choice, Ending, Fact, Knowledge, Rule, RuleSpec, Signals, Why};

use crate::{at_ms, count, crowd, ran, stream};

thread_local! {
    static TOLD: RefCell<Vec<Fact>> = const { RefCell::new(Vec::new()) };
}

/// Sends in turn; its notes are the thread's.
#[derive(Clone, Copy, Debug)]
struct Scribe {
    turn: usize,
}

impl Rule for Scribe {
    fn signals(&self) -> Signals {
        Signals::NONE
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let routable = ask.fleet.routable;
        let Some(to) = self.turn.checked_rem(routable.len()).map(|at| routable[at]) else {
            return Choice::Nobody;
        };
        self.turn += 1;
        Choice::Send { to, why: Why::Turn { cursor: 0 }, tied: 1 }
    }

    fn learn(&mut self, fact: &Fact) {
        TOLD.with_borrow_mut(|told| told.push(*fact));
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.turn as u64);
    }
}

static SCRIBE: RuleSpec = RuleSpec {
    id: "scribe",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &[],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "this test",
    build: |_| Box::new(Scribe { turn: 0 }),
};

/// Facts of a run, and how many attempts were sent.
fn told(mut scenario: Scenario) -> (Vec<Fact>, usize, tokenyard_fleet::World) {
    scenario.router.rule = &SCRIBE;
    TOLD.with_borrow_mut(Vec::clear);
    let world = ran(&scenario);
    let facts = TOLD.with_borrow(Clone::clone);
    (facts, world.decisions().len(), world)
}

fn endings(facts: &[Fact], wanted: Ending) -> Vec<Fact> {
    let is = |fact: &&Fact| matches!(fact, Fact::Ended { how, .. } if *how == wanted);
    facts.iter().filter(is).copied().collect()
}

#[test]
fn an_answer_is_told_with_its_tokens_and_times() {
    let (facts, sent, _) = told(crowd(&[("workload.output_mean", "3")]));
    let firsts = facts.iter().filter(|fact| matches!(fact, Fact::FirstToken { .. })).count();
    assert_eq!((firsts, endings(&facts, Ending::Served).len(), sent), (8, 8, 8));
    let by_replica = |wanted: u16| {
        let is = move |fact: &&Fact| matches!(fact, Fact::FirstToken { by, .. } | Fact::Ended { by, .. } if *by == wanted);
        facts.iter().filter(is).copied().collect::<Vec<_>>()
    };
    let mut starts = Vec::new();
    // Each replica serves one after the other.
    for pair in [by_replica(0), by_replica(1)].iter().flat_map(|facts| facts.chunks(2)) {
        let [Fact::FirstToken { ttft, at, .. }, ended] = *pair else { panic!("{pair:?}") };
        let Fact::Ended { at: end, ttft: told, duration, input, output, .. } = ended else {
            panic!("{pair:?}")
        };
        assert_eq!((Some(ttft), input, output), (told, 1_000, 3));
        // Both clocks started at dispatch.
        assert_eq!(end - at, duration - ttft);
        assert!(duration > ttft);
        starts.push(at - ttft);
    }
    assert!(starts.iter().all(|start| *start == starts[0]), "all were sent at once");
}

#[test]
fn every_attempt_ends_once_whatever_becomes_of_it() {
    let rough = [
        ("client.timeout_ms", "4000"),
        ("client.attempts", "3"),
        ("client.hedge", "fixed"),
        ("client.hedge_ms", "300"),
        ("workload.rate_rps", "60"),
        ("fleet.kv_blocks", "300"),
    ];
    for on_timeout in ["abort", "run-on"] {
        let mut scenario = stream(&[&rough[..], &[("client.on_timeout", on_timeout)]].concat());
        at_ms(&mut scenario, 3_000, 1, ChangeKind::Fail);
        at_ms(&mut scenario, 5_000, 1, ChangeKind::Restart);
        let (facts, sent, world) = told(scenario);
        let ended = facts.iter().filter(|fact| matches!(fact, Fact::Ended { .. })).count();
        assert_eq!(ended, sent, "{on_timeout}");
        let way = |how| endings(&facts, how).len();
        assert_eq!(way(Ending::Served), count(&world, Status::Served), "{on_timeout}");
        assert!(way(Ending::Failed) > 0 && way(Ending::TimedOut) > 0 && way(Ending::Cancelled) > 0);
        assert!(way(Ending::TooLong) > 0 && way(Ending::Limited) == 0);
        let left = [Fact::Left(1), Fact::Joined(1)].map(|one| facts.iter().filter(|f| **f == one).count());
        assert_eq!(left, [1, 1]);
        for fact in &facts {
            let Fact::Ended { how, output, ttft, duration, .. } = *fact else { continue };
            assert_eq!(output > 0, how == Ending::Served, "{fact:?}");
            assert!(ttft.is_none_or(|ttft| ttft <= duration), "{fact:?}");
        }
    }
}

#[test]
fn an_answer_after_its_client_has_gone_is_a_timeout() {
    let fields = [("client.timeout_ms", "150"), ("client.on_timeout", "run-on")];
    let (facts, _, world) = told(crowd(&fields));
    // Two at a time of 100 ms each: the first two are in time.
    assert_eq!((endings(&facts, Ending::Served).len(), count(&world, Status::Served)), (2, 2));
    let late = endings(&facts, Ending::TimedOut);
    assert_eq!(late.len(), 6);
    let durations = late.iter().filter_map(|fact| match fact {
        Fact::Ended { duration, .. } => Some(duration / MILLI / 50),
        _ => None,
    });
    assert!(durations.into_iter().all(|halves| halves >= 4), "told when the engine is through with it");
}
