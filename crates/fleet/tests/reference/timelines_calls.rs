//! Small runs worked out by hand: calls from outside, and what a reader sees. An iteration takes
//! 10 + one for each token.

use tokenyard_fleet::engine::types::{
    EngineSettings,
    Happened::{Aborted, Admitted, Finished, FirstToken, Lost, Refused},
    Look, Mode, Order,
};

use super::scenario::{Answer, Op};
use super::timelines::{arrival, cold, events, play, settings};

/// P + O − 1 tokens in 3 blocks of 4 may be 12. The largest lengths there are do not overflow.
#[test]
fn what_could_never_finish_is_refused() {
    let small = EngineSettings { capacity: 3, ..settings(Mode::Chunked) };
    let ops =
        [(5, arrival(1, 6, 8, &[])), (5, arrival(2, u32::MAX, u32::MAX, &[])), (5, arrival(3, 6, 7, &[]))];
    assert_eq!(events(&play(small, &ops))[..3], [(5, 1, Refused), (5, 2, Refused), (5, 3, cold(6))]);
}

/// The running sequence emits the token that is on its way and leaves at the boundary; the waiting
/// one leaves at once; nobody else does.
#[test]
fn an_abort_takes_effect_at_the_boundary() {
    let one = EngineSettings { max_seqs: 1, ..settings(Mode::Chunked) };
    let ops = [
        (0, arrival(1, 6, 3, &[])),
        (0, arrival(2, 5, 2, &[])),
        (0, arrival(3, 4, 1, &[])),
        (10, Op::Abort(1)),
        (11, Op::Abort(2)),
        (11, Op::Abort(2)),
        (12, Op::Abort(1)),
        (12, Op::Abort(99)),
    ];
    assert_eq!(
        events(&play(one, &ops)),
        [
            (0, 1, cold(6)),
            (11, 2, Aborted),
            (16, 1, FirstToken),
            (16, 1, Aborted),
            (16, 3, cold(4)),
            (30, 3, FirstToken),
            (30, 3, Finished { longest_gap: 0 }),
        ]
    );
}

/// A sequence that finishes with the iteration in progress is finished, not aborted.
#[test]
fn an_abort_can_come_too_late() {
    let ops = [(0, arrival(1, 6, 1, &[])), (16, Op::Abort(1)), (17, Op::Abort(1))];
    assert_eq!(
        events(&play(settings(Mode::Chunked), &ops))[1..],
        [(16, 1, FirstToken), (16, 1, Finished { longest_gap: 0 }),]
    );
}

/// A failure at the time of a boundary comes before it: no token, no end. The cache is gone.
#[test]
fn a_failure_loses_everything() {
    let one = EngineSettings { max_seqs: 1, ..settings(Mode::Chunked) };
    let ops = [
        (0, arrival(1, 4, 3, &[1])),
        (0, arrival(2, 4, 1, &[1])),
        (3, arrival(3, 4, 1, &[1])),
        (14, Op::Look),
        (14, Op::Fail),
        (14, Op::Look),
        (20, arrival(4, 8, 1, &[1, 2])),
    ];
    let trace = play(one, &ops);
    assert_eq!(
        events(&trace),
        [
            (0, 1, cold(4)),
            (14, 1, Lost),
            (14, 2, Lost),
            (14, 3, Lost),
            (20, 4, cold(8)),
            (38, 4, FirstToken),
            (38, 4, Finished { longest_gap: 0 }),
        ]
    );
    let before = Look {
        waiting: 2,
        running: 1,
        prefilling: 1,
        in_use: 1,
        prefill_left: 4,
        waiting_tokens: 8,
        ..Look::default()
    };
    assert_eq!(trace.steps[3].answer, Some(Answer::Look(before)));
    assert_eq!(trace.steps[5].answer, Some(Answer::Look(Look::default())));
    let after = Look { idle: 2, iterations: 1, busy: 18, generated: 1, ..Look::default() };
    assert_eq!(trace.steps[7].answer, Some(Answer::Look(after)));
}

/// Half speed from the next iteration on: 16 as begun, then 2 · (10 + 1), then full speed again.
#[test]
fn speed_changes_with_the_next_iteration() {
    let ops = [(0, arrival(1, 6, 3, &[])), (5, Op::Speed(500)), (38, Op::Speed(1_000))];
    assert_eq!(
        events(&play(settings(Mode::Chunked), &ops)),
        [(0, 1, cold(6)), (16, 1, FirstToken), (49, 1, Finished { longest_gap: 22 }),]
    );
}

/// Who arrives at the time of a boundary is admitted at it. Last come first: 4 overtakes 3.
#[test]
fn arrivals_come_before_the_boundary_of_their_time() {
    let last = EngineSettings { max_seqs: 2, order: Order::Last, ..settings(Mode::Chunked) };
    let ops = [
        (0, arrival(1, 6, 9, &[])),
        (16, arrival(2, 2, 1, &[])),
        (17, arrival(3, 2, 1, &[])),
        (18, arrival(4, 2, 1, &[])),
    ];
    let told = events(&play(last, &ops));
    let admitted: Vec<_> = told.into_iter().filter(|(_, _, what)| matches!(what, Admitted { .. })).collect();
    assert_eq!(admitted, [(0, 1, cold(6)), (16, 2, cold(2)), (29, 4, cold(2)), (42, 3, cold(2))]);
}

/// Budget 8 and one prompt of 20: a reader at 18 sees nothing done, at 19 one chunk.
#[test]
fn a_reader_sees_the_boundaries_before() {
    let ops = [(0, Op::Look), (0, arrival(1, 20, 1, &[])), (18, Op::Look), (19, Op::Look)];
    let trace = play(settings(Mode::Chunked), &ops);
    let look = |prefill_left, iterations, busy| {
        let look = Look { running: 1, prefilling: 1, in_use: 5, ..Look::default() };
        Some(Answer::Look(Look { prefill_left, iterations, busy, ..look }))
    };
    assert_eq!(trace.steps[0].answer, Some(Answer::Look(Look::default())));
    assert_eq!(trace.steps[2].answer, look(20, 0, 0));
    assert_eq!(trace.steps[3].answer, look(12, 1, 18));
}
