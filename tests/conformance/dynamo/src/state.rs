//! One decision in neutral numbers.

use std::ops::Range;

use tokenyard_policy::ReplicaIx;
use tokenyard_policy::dynamo::Params;

/// What a router's books say of one worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Prompt tokens that are not prefilled yet.
    pub prefill_tokens: u32,
    /// Blocks of active sequences.
    pub decode_blocks: u32,
    /// Blocks of this prompt that no active sequence holds.
    pub new_blocks: u32,
    /// Active requests.
    pub requests: u32,
}

/// One worker.
#[derive(Clone, Debug, Default)]
pub struct Worker {
    /// Its labels, ascending.
    pub taints: Vec<u32>,
    /// Over a busy threshold.
    pub overloaded: bool,
    /// Not to be routed to.
    pub unavailable: bool,
    /// `None` if the books have no entry for it.
    pub load: Option<Load>,
    /// Leading blocks of the prompt on the device. Read if the state has tiers.
    pub device: u32,
    /// Blocks of the prompt in host memory. Read if the state has tiers.
    pub host: u32,
    /// Blocks of the prompt on disk. Read if the state has tiers.
    pub disk: u32,
    /// Overlap in blocks, with fractions. Read if the state has no tiers.
    pub effective: f64,
    /// Tokens of the prompt that the load projection takes as cached.
    pub cached_tokens: u32,
}

/// One decision.
#[derive(Clone, Debug)]
pub struct State {
    /// Its number, which is also the seed of upstream's draws.
    pub number: u64,
    /// Small whole numbers, so that costs are often equal.
    pub is_small: bool,
    /// Settings; the product policy is never among them.
    pub params: Params,
    /// Upstream gets what a request may override (credit, scale, shared weight, temperature) with
    /// the request, and its defaults as configuration.
    pub by_request: bool,
    /// Prompt length in tokens.
    pub prompt_tokens: u32,
    /// Tokens of one block.
    pub block_tokens: u32,
    /// Whether the overlap is told by tiers or as one number.
    pub has_tiers: bool,
    /// Candidates, numbered from 0.
    pub workers: Vec<Worker>,
    /// Positions of blocks in the shared tier, if there is one: half-open, ascending, disjoint.
    pub shared: Option<Vec<Range<u32>>>,
    /// Labels a worker must have.
    pub required: Vec<u32>,
    /// Labels that change a worker's cost. Sums of the weights are exact in any order.
    pub preferred: Vec<(u32, f32)>,
    /// Only these may be chosen.
    pub allowed: Option<Vec<ReplicaIx>>,
    /// This one and no other; may be a number that no worker has.
    pub pinned: Option<ReplicaIx>,
}

impl State {
    /// Whether upstream's tables of tiers have an entry at all: otherwise it falls back to the
    /// overlap as one number, for every worker.
    #[must_use]
    pub fn tells_tiers(&self) -> bool {
        self.has_tiers && self.workers.iter().any(|w| w.device > 0 || w.host > 0 || w.disk > 0)
    }

    /// Blocks of the shared tier at or beyond a position.
    #[must_use]
    pub fn shared_beyond(&self, position: u32) -> u32 {
        let ranges = self.shared.iter().flatten();
        ranges.map(|range| range.end.saturating_sub(range.start.max(position))).sum()
    }
}
