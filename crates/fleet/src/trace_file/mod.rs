//! Traces: requests as somebody recorded them.
//!
//! Files are read line by line within stated bounds, and a trace exists only when all of its file
//! was right.

mod azure;
mod collect;
mod cursor;
mod lines;
mod mooncake;

use std::io::BufRead;

use tokenyard_det::Stream;

pub use azure::azure;
pub use collect::{MOST_ROWS, MOST_RUNS};
pub use lines::MOST_LINE;
pub use mooncake::{MOONCAKE_BLOCK, MOST_BLOCKS, mooncake};

use lines::Lines;

use crate::chain::Chain;
use crate::scenario::Problem;
use crate::time::Ps;

/// Reads a trace file of either format: Mooncake's if it begins with a brace, else Azure's.
///
/// # Errors
/// The first line and field that hold what they may not.
pub fn read(input: impl BufRead) -> Result<Trace, Problem> {
    let mut lines = Lines::new(input);
    // The first line decides, not the first piece of the file that arrives.
    let is_mooncake = lines.peek()?.is_some_and(|line| line.first() == Some(&b'{'));
    if is_mooncake { mooncake::import(lines) } else { azure::import(lines) }
}

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

impl Trace {
    /// Makes the arrivals of a replay. Rows that share a time are spread at random over `spread`
    /// after it, in their order; then everything is `speed` times faster, and the first row is at 0.
    pub(crate) fn replay(&mut self, speed: f64, spread: Ps, seed: u64) {
        let mut stream = Stream::new(seed, "trace-spread", 0);
        if spread > 0 {
            for bucket in self.rows.chunk_by_mut(|a, b| a.at == b.at) {
                let mut offsets: Vec<Ps> = bucket.iter().map(|_| stream.below(spread)).collect();
                offsets.sort_unstable();
                bucket
                    .iter_mut()
                    .zip(offsets)
                    .for_each(|(row, offset)| row.at = row.at.saturating_add(offset));
            }
            self.rows.sort_by_key(|row| row.at);
        }
        let first = self.rows.first().map_or(0, |row| row.at);
        let millionths = ((speed * 1e6 + 0.5) as u128).max(1);
        for row in &mut self.rows {
            let at = u128::from(row.at - first) * 1_000_000 / millionths;
            row.at = Ps::try_from(at).unwrap_or(Ps::MAX);
        }
    }
}
