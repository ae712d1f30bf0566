//! Sessions: turns, children, shapes, compaction, closed loops, rollouts.

use std::collections::BTreeMap;

use tokenyard_fleet::time::{MILLI, SECOND};
use tokenyard_fleet::workload::GENERATED;
use tokenyard_fleet::{Request, Workload};

use crate::stage::{Fate, Served, in_a_second, play, scenario};

fn served(settings: &[(&str, &str)]) -> Vec<Served> {
    play(Workload::new(&scenario(settings), None), in_a_second)
}

/// The ids that were cached when a request had been served.
fn cached(done: &Served, block: u32) -> Vec<u64> {
    let r = &done.request;
    let answer = (r.prompt + r.output - 1) / block - r.prompt / block;
    r.chain.ids().chain(done.generated..done.generated + u64::from(answer)).collect()
}

fn by_session(all: &[Served]) -> BTreeMap<u32, Vec<&Served>> {
    let mut sessions: BTreeMap<u32, Vec<&Served>> = BTreeMap::new();
    all.iter().for_each(|s| sessions.entry(s.request.session.unwrap()).or_default().push(s));
    sessions
}

#[test]
fn a_turn_continues_the_one_before() {
    let all = served(&[
        ("workload.prefix", "sessions"),
        ("workload.turns", "6"),
        ("workload.requests", "600"),
        ("workload.prompt_shape", "constant"),
        ("workload.growth_tokens", "77"),
        ("workload.think_s", "3"),
        ("fleet.block", "16"),
    ]);
    let sessions = by_session(&all);
    assert_eq!((all.len(), sessions.len()), (600, 100));
    let mut pauses = 0.0;
    for turns in sessions.values() {
        assert_eq!(turns.iter().map(|s| s.request.turn).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(turns[0].request.prompt, 512 + 1_024);
        for pair in turns.windows(2) {
            let (before, after) = (&pair[0].request, &pair[1].request);
            assert_eq!(after.prompt, before.prompt + before.output + 77);
            let ids: Vec<u64> = after.chain.ids().collect();
            let known = cached(pair[0], 16);
            assert_eq!(ids[..known.len()], known);
            // The block with the last token was not full: it is text of the new prompt.
            assert!(ids[known.len()..].iter().all(|id| *id < GENERATED));
            assert_eq!(ids.len() as u32, after.prompt / 16);
            assert!(after.arrival >= pair[0].ended);
            pauses += (after.arrival - pair[0].ended) as f64 / SECOND as f64;
        }
    }
    // 500 exponential pauses with mean 3: within five standard errors.
    assert!((pauses / 500.0 - 3.0).abs() < 5.0 * 3.0 / 500.0_f64.sqrt(), "{}", pauses / 500.0);
}

/// 5 000 sessions of 4 calls at 20 requests a second start at 5 a second, within five standard errors.
#[test]
fn the_rate_counts_requests_and_not_sessions() {
    for (path, value) in [("workload.turns", "4"), ("workload.fan_out", "3")] {
        let all = served(&[(path, value), ("workload.rate_rps", "20"), ("workload.requests", "20000")]);
        let starts: Vec<u64> =
            all.iter().filter(|s| s.request.turn == 0).map(|s| s.request.arrival).collect();
        let rate = starts.len() as f64 / (starts[starts.len() - 1] as f64 / SECOND as f64);
        assert_eq!(starts.len(), 5_000);
        assert!((rate / 5.0 - 1.0).abs() < 5.0 / 5_000.0_f64.sqrt(), "{path}: {rate}");
    }
}

#[test]
fn shapes_have_their_numbers_of_calls() {
    for (shape, calls) in
        [("chat", 1), ("rag", 2), ("tool-agent", 12), ("sub-agents", 40), ("long-agent", 300)]
    {
        let requests = (3 * calls).to_string();
        let all = served(&[
            ("workload.shape", shape),
            ("workload.prefix", "sessions"),
            ("workload.requests", &requests),
            ("workload.output_mean", "20"),
            ("workload.growth_tokens", "30"),
        ]);
        let counts: Vec<usize> = by_session(&all).values().map(Vec::len).collect();
        assert_eq!(counts, [calls; 3], "{shape}");
    }
}

#[test]
fn children_share_their_parents_prompt_and_a_summary_waits_for_all() {
    let all = served(&[
        ("workload.shape", "sub-agents"),
        ("workload.prefix", "sessions"),
        ("workload.requests", "40"),
    ]);
    let trunk = cached(&all[0], 16);
    let (children, summary) = (&all[1..39], &all[39]);
    for child in children {
        assert_eq!(child.request.chain.ids().take(trunk.len()).collect::<Vec<_>>(), trunk);
        assert_eq!(child.request.parent, (child.request.turn % 2 == 1).then_some(0));
    }
    let own: Vec<u64> = children.iter().filter_map(|c| c.request.chain.ids().nth(trunk.len())).collect();
    assert_eq!(own.iter().collect::<std::collections::BTreeSet<_>>().len(), 19);
    let last = children.iter().map(|c| c.ended).max().unwrap();
    assert_eq!((summary.request.arrival, summary.request.parent), (last, Some(0)));
    let answers: u32 = children.iter().filter(|c| c.request.turn % 2 == 0).map(|c| c.request.output).sum();
    let known = all[0].request.prompt + all[0].request.output + answers;
    assert!(summary.request.prompt > known, "{} {known}", summary.request.prompt);
    assert_eq!(summary.request.chain.ids().take(trunk.len()).collect::<Vec<_>>(), trunk);
}

#[test]
fn a_prompt_that_grows_too_long_is_replaced() {
    let all = served(&[
        ("workload.shape", "long-agent"),
        ("workload.prefix", "sessions"),
        ("workload.requests", "300"),
        ("workload.compact_tokens", "20000"),
        ("workload.compact_to_tokens", "1000"),
        ("workload.prompt_shape", "constant"),
        ("workload.growth_tokens", "400"),
    ]);
    let mut compactions = 0;
    for pair in all.windows(2) {
        let (before, after) = (&pair[0].request, &pair[1].request);
        assert!(after.prompt <= 20_000);
        let same = before.chain.ids().zip(after.chain.ids()).take_while(|(a, b)| a == b).count();
        if after.prompt < before.prompt {
            compactions += 1;
            assert_eq!((after.prompt, same), (512 + 1_000 + 400, 512 / 16));
        } else {
            assert_eq!(same as u32, before.prompt / 16);
        }
    }
    assert!(compactions >= 5, "{compactions}");
}

#[test]
fn a_closed_loop_keeps_its_concurrency() {
    let settings = [
        ("workload.arrivals", "closed"),
        ("workload.concurrency", "12"),
        ("workload.requests", "500"),
        ("workload.turns", "3"),
    ];
    let slow = |r: &Request| Fate { time: (1 + u64::from(r.output)) * MILLI, ok: r.number % 7 != 3 };
    let all = play(Workload::new(&scenario(&settings), None), slow);
    let mut ends: Vec<u64> = Vec::new();
    for (i, one) in all.iter().enumerate() {
        let at = one.request.arrival;
        assert!(ends.iter().filter(|end| **end > at).count() < 12);
        // Nobody pauses, so everyone is in flight until there are no more sessions to start.
        let all_started = all[..i].iter().any(|s| s.request.session == Some(166));
        let in_flight = ends.iter().filter(|end| **end >= at).count();
        assert!(i < 12 || in_flight >= 11 || all_started, "{in_flight}");
        ends.push(one.ended);
    }
    let sessions = by_session(&all);
    assert_eq!(sessions.len(), 500_usize.div_ceil(3));
    for turns in sessions.values() {
        assert!(turns[..turns.len() - 1].iter().all(|turn| turn.ok));
        assert!(turns.len() == 3 || !turns[turns.len() - 1].ok || turns[0].request.session == Some(166));
    }
}

/// Ray's benchmark: 80 rollouts in 10 steps of 8, 10 turns each, 16 in flight.
#[test]
fn rollouts_come_in_steps_with_stragglers() {
    let all = served(&[
        ("workload.arrivals", "closed"),
        ("workload.concurrency", "16"),
        ("workload.rollouts", "80"),
        ("workload.straggler_every", "4"),
        ("workload.prefix", "sessions"),
        ("workload.shared_tokens", "2048"),
        ("workload.prompt_shape", "constant"),
        ("workload.prompt_mean", "1024"),
        ("workload.output_shape", "constant"),
        ("workload.output_mean", "1024"),
        ("workload.growth_tokens", "0"),
    ]);
    assert_eq!(all.len(), 800);
    let sessions = by_session(&all);
    let first = |n: u32| &sessions[&n][0].request;
    for (number, turns) in &sessions {
        assert_eq!((first(*number).prompt, first(*number).family), (2_048 + 512 + 1_024, Some(number / 8)));
        let outputs: Vec<u32> = turns.iter().map(|t| t.request.output).collect();
        assert!(outputs[..9].iter().all(|o| *o == 1_024));
        assert_eq!(outputs[9], if number % 8 == 0 || number % 8 == 4 { 8_192 } else { 1_024 });
        let same = |other: u32| {
            first(*number).chain.ids().zip(first(other).chain.ids()).take_while(|(a, b)| a == b).count() * 16
        };
        let near = if number % 8 == 0 { number + 1 } else { number - 1 };
        assert_eq!((same(near), same((number + 8) % 80)), (2_560, 2_048));
    }
    let starts: Vec<u32> =
        all.iter().filter(|s| s.request.turn == 0).filter_map(|s| s.request.session).collect();
    assert_eq!(starts, (0..80).collect::<Vec<_>>());
}
