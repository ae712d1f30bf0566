//! A sequence inside the engine.

use tokenyard_fleet::engine::types::Sequence;
use tokenyard_fleet::time::Ps;

/// What a running sequence does in the iteration in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Nothing: the budget did not reach it, or only others move.
    Waits,
    /// It computes so many tokens of its target.
    Chunk(u32),
    /// It decodes one token.
    Token,
}

/// A waiting or running sequence.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) sequence: Sequence,
    /// The ids of the prompt's full blocks, as far as its chain names them.
    prompt_ids: Vec<u64>,
    /// Full blocks of the prompt.
    prompt_full: u32,
    /// Tokens emitted.
    pub(crate) emitted: u32,
    /// Tokens that must be in the KV cache before the next one is emitted, fixed at admission.
    pub(crate) target: u32,
    /// Tokens in the KV cache.
    pub(crate) kv: u32,
    /// Blocks held, cached and private.
    pub(crate) blocks: u32,
    /// The cached ones: its leading blocks, a reference to each.
    pub(crate) path: Vec<u64>,
    pub(crate) work: Work,
    /// Whether it waits because it was preempted.
    pub(crate) preempted: bool,
    /// Hits of the first admission that failed for want of blocks. Only a fault looks at it.
    pub(crate) failed_hits: Option<usize>,
    pub(crate) last_token: Option<Ps>,
    pub(crate) longest_gap: Ps,
}

impl Member {
    /// A sequence that has just arrived, in an engine with blocks of `block` tokens.
    pub(crate) fn new(sequence: Sequence, block: u32) -> Self {
        let prompt_full = sequence.prompt / block;
        Self {
            prompt_ids: sequence.chain.ids().take(prompt_full as usize).collect(),
            prompt_full,
            emitted: 0,
            target: 0,
            kv: 0,
            blocks: 0,
            path: Vec::new(),
            work: Work::Waits,
            preempted: false,
            failed_hits: None,
            last_token: None,
            longest_gap: 0,
            sequence,
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.sequence.id
    }

    /// The id of its full block at a position, counted from 0; none behind a chain that ends early.
    pub(crate) fn block_id(&self, position: u32) -> Option<u64> {
        if let Some(id) = self.prompt_ids.get(position as usize) {
            return Some(*id);
        }
        let chain_is_whole = self.prompt_ids.len() == self.prompt_full as usize;
        chain_is_whole.then(|| self.sequence.generated + u64::from(position - self.prompt_full))
    }

    /// Full blocks that lie wholly in the prompt.
    pub(crate) fn prompt_full(&self) -> u32 {
        self.prompt_full
    }

    /// Blocks that only this sequence holds.
    pub(crate) fn private(&self) -> u32 {
        self.blocks - self.path.len() as u32
    }

    /// Whether its target is not in the KV cache yet. Of a running sequence.
    pub(crate) fn is_prefilling(&self) -> bool {
        self.kv < self.target
    }
}
