//! Small runs worked out by hand: what each mode does with two or three sequences. An iteration
//! takes 10 + one for each token, unless it says otherwise.

use tokenyard_fleet::chain::Chain;
use tokenyard_fleet::engine::cost::Cost;
use tokenyard_fleet::engine::types::{
    EngineEvent, EngineSettings,
    Happened::{self, Admitted, Finished, FirstToken, Preempted},
    Mode, Order, Sequence,
};
use tokenyard_fleet::time::Ps;

use super::drive::{Manner, Trace, drive};
use super::scenario::{Op, Scenario};
use super::{Engine, Reference};

/// Blocks of 4, room for all, four sequences, eight tokens.
pub(super) fn settings(mode: Mode) -> EngineSettings {
    EngineSettings {
        block: 4,
        capacity: 100,
        max_seqs: 4,
        budget: 8,
        mode,
        prefix_cache: true,
        cache_generated: true,
        long_prefill: None,
        order: Order::First,
        cost: Cost { a: 10, w: 0, b: 1, g: 0, d: 0, e: 0 },
    }
}

/// The arrival of a sequence whose generated blocks are `id · 1 000`, `id · 1 000 + 1`, ….
pub(super) fn arrival(id: u32, prompt: u32, output: u32, chain: &[u64]) -> Op {
    let chain: Chain = chain.iter().copied().collect();
    Op::Enqueue(Sequence { id, prompt, output, chain, generated: u64::from(id) * 1_000 })
}

pub(super) fn play(settings: EngineSettings, ops: &[(Ps, Op)]) -> Trace {
    let scenario = Scenario { seed: 0, settings, ops: ops.to_vec(), end: None };
    drive(Reference::new(&settings), &scenario, Manner::Plain).expect("it comes to an end")
}

/// Everything that happened: when, to whom, what.
pub(super) fn events(trace: &Trace) -> Vec<(Ps, u32, Happened)> {
    let all = trace.steps.iter().flat_map(|step| &step.events);
    all.map(|&EngineEvent { at, id, what }| (at, id, what)).collect()
}

pub(super) fn cold(computed: u32) -> Happened {
    Admitted { cached: 0, computed }
}

fn two() -> Vec<(Ps, Op)> {
    vec![(0, arrival(1, 6, 3, &[])), (0, arrival(2, 5, 2, &[]))]
}

/// Budget 8: 6 + 2 tokens (18), then one token and the last 3 (14), then two tokens (12).
#[test]
fn chunked_mixes_decode_and_prefill() {
    assert_eq!(
        events(&play(settings(Mode::Chunked), &two())),
        [
            (0, 1, cold(6)),
            (0, 2, cold(5)),
            (18, 1, FirstToken),
            (32, 2, FirstToken),
            (44, 1, Finished { longest_gap: 14 }),
            (44, 2, Finished { longest_gap: 12 }),
        ]
    );
}

/// A cap of 2: 2 + 2 (14), 2 + 2 (14), 2 + 1 (13), 1 + 1 (12), 1 (11).
#[test]
fn the_cap_on_long_prefills_leaves_room_for_others() {
    let capped = EngineSettings { long_prefill: Some(2), ..settings(Mode::Chunked) };
    assert_eq!(
        events(&play(capped, &two())),
        [
            (0, 1, cold(6)),
            (0, 2, cold(5)),
            (41, 1, FirstToken),
            (41, 2, FirstToken),
            (53, 2, Finished { longest_gap: 12 }),
            (64, 1, Finished { longest_gap: 12 }),
        ]
    );
}

/// 6 tokens (16); the 5 of the second do not fit beside them, so they stall the first (15); then
/// two tokens (12) and one (11).
#[test]
fn continuous_stalls_decoders_for_a_prefill() {
    assert_eq!(
        events(&play(settings(Mode::Continuous), &two())),
        [
            (0, 1, cold(6)),
            (16, 1, FirstToken),
            (16, 2, cold(5)),
            (31, 2, FirstToken),
            (43, 2, Finished { longest_gap: 12 }),
            (54, 1, Finished { longest_gap: 27 }),
        ]
    );
}

/// The batch is filled in three prefill iterations (16, 15, 12), as the third sequence arrives
/// while it is being filled; the fourth comes too late and waits until the last has finished.
#[test]
fn static_fills_a_batch_and_decodes_it_to_the_last() {
    let mut ops = two();
    ops.push((20, arrival(3, 2, 1, &[])));
    ops.push((43, arrival(4, 2, 1, &[])));
    ops.push((50, arrival(5, 30, 1, &[])));
    // At 43 the fourth arrives before the boundary and still joins; the fifth does not.
    assert_eq!(
        events(&play(settings(Mode::Static), &ops)),
        [
            (0, 1, cold(6)),
            (16, 1, FirstToken),
            (16, 2, cold(5)),
            (31, 2, FirstToken),
            (31, 3, cold(2)),
            (43, 3, FirstToken),
            (43, 3, Finished { longest_gap: 0 }),
            (43, 4, cold(2)),
            (55, 4, FirstToken),
            (55, 4, Finished { longest_gap: 0 }),
            (55, 5, cold(30)),
            (95, 5, FirstToken),
            (95, 5, Finished { longest_gap: 0 }),
            (107, 2, Finished { longest_gap: 76 }),
            (118, 1, Finished { longest_gap: 91 }),
        ]
    );
}

