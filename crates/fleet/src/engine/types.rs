//! What goes into a replica and what comes out of it.

use crate::chain::Chain;
use crate::engine::cost::Cost;
use crate::time::Ps;

/// How a replica makes its batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A batch is admitted only when nothing runs, prefilled whole, decoded to the last.
    Static,
    /// An iteration with an admitted prompt is prefill only.
    Continuous,
    /// Every iteration mixes decode tokens and prefill chunks within a token budget.
    Chunked,
}

/// Who is admitted first from the waiting line. Preempted sequences always come before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// First come first.
    First,
    /// Last come first.
    Last,
}

/// Settings of one replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// Tokens of a KV block, at least 1.
    pub block: u32,
    /// KV blocks.
    pub capacity: u32,
    /// Most running sequences, at least 1 and at most `budget`.
    pub max_seqs: u32,
    /// Most tokens of one iteration.
    pub budget: u32,
    /// How batches are made.
    pub mode: Mode,
    /// Whether full blocks can be hit by later prompts.
    pub prefix_cache: bool,
    /// Whether blocks with generated tokens are cached too.
    pub cache_generated: bool,
    /// Most prefill tokens of one sequence in one iteration, at least 1.
    pub long_prefill: Option<u32>,
    /// Order of the waiting line.
    pub order: Order,
    /// Time of an iteration at full speed.
    pub cost: Cost,
}

/// One attempt of a request at a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Its id, unique within the replica.
    pub id: u32,
    /// Prompt tokens, at least 1.
    pub prompt: u32,
    /// Output tokens, at least 1.
    pub output: u32,
    /// The prompt's full blocks; may be shorter (or empty), then the rest can never be hit.
    pub chain: Chain,
    /// Id of the first full block that holds a generated token; the next ones count up.
    pub generated: u64,
}

/// What happened to a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// It needs more KV blocks than the replica has. It never joined the line.
    Refused,
    /// It runs; `cached` tokens of its target were hit, `computed` are to be prefilled.
    Admitted {
        /// Tokens found in the prefix cache.
        cached: u32,
        /// Tokens to compute.
        computed: u32,
    },
    /// Its first token is out.
    FirstToken,
    /// Its last token is out. `longest_gap` is the longest time between two of its tokens, 0 for
    /// one token.
    Finished {
        /// Longest time between two tokens.
        longest_gap: Ps,
    },
    /// It lost its blocks to others and waits again.
    Preempted,
    /// It left because it was aborted.
    Aborted,
    /// It was lost with the replica.
    Lost,
}

/// One thing that happened in an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineEvent {
    /// When.
    pub at: Ps,
    /// To which sequence.
    pub id: u32,
    /// What.
    pub what: Happened,
}

/// A replica seen from outside, as of the last boundary before a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Sequences in the waiting line.
    pub waiting: u32,
    /// Running sequences.
    pub running: u32,
    /// Running sequences that are still in prefill.
    pub prefilling: u32,
    /// Blocks that running sequences hold.
    pub in_use: u32,
    /// Cached blocks that nobody holds.
    pub idle: u32,
    /// Tokens still to be prefilled by running sequences.
    pub prefill_left: u64,
    /// Tokens of the targets of waiting sequences.
    pub waiting_tokens: u64,
    /// Iterations done.
    pub iterations: u64,
    /// Time spent in iterations.
    pub busy: Ps,
    /// Tokens emitted.
    pub generated: u64,
}
