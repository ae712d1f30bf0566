//! Small runs worked out by hand: what the prefix cache does. An iteration takes 10 + one for each
//! token; blocks have 4 tokens.

use tokenyard_fleet::chain::Chain;
use tokenyard_fleet::engine::types::{
    EngineSettings,
    Happened::{Admitted, Finished, FirstToken},
    Look, Mode,
};
use tokenyard_fleet::time::Ps;

use super::drive::Trace;
use super::scenario::{Answer, Op};
use super::timelines::{arrival, cold, events, play, settings};

fn question(ids: &[u64]) -> Op {
    Op::Hits(ids.iter().copied().collect::<Chain>())
}

fn answers(trace: &Trace) -> Vec<Answer> {
    trace.steps.iter().filter_map(|step| step.answer).collect()
}

fn blocks(answer: Answer) -> (u32, u32) {
    match answer {
        Answer::Look(Look { in_use, idle, .. }) => (in_use, idle),
        Answer::Hits(_) => panic!("that was no look"),
    }
}

/// Two sequences of one prefix in one iteration hit nothing of each other. Each holds 3 blocks;
/// when the iteration ends, the second adopts the two blocks that the first has published.
#[test]
fn blocks_are_shared_from_the_end_of_the_iteration_that_fills_them() {
    let wide = EngineSettings { budget: 100, ..settings(Mode::Chunked) };
    let both = |at: Ps| [(at, arrival(1, 9, 2, &[7, 8])), (at, arrival(2, 9, 2, &[7, 8]))];
    let mut ops = both(0).to_vec();
    // The iteration ends at 28. A reader at 28 still sees the state before.
    ops.extend([(28, question(&[7, 8])), (28, Op::Look), (29, question(&[7, 8, 9])), (29, Op::Look)]);
    let trace = play(wide, &ops);
    assert_eq!(events(&trace)[..2], [(0, 1, cold(9)), (0, 2, cold(9))]);
    let answers = answers(&trace);
    assert_eq!((answers[0], answers[2]), (Answer::Hits(0), Answer::Hits(2)));
    assert_eq!((blocks(answers[1]), blocks(answers[3])), ((6, 0), (4, 0)));
    // At the end both have given up their last block, which nobody can name any more.
    assert_eq!(blocks(answers[4]), (0, 2));
}

/// Eight tokens are two blocks; a duplicate hits one and computes four tokens. Nine tokens: two.
#[test]
fn one_token_is_always_computed() {
    let ops =
        [(0, arrival(1, 8, 1, &[7, 8])), (100, arrival(2, 8, 1, &[7, 8])), (200, arrival(3, 9, 1, &[7, 8]))];
    let events = events(&play(settings(Mode::Chunked), &ops));
    let admitted: Vec<_> =
        events.into_iter().filter(|(_, _, what)| matches!(what, Admitted { .. })).collect();
    assert_eq!(
        admitted,
        [
            (0, 1, cold(8)),
            (100, 2, Admitted { cached: 4, computed: 4 }),
            (200, 3, Admitted { cached: 8, computed: 1 }),
        ]
    );
}

/// The first turn: 6 prompt tokens (block 7), 8 of output: 13 tokens are in the KV cache, so the
/// blocks 1 000 and 1 001 are full. The next turn's 17 tokens hit 12, or 4 without generated ones.
#[test]
fn the_next_turn_hits_what_was_generated() {
    let ops = [(0, arrival(1, 6, 8, &[7])), (1_000, arrival(2, 17, 1, &[7, 1_000, 1_001, 50]))];
    let on = settings(Mode::Chunked);
    let off = EngineSettings { cache_generated: false, ..on };
    let none = EngineSettings { prefix_cache: false, ..on };
    for (settings, cached) in [(on, 12), (off, 4), (none, 0)] {
        let events = events(&play(settings, &ops));
        assert!(events.contains(&(1_000, 2, Admitted { cached, computed: 17 - cached })), "{events:?}");
    }
}

/// A chain that ends early names nothing behind its end, generated blocks included; of one that is
/// too long only the prompt's full blocks count.
#[test]
fn chains_of_other_lengths_than_the_prompt() {
    let short = [(0, arrival(1, 8, 8, &[7])), (500, question(&[7, 1_000])), (500, Op::Look)];
    let told = answers(&play(settings(Mode::Chunked), &short));
    assert_eq!((told[0], blocks(told[1])), (Answer::Hits(1), (0, 1)));
    let long =
        [(0, arrival(1, 5, 8, &[7, 8, 9])), (500, question(&[7, 8])), (500, question(&[7, 1_000, 1_001]))];
    let told = answers(&play(settings(Mode::Chunked), &long));
    assert_eq!(told[..2], [Answer::Hits(1), Answer::Hits(3)]);
}

/// Four blocks. 1 leaves three cached, 2 needs two: the free one and the deepest of them. 3 then
/// hits the two that are left; its claim evicts the deepest of 2.
#[test]
fn eviction_takes_the_deepest_of_the_longest_idle() {
    let small = EngineSettings { capacity: 4, budget: 100, ..settings(Mode::Chunked) };
    let ops = [
        (0, arrival(1, 12, 1, &[1, 2, 3])),
        (100, arrival(2, 8, 1, &[4, 5])),
        (200, question(&[1, 2, 3])),
        (200, question(&[4, 5])),
        (200, arrival(3, 12, 1, &[1, 2, 6])),
        (300, question(&[1, 2, 6])),
        (300, question(&[4, 5])),
    ];
    let trace = play(small, &ops);
    let hits = [2, 2, 3, 1].map(Answer::Hits);
    assert_eq!(answers(&trace)[..4], hits);
    assert!(events(&trace).contains(&(200, 3, Admitted { cached: 8, computed: 4 })));
}

/// Four blocks, one of them idle: the second runs on three while the head of the line needs two and
/// hits the idle one. At every boundary it fails, and evicts nothing.
#[test]
fn a_failed_admission_evicts_nothing() {
    let small = EngineSettings { capacity: 4, budget: 100, ..settings(Mode::Chunked) };
    let ops = [
        (0, arrival(1, 4, 1, &[1])),
        (100, arrival(2, 9, 3, &[])),
        (101, arrival(3, 8, 1, &[1, 2])),
        (130, question(&[1, 2])),
    ];
    let trace = play(small, &ops);
    // Sequence 2 holds three blocks from 100 to 141, the fourth is the idle one of sequence 1. The
    // head holds that for a moment, lacks another, and lets go.
    assert_eq!(answers(&trace)[0], Answer::Hits(1));
    assert_eq!(
        events(&trace)[3..],
        [
            (100, 2, cold(9)),
            (119, 2, FirstToken),
            (141, 2, Finished { longest_gap: 11 }),
            (141, 3, Admitted { cached: 4, computed: 4 }),
            (155, 3, FirstToken),
            (155, 3, Finished { longest_gap: 0 }),
        ]
    );
}
