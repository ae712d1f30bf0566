//! Block ids of prompts.
//!
//! An id is a region and a position: regions belong to one call's own text or to a text that many
//! share, the position is that of the block in its prompt. So an id never depends on the order in
//! which requests end, and two rules compared on one seed see the same ids. All are below 2^60; ids
//! of generated blocks are at or above [`GENERATED`].

use crate::chain::{Chain, Run};
use crate::request::Request;

/// First id of generated blocks, which the world hands out.
pub const GENERATED: u64 = 1 << 63;

/// Bits of a position: [`super::MOST_TOKENS`] blocks of one token.
const POSITION_BITS: u32 = 21;
/// Bits of the number within a kind of region: more than there are requests.
const NUMBER_BITS: u32 = 32;

/// A text whose blocks have ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// Own text of a call; every call of a run has another number.
    Call(u32),
    /// Shared in a family.
    Family(u32),
    /// Shared by everybody.
    System,
    /// Shared in a step of rollouts.
    Step(u32),
}

impl Text {
    fn region(self) -> u64 {
        let (kind, number) = match self {
            Self::Call(number) => (0, number),
            Self::Family(number) => (1, number),
            Self::System => (2, 0),
            Self::Step(number) => (3, number),
        };
        (kind << NUMBER_BITS | u64::from(number)) << POSITION_BITS
    }
}

/// Extends a chain to the full blocks of `tokens`; the blocks that are new, a block that the chain
/// only partly covered included, are of `text`.
pub(super) fn extend(chain: &mut Chain, block: u32, text: Text, tokens: u32) {
    let (from, to) = (chain.blocks(), tokens / block);
    if to > from {
        chain.push(Run { first: text.region() + u64::from(from), len: to - from });
    }
}

/// The full blocks in the KV cache when a request has been served: its prompt's, then those with
/// generated tokens. The last token is never fed back.
pub(super) fn served(request: &Request, block: u32, generated: u64) -> Chain {
    let mut chain = request.chain.clone();
    let (prompt, all) = (request.prompt / block, (request.prompt + request.output - 1) / block);
    if chain.blocks() == prompt && all > prompt {
        chain.push(Run { first: generated, len: all - prompt });
    }
    chain
}
