//! What a rule may know: one request before it is served, and what its router believes of the fleet.

use crate::index::fewest::Fewest;

/// Number of a replica, its place in every column of a [`FleetView`].
pub type ReplicaIx = u16;

/// What is known of a request when it is routed. The length of its answer is not.
#[derive(Clone, Copy, Debug)]
pub struct RequestView<'a> {
    /// Number of the request in its run, from 0. A retry keeps the number.
    pub number: u64,
    /// Prompt length in tokens, at least 1.
    pub prompt_tokens: u32,
    /// Tokens of one KV block.
    pub block_tokens: u32,
    /// One id for each full block of the prompt, root first: equal ids mean equal content at an
    /// equal position behind an equal prefix. Filled only for a rule with [`Signals::BLOCKS`].
    pub blocks: &'a [u64],
    /// Number of the first id's family of prompts, where the workload has families.
    pub family: Option<u32>,
    /// Session (conversation), where there is one.
    pub session: Option<u32>,
    /// Tenant, 0 where there is one only.
    pub tenant: u32,
}

/// Which columns a rule reads; a router fills these and no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signals(u32);

impl Signals {
    /// Nothing but the list of routable replicas.
    pub const NONE: Self = Self(0);
    /// [`FleetView::outstanding`].
    pub const OUTSTANDING: Self = Self(1);
    /// [`FleetView::waiting`] and [`FleetView::running`].
    pub const QUEUES: Self = Self(1 << 1);
    /// [`FleetView::kv_used`] and [`FleetView::kv_blocks`].
    pub const KV: Self = Self(1 << 2);
    /// [`FleetView::prefill_tokens`], [`FleetView::decode_blocks`], [`FleetView::new_blocks`]
    /// and [`FleetView::active`].
    pub const BOOKS: Self = Self(1 << 3);
    /// [`FleetView::overlap`].
    pub const OVERLAP: Self = Self(1 << 4);
    /// [`RequestView::blocks`].
    pub const BLOCKS: Self = Self(1 << 5);
    /// [`FleetView::indexed`].
    pub const INDEXED: Self = Self(1 << 6);
    /// [`FleetView::config`].
    pub const CONFIG: Self = Self(1 << 7);
    /// [`FleetView::age`].
    pub const AGES: Self = Self(1 << 8);
    /// [`FleetView::reported_at`].
    pub const REPORTED: Self = Self(1 << 9);
    /// [`FleetView::rates`].
    pub const RATES: Self = Self(1 << 10);
    /// [`FleetView::queued_tokens`].
    pub const QUEUED_TOKENS: Self = Self(1 << 11);
    /// [`FleetView::fewest`].
    pub const FEWEST: Self = Self(1 << 12);
    /// [`FleetView::means`].
    pub const MEANS: Self = Self(1 << 13);

    /// Both sets together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any of `other` is in it.
    #[must_use]
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of `other` are in it.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What an operator has written down of a replica; `None` is not written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplicaConfig {
    /// Its weight in per mille: 1 000 is the weight 1.
    pub weight: Option<u32>,
    /// Input and output price together, in cents for a million tokens of each.
    pub price: Option<u32>,
    /// Most tokens a minute.
    pub tpm: Option<u32>,
    /// Most requests a minute.
    pub rpm: Option<u32>,
}

/// What an engine reports of itself for each second, over the time since an earlier reading.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Tokens generated a second.
    pub generated: f64,
    /// Requests finished a second.
    pub finished: f64,
    /// Requests answered with an error a second.
    pub failed: f64,
    /// Share of the time in which it computed, 0 to 1.
    pub busy: f64,
}

/// What an engine reports of the requests that it has finished since it came up, as means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Means {
    /// How many they are; without any all means are 0.
    pub requests: u64,
    /// Seconds in the engine's line.
    pub queue_s: f64,
    /// Seconds from there to the first token.
    pub prefill_s: f64,
    /// Seconds from the first token to the last.
    pub decode_s: f64,
    /// Prompt tokens.
    pub prompt_tokens: f64,
    /// Generated tokens.
    pub generated_tokens: f64,
}

/// What one router believes of the fleet at one moment: columns indexed by [`ReplicaIx`].
///
/// A column that the rule did not ask for is empty and reads as 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct FleetView<'a> {
    /// Time of the decision in picoseconds.
    pub now: u64,
    /// Replicas that may be chosen, ascending. Everything else is down, draining or excluded.
    pub routable: &'a [ReplicaIx],
    /// Number of replicas in the fleet, routable or not.
    pub replicas: ReplicaIx,
    /// Requests dispatched to a replica and not known to be finished.
    pub outstanding: &'a [u32],
    /// Who has the fewest of them, where the router keeps it; never needed for an answer.
    pub fewest: Option<&'a Fewest>,
    /// Requests waiting in the engine's line.
    pub waiting: &'a [u32],
    /// Requests running in the engine.
    pub running: &'a [u32],
    /// KV blocks in use.
    pub kv_used: &'a [u32],
    /// KV blocks there are.
    pub kv_blocks: &'a [u32],
    /// Prompt tokens dispatched and not yet prefilled, less what was believed cached.
    pub prefill_tokens: &'a [u64],
    /// Blocks held by active sequences, shared ones once.
    pub decode_blocks: &'a [u32],
    /// Blocks of this prompt that no active sequence there holds yet, a trailing partial block
    /// included.
    pub new_blocks: &'a [u32],
    /// Active requests in the router's own books.
    pub active: &'a [u32],
    /// Leading full blocks of this prompt believed to be in the replica's prefix cache.
    pub overlap: &'a [u32],
    /// Blocks that the router's index of KV events holds for a replica, of any prompt. A router
    /// without an index leaves it empty.
    pub indexed: &'a [u32],
    /// When the oldest of a replica's numbers was true, in picoseconds; `now` if fresh.
    pub seen_at: &'a [u64],
    /// What the operator has written down of each replica.
    pub config: &'a [ReplicaConfig],
    /// Picoseconds since a replica came (back) into the fleet; `u64::MAX` if it was there from the
    /// start.
    pub age: &'a [u64],
    /// When the engine's last report was true, in picoseconds; `None` without one since the
    /// replica came (back).
    pub reported_at: &'a [Option<u64>],
    /// Rates that the engine reports; all 0 before there are two reports.
    pub rates: &'a [Rates],
    /// Prompt tokens in the engine's waiting line, less those that its prefix cache holds, as it
    /// reports them.
    pub queued_tokens: &'a [u64],
    /// Means over the engine's life, as it reports them.
    pub means: &'a [Means],
}

/// One cell of a column; an absent column reads as 0.
#[must_use]
pub fn cell<T: Copy + Default>(column: &[T], replica: ReplicaIx) -> T {
    column.get(usize::from(replica)).copied().unwrap_or_default()
}
