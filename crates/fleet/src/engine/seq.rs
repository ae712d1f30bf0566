//! One sequence inside a replica.

use crate::chain::{Chain, Run};
use crate::engine::cache::{NONE, NodeIx};
use crate::engine::types::Sequence;
use crate::time::Ps;

/// Where a sequence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Its place in the table is free.
    Gone,
    /// In the waiting line.
    Waiting,
    /// Running, its target not yet computed.
    Prefill,
    /// Running, one token an iteration.
    Decode,
}

/// A sequence: what it asks for, how far it is, what it holds.
#[derive(Clone, Debug)]
pub(crate) struct Seq {
    pub(crate) id: u32,
    pub(crate) stage: Stage,
    pub(crate) prompt: u32,
    pub(crate) output: u32,
    chain: Chain,
    generated: u64,
    /// Tokens emitted when it was admitted last.
    pub(crate) emitted: u32,
    /// Number of its last admission: the order among running sequences.
    pub(crate) admitted: u64,
    /// Tokens to have in the KV cache before the next one can be emitted.
    pub(crate) target: u32,
    /// Tokens of the target in the KV cache, while in prefill.
    pub(crate) done: u32,
    /// Tokens that the iteration in progress adds.
    pub(crate) chunk: u32,
    /// Leading blocks that are in the prefix cache, and the deepest node of that path.
    pub(crate) path: u32,
    pub(crate) deepest: NodeIx,
    /// KV length less the number of decode iterations, while decoding. May be negative.
    pub(crate) offset: i64,
    /// The decode iteration that emits its last token.
    pub(crate) last: u64,
    /// The decode iteration after which it began to decode.
    pub(crate) joined: u64,
    /// When it emitted its latest token, if that was not in a decode iteration.
    pub(crate) emitted_at: Option<Ps>,
    /// Longest gap so far that the replica's own record does not hold.
    pub(crate) longest: Ps,
    /// To be taken out at the next boundary.
    pub(crate) abort: bool,
}

impl Seq {
    pub(crate) fn new(sequence: Sequence, block: u32) -> Self {
        let full = sequence.prompt / block;
        let chain = if sequence.chain.blocks() > full { sequence.chain.cut(full) } else { sequence.chain };
        Self {
            id: sequence.id,
            stage: Stage::Waiting,
            prompt: sequence.prompt,
            output: sequence.output,
            chain,
            generated: sequence.generated,
            emitted: 0,
            admitted: 0,
            target: sequence.prompt,
            done: 0,
            chunk: 0,
            path: 0,
            deepest: NONE,
            offset: 0,
            last: 0,
            joined: 0,
            emitted_at: None,
            longest: 0,
            abort: false,
        }
    }

    /// KV length after `n` decode iterations of the replica, while decoding.
    pub(crate) fn kv(&self, n: u64) -> u32 {
        (self.offset + n as i64) as u32
    }

    /// Ids of its blocks from `from` up to `to` (exclusive), as far as it has ids.
    pub(crate) fn ids(&self, block: u32, from: u32, to: u32) -> impl Iterator<Item = Run> + '_ {
        let full = self.prompt / block;
        // Generated blocks follow on the prompt's only if the prompt's are all named.
        let named = if self.chain.blocks() == full { to } else { to.min(self.chain.blocks()) };
        let tail = Run { first: self.generated, len: named.saturating_sub(full) };
        let mut at = 0;
        self.chain.runs().iter().copied().chain(std::iter::once(tail)).filter_map(move |run| {
            let (start, end) = (at.max(from), (at + run.len).min(named));
            let skipped = start - at;
            at += run.len;
            (start < end).then(|| Run { first: run.first + u64::from(skipped), len: end - start })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seq(prompt: u32, ids: &[u64]) -> Seq {
        let chain = ids.iter().copied().collect();
        Seq::new(Sequence { id: 0, prompt, output: 100, chain, generated: 900 }, 16)
    }

    fn ids(seq: &Seq, from: u32, to: u32) -> Vec<u64> {
        let runs = seq.ids(16, from, to);
        runs.flat_map(|run| run.first..run.first + u64::from(run.len)).collect()
    }

    #[test]
    fn ids_are_the_prompts_and_then_the_generated_ones() {
        let s = seq(50, &[1, 2, 70]);
        assert_eq!(ids(&s, 0, 5), [1, 2, 70, 900, 901]);
        assert_eq!(ids(&s, 1, 4), [2, 70, 900]);
        assert_eq!(ids(&s, 4, 6), [901, 902]);
        assert!(ids(&s, 3, 3).is_empty());
    }

    #[test]
    fn a_short_chain_names_nothing_after_it_and_a_long_one_is_cut() {
        assert_eq!(ids(&seq(50, &[1, 2]), 0, 5), [1, 2]);
        assert!(ids(&seq(50, &[1, 2]), 2, 5).is_empty());
        assert_eq!(ids(&seq(20, &[1, 2, 3]), 0, 3), [1, 900, 901]);
    }
}
