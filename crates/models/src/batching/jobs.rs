//! The six jobs, and which of them arrives when.

use tokenyard_det::rng::shuffled;

/// One job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its letter.
    pub id: char,
    /// The iteration, from 0, at the start of which it joins the waiting list.
    pub arrival: u32,
    /// Iterations of prefill that it needs; at least 1.
    pub prefill_chunks: u32,
    /// Iterations of decode that it needs, each one output token; at least 1.
    pub decode_steps: u32,
}

/// Number of jobs.
pub const JOB_COUNT: usize = 6;

const fn job(id: char, arrival: u32, prefill_chunks: u32, decode_steps: u32) -> Job {
    Job { id, arrival, prefill_chunks, decode_steps }
}

/// The published jobs, by arrival.
pub const JOBS: [Job; JOB_COUNT] = [
    job('A', 0, 2, 6),
    job('B', 0, 1, 3),
    job('C', 1, 3, 4),
    job('D', 2, 1, 8),
    job('E', 4, 2, 3),
    job('F', 6, 1, 5),
];

/// The jobs by arrival, for a seed. The arrival times are always those of [`JOBS`], in the same
/// order; the seed decides which job gets which. Of two that arrive together the first in this
/// list waits in front.
///
/// Seed 0 is the published order, exactly. Any other seed shuffles the jobs after Fisher and
/// Yates with a Mulberry32 stream that starts at the seed: for `i` from 5 down to 1, draw
/// `j = uniform_int(i + 1)` and swap the jobs at `i` and `j`; the job at `i` then gets the
/// arrival time of `JOBS[i]`.
#[must_use]
pub fn jobs(seed: u32) -> [Job; JOB_COUNT] {
    let order: [usize; JOB_COUNT] = shuffled(seed);
    std::array::from_fn(|i| Job { arrival: JOBS[i].arrival, ..JOBS[order[i]] })
}
