//! Traces: requests as somebody recorded them.

use crate::chain::Chain;
use crate::time::Ps;

/// One recorded request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Time since the first row.
    pub at: Ps,
    /// Prompt tokens, at least 1.
    pub prompt: u32,
    /// Output tokens, at least 1.
    pub output: u32,
    /// Full blocks of the prompt, in blocks of [`Trace::block`]; empty where nothing is recorded.
    pub chain: Chain,
}

/// A whole trace, sorted by time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The requests.
    pub rows: Vec<Row>,
    /// Tokens of a block of the chains; none where the trace records no content.
    pub block: Option<u32>,
}
