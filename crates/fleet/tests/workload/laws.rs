//! Laws that hold for every workload, whatever becomes of its requests.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tokenyard_det::Stream;
use tokenyard_fleet::scenario::{Draft, Section};
use tokenyard_fleet::time::MILLI;
use tokenyard_fleet::workload::MOST_TOKENS;
use tokenyard_fleet::{Request, Scenario, Workload};
use tokenyard_param::Value;

use crate::stage::{Fate, Served, play};

/// Small scenarios of every kind.
fn any_scenario() -> impl Strategy<Value = Scenario> {
    let numbers = (1..400_i64, 1..5_i64, 0..4_i64, 1..4_i64, 1..20_i64, 1..9_i64, 0..3_000_i64, 0..900_i64);
    let choices = (0..4_u8, 0..4_u8, 0..4_u8, 0..4_u8, 0..6_u8, 0..2_u8);
    let more =
        (prop_oneof![Just(None), (200..5_000_i64).prop_map(Some)], 1..65_i64, 0..1_000_u64, 0.0..3.0_f64);
    (numbers, choices, more).prop_map(|(numbers, choices, (compact, block, seed, cv))| {
        let mut draft = Draft::default();
        draft.seed = seed;
        let mut set = |section: Section, key: &str, value: Value| {
            let values = draft.section_mut(section);
            let place = values.position(key).unwrap();
            assert!(values.set(place, value), "{key}");
        };
        let (requests, turns, fan_out, child_turns, families, concurrency, shared, growth) = numbers;
        let (arrivals, prompt, output, prefix, shape, rollouts) = choices;
        for (key, value) in [
            ("requests", requests),
            ("turns", turns),
            ("fan_out", fan_out),
            ("child_turns", child_turns),
            ("families", families),
            ("concurrency", concurrency),
            ("shared_tokens", shared),
            ("growth_tokens", growth),
            ("tenants", 3),
            ("straggler_every", 2),
            ("compact_to_tokens", 100),
        ] {
            set(Section::Workload, key, Value::Int(value));
        }
        let arrivals = if rollouts == 1 { 3 } else { arrivals };
        let options = [("arrivals", arrivals), ("prompt_shape", prompt), ("output_shape", output)];
        for (key, value) in options.into_iter().chain([("prefix", prefix), ("shape", shape)]) {
            set(Section::Workload, key, Value::Choice(value));
        }
        if rollouts == 1 {
            set(Section::Workload, "rollouts", Value::Int(families));
        }
        set(Section::Workload, "compact_tokens", compact.map_or(Value::Nothing, Value::Int));
        set(Section::Workload, "prompt_cv", Value::Real(cv));
        set(Section::Workload, "tool_s", Value::Real(cv));
        set(Section::Workload, "priority_share", Value::Real(cv / 3.0));
        set(Section::Fleet, "block", Value::Int(block));
        draft.build(None).unwrap()
    })
}

/// Random service times and failures, of a "fleet" with its own seed.
fn fate(seed: u64, failures: f64) -> impl FnMut(&Request) -> Fate {
    let mut stream = Stream::new(seed, "fate", 0);
    move |_| Fate { time: stream.below(2_000) * MILLI, ok: stream.unit() >= failures }
}

fn sane(all: &[Served], scenario: &Scenario) {
    let block = scenario.fleet.engine.block;
    let mut last = 0;
    for (i, Served { request: r, ended, .. }) in all.iter().enumerate() {
        assert_eq!(r.number as usize, i);
        assert!(r.arrival >= last && *ended >= r.arrival);
        last = r.arrival;
        assert!((1..=MOST_TOKENS).contains(&r.prompt) && (1..=MOST_TOKENS).contains(&r.output));
        assert_eq!(r.chain.blocks(), r.prompt / block);
        assert!(r.parent.is_none_or(|parent| parent < r.number && all[parent as usize].ended <= r.arrival));
        assert!(r.tenant < 3);
    }
}

/// A request without what depends on when others end: its place in its session, and its lengths.
type Kept = (Option<u32>, u32, u32, u32, u32, u8);

fn kept(all: &[Served]) -> BTreeMap<Kept, u32> {
    let mut kept = BTreeMap::new();
    for r in all.iter().map(|s| &s.request) {
        *kept.entry((r.session, r.turn, r.prompt, r.output, r.tenant, r.priority)).or_default() += 1;
    }
    kept
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_request_is_made_once(scenario in any_scenario(), fleet in 0..9_u64) {
        let workload = Workload::new(&scenario, None);
        let most = workload.most();
        let all = play(workload.clone(), fate(fleet, 0.0));
        sane(&all, &scenario);
        prop_assert_eq!(all.len() as u32, most);
        let again = play(workload, fate(fleet, 0.0));
        prop_assert!(all.iter().zip(&again).all(|(a, b)| a.request == b.request));
    }

    /// Another fleet serves the same requests, in another order and at other times.
    #[test]
    fn what_is_asked_does_not_depend_on_who_serves(scenario in any_scenario(), a in 0..9_u64, b in 9..20_u64) {
        let play = |fleet| play(Workload::new(&scenario, None), fate(fleet, 0.0));
        let (a, b) = (play(a), play(b));
        prop_assert_eq!(kept(&a), kept(&b));
        let starts = |all: &[Served]| {
            all.iter().filter(|s| s.request.turn == 0).map(|s| s.request.chain.clone()).collect::<Vec<_>>()
        };
        prop_assert_eq!(starts(&a), starts(&b));
    }

    #[test]
    fn a_failure_ends_its_line_and_nothing_else(scenario in any_scenario(), fleet in 0..9_u64) {
        let workload = Workload::new(&scenario, None);
        let most = workload.most();
        let all = play(workload, fate(fleet, 0.2));
        sane(&all, &scenario);
        prop_assert!(all.len() as u32 <= most);
        let turns: BTreeMap<_, _> =
            all.iter().map(|s| ((s.request.session, s.request.turn), s)).collect();
        for s in all.iter().filter(|s| s.request.session.is_some() && s.request.turn > 0) {
            let r = &s.request;
            let cause = match r.parent {
                Some(parent) => &all[parent as usize],
                None => turns[&(r.session, r.turn - 1)],
            };
            prop_assert!(cause.ok, "{:?}", r);
        }
    }
}
