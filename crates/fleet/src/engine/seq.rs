//! One sequence inside a replica.

use crate::chain::{Chain, Run};
use crate::engine::cache::{NONE, NodeIx};
use crate::time::Ps;

/// Where a sequence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Its place in the table is free.
    Gone,
    /// Sent back to the head of the waiting line.
    Waiting,
    /// Running, its target not yet computed.
    Prefill,
    /// Running, one token an iteration.
    Decode,
}

/// A sequence: what it asks for and how far it is. As long as a cache line, since a fleet holds
/// many and looks at each of them a few times only, long apart.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Seq {
    /// The decode iteration after which it began to decode.
    pub(crate) joined: u64,
    /// When it emitted its latest token, if that was not in a decode iteration; else [`NEVER`].
    emitted_at: Ps,
    /// Longest gap so far that the replica's own record does not hold.
    pub(crate) longest: Ps,
    pub(crate) id: u32,
    /// Number of its last admission: the order among running sequences.
    pub(crate) admitted: u32,
    pub(crate) prompt: u32,
    pub(crate) output: u32,
    /// Tokens emitted when it was admitted last; while it decodes, when it began to.
    pub(crate) emitted: u32,
    /// Tokens to have in the KV cache before the next one can be emitted.
    pub(crate) target: u32,
    /// Tokens of the target in the KV cache, while in prefill.
    pub(crate) done: u32,
    /// Tokens that the iteration in progress adds.
    pub(crate) chunk: u32,
    pub(crate) stage: Stage,
    /// To be taken out at the next boundary.
    pub(crate) abort: bool,
}

/// No time: behind the end of every run.
const NEVER: Ps = Ps::MAX;

impl Seq {
    pub(crate) fn new(id: u32, prompt: u32, output: u32) -> Self {
        Self {
            admitted: 0,
            joined: 0,
            emitted_at: NEVER,
            longest: 0,
            id,
            prompt,
            output,
            emitted: 0,
            target: prompt,
            done: 0,
            chunk: 0,
            stage: Stage::Prefill,
            abort: false,
        }
    }

    /// KV length after `n` decode iterations of the replica, while decoding.
    pub(crate) fn kv(&self, n: u64) -> u32 {
        self.target + (n - self.joined) as u32
    }

    /// The decode iteration that emits its last token, while decoding.
    pub(crate) fn last(&self) -> u64 {
        self.joined + u64::from(self.output - self.emitted)
    }

    /// When it emitted its latest token, if that was not in a decode iteration.
    pub(crate) fn emitted_at(&self) -> Option<Ps> {
        (self.emitted_at != NEVER).then_some(self.emitted_at)
    }

    /// A token came outside of a decode iteration, or (`None`) in one.
    pub(crate) fn emit(&mut self, at: Option<Ps>) {
        self.emitted_at = at.unwrap_or(NEVER);
    }
}

/// The ids of a sequence's blocks, and which of them are in the prefix cache.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    chain: Chain,
    generated: u64,
    /// Full blocks of the prompt.
    full: u32,
    /// Leading blocks that are in the prefix cache, and the deepest node of that path.
    pub(crate) path: u32,
    pub(crate) deepest: NodeIx,
}

impl Named {
    pub(crate) fn new(chain: Chain, generated: u64, prompt: u32, block: u32) -> Self {
        let full = prompt / block;
        let chain = if chain.blocks() > full { chain.cut(full) } else { chain };
        Self { chain, generated, full, path: 0, deepest: NONE }
    }

    /// Ids of its blocks from `from` up to `to` (exclusive), as far as it has ids.
    pub(crate) fn ids(&self, from: u32, to: u32) -> impl Iterator<Item = Run> + '_ {
        // Generated blocks follow on the prompt's only if the prompt's are all named.
        let blocks = self.chain.blocks();
        let named = if blocks == self.full { to } else { to.min(blocks) };
        let tail = Run { first: self.generated, len: named.saturating_sub(self.full) };
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

    fn named(prompt: u32, ids: &[u64]) -> Named {
        Named::new(ids.iter().copied().collect(), 900, prompt, 16)
    }

    fn ids(named: &Named, from: u32, to: u32) -> Vec<u64> {
        let runs = named.ids(from, to);
        runs.flat_map(|run| run.first..run.first + u64::from(run.len)).collect()
    }

    #[test]
    fn ids_are_the_prompts_and_then_the_generated_ones() {
        let s = named(50, &[1, 2, 70]);
        assert_eq!(ids(&s, 0, 5), [1, 2, 70, 900, 901]);
        assert_eq!(ids(&s, 1, 4), [2, 70, 900]);
        assert_eq!(ids(&s, 4, 6), [901, 902]);
        assert!(ids(&s, 3, 3).is_empty());
    }

    #[test]
    fn a_short_chain_names_nothing_after_it_and_a_long_one_is_cut() {
        assert_eq!(ids(&named(50, &[1, 2]), 0, 5), [1, 2]);
        assert!(ids(&named(50, &[1, 2]), 2, 5).is_empty());
        assert_eq!(ids(&named(20, &[1, 2, 3]), 0, 3), [1, 900, 901]);
    }

    #[test]
    fn a_decoder_grows_by_a_token_an_iteration() {
        let mut seq = Seq::new(0, 33, 100);
        (seq.joined, seq.emitted) = (21, 1);
        assert_eq!(seq.last(), 120);
        for n in 21..120 {
            assert_eq!(u64::from(seq.kv(n)), 33 + n - 21);
        }
        assert_eq!(size_of::<Seq>(), 64);
    }
}