/// Once a batch decodes, nobody joins it: not while there are slots and blocks.
#[test]
fn static_admits_nobody_while_it_decodes() {
    let ops = [(0, arrival(1, 6, 3, &[])), (17, arrival(2, 5, 1, &[]))];
    assert_eq!(
        events(&play(settings(Mode::Static), &ops)),
        [
            (0, 1, cold(6)),
            (16, 1, FirstToken),
            (38, 1, Finished { longest_gap: 11 }),
            (38, 2, cold(5)),
            (53, 2, FirstToken),
            (53, 2, Finished { longest_gap: 0 }),
        ]
    );
}

/// Blocks of 2, five of them. Both prompts fill two; at 18 the first decoder takes the fifth and
/// the second is preempted by its own need. It waits until the first has finished: at 29 and 40
/// two of its blocks are cached, but there is no room for a third; at 40 its deepest was evicted.
/// At 51 it hits one block, computes the other 3 of its 5 tokens (13), and decodes twice.
#[test]
fn a_preempted_sequence_recomputes_what_it_does_not_hit() {
    let tight = EngineSettings { block: 2, capacity: 5, max_seqs: 2, ..settings(Mode::Chunked) };
    let ops = [(0, arrival(1, 4, 4, &[10, 11])), (0, arrival(2, 4, 4, &[30, 31]))];
    let trace = play(tight, &ops);
    assert_eq!(
        events(&trace),
        [
            (0, 1, cold(4)),
            (0, 2, cold(4)),
            (18, 1, FirstToken),
            (18, 2, FirstToken),
            (18, 2, Preempted),
            (51, 1, Finished { longest_gap: 11 }),
            (51, 2, Admitted { cached: 2, computed: 3 }),
            (86, 2, Finished { longest_gap: 46 }),
        ]
    );
    assert_eq!(trace.gaps, [(11, 5), (46, 1)]);
}

/// Three decoders of one block each and no fourth block: the first grows, so the last goes; the
/// second grows, so it is itself the last and goes. The line is 2, 3: the last preempted first.
#[test]
fn the_last_admitted_goes_first_and_the_last_preempted_comes_back_first() {
    let tight = EngineSettings { capacity: 3, prefix_cache: false, budget: 16, ..settings(Mode::Chunked) };
    let ops: Vec<_> = (1..=3).map(|id| (0, arrival(id, 4, 2, &[]))).collect();
    assert_eq!(
        events(&play(tight, &ops)),
        [
            (0, 1, cold(4)),
            (0, 2, cold(4)),
            (0, 3, cold(4)),
            (22, 1, FirstToken),
            (22, 2, FirstToken),
            (22, 3, FirstToken),
            (22, 3, Preempted),
            (22, 2, Preempted),
            (33, 1, Finished { longest_gap: 11 }),
            (33, 2, cold(5)),
            (48, 2, Finished { longest_gap: 26 }),
            (48, 3, cold(5)),
            (63, 3, Finished { longest_gap: 41 }),
        ]
    );
}

/// One token of a decoder reads its KV cache as it is after writing; a chunk of p tokens on c
/// counts p · (2c + p). Coefficients 1 000 for KV tokens and 1 for half-pairs.
#[test]
fn cost_counts_what_is_read() {
    let cost = Cost { a: 0, w: 0, b: 0, g: 0, d: 1_000, e: 1 };
    let narrow = EngineSettings { budget: 5, cost, ..settings(Mode::Chunked) };
    let trace = play(narrow, &[(0, arrival(1, 8, 3, &[]))]);
    // 5·5, then 3·(10 + 3), then 9 and 10 KV tokens.
    assert_eq!(
        events(&trace),
        [(0, 1, cold(8)), (64, 1, FirstToken), (19_064, 1, Finished { longest_gap: 10_000 }),]
    );
}

/// vLLM's numbers of section 9.1. An iteration takes one tick for each token.
fn vllm() -> EngineSettings {
    EngineSettings {
        block: 16,
        capacity: 10_000,
        max_seqs: 256,
        budget: 2_048,
        cost: Cost { a: 0, w: 0, b: 1, g: 0, d: 0, e: 0 },
        ..settings(Mode::Chunked)
    }
}

/// vLLM's numbers: budget 2048 with 100 sequences that decode leaves 1948 tokens of a prompt of 5000,
/// then 1948, then 1104 (section 9.1).
#[test]
fn section_9_1_case_1_what_decoding_leaves_of_the_budget() {
    let mut ops: Vec<_> = (0..100).map(|id| (0, arrival(id, 1, 10, &[]))).collect();
    // All hundred are prefilled at 100, and decode alone until 200.
    ops.push((150, arrival(100, 5_000, 1, &[])));
    let trace = play(vllm(), &ops);
    let all = events(&trace);
    assert!(all.contains(&(200, 100, cold(5_000))));
    assert!(all.contains(&(200 + 2_048 + 2_048 + 1_204, 100, FirstToken)));
}

/// With all places taken, prompts get nothing of the budget, however much is left of it.
#[test]
fn section_9_1_case_2_no_place_no_tokens() {
    let mut ops: Vec<_> = (0..256).map(|id| (0, arrival(id, 1, 5, &[]))).collect();
    ops.push((300, arrival(256, 500, 1, &[])));
    let trace = play(vllm(), &ops);
    let admitted = events(&trace).into_iter().find(|(_, id, _)| *id == 256);
    // Five iterations of 256 tokens each, and only then the prompt.
    assert_eq!(admitted, Some((5 * 256, 256, cold(500))));
}
