//! The fixed trace, and the orders in which a run may present it.

use tokenyard_det::rng::shuffled;

/// One request of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which shared prefix the prompt starts with.
    pub prefix: u32,
    /// Tokens of that prefix.
    pub prefix_tokens: u32,
    /// Tokens of the prompt after the prefix.
    pub fresh_tokens: u32,
}

impl Request {
    /// Tokens to prefill: the fresh ones on a hit, the whole prompt on a miss.
    #[must_use]
    pub fn prefill(&self, hit: bool) -> u32 {
        if hit { self.fresh_tokens } else { self.prefix_tokens + self.fresh_tokens }
    }
}

/// Length of the trace.
pub const REQUESTS: usize = 12;

const fn request(prefix: u32, prefix_tokens: u32, fresh_tokens: u32) -> Request {
    Request { prefix, prefix_tokens, fresh_tokens }
}

/// The published trace: prefix 1 is popular and long, 2 and 3 come twice each.
pub const TRACE: [Request; REQUESTS] = [
    request(1, 4000, 180),
    request(2, 3200, 150),
    request(3, 2400, 210),
    request(1, 4000, 120),
    request(1, 4000, 260),
    request(1, 4000, 140),
    request(1, 4000, 160),
    request(2, 3200, 130),
    request(1, 4000, 200),
    request(3, 2400, 110),
    request(1, 4000, 170),
    request(1, 4000, 150),
];

/// The order in which a run with this seed presents the requests, as positions in [`TRACE`].
///
/// Seed 0 is the published order, exactly. Any other seed shuffles it after Fisher and Yates
/// with a Mulberry32 stream that starts at the seed: for `i` from 11 down to 1, draw
/// `j = uniform_int(i + 1)` and swap the members at `i` and `j`.
#[must_use]
pub fn order(seed: u32) -> [usize; REQUESTS] {
    shuffled(seed)
}
