//! Rows on their way to a trace: bounded in number, sorted at the end, the first at time 0.

use super::lines::wrong;
use super::{Row, Trace};
use crate::chain::Chain;
use crate::scenario::Problem;
use crate::time::Ps;
use crate::workload::MOST_TOKENS;

/// Most requests of a trace.
pub const MOST_ROWS: usize = 10_000_000;
/// Most runs of block ids of all its prompts together.
pub const MOST_RUNS: usize = 1 << 24;

/// Rows with times on a clock of the file's own.
#[derive(Default)]
pub(super) struct Collect {
    rows: Vec<(u128, u64, Row)>,
    runs: usize,
}

impl Collect {
    /// Adds a row of line `line` at `at` picoseconds of the file's clock.
    pub(super) fn push(
        &mut self,
        line: u64,
        at: u128,
        prompt: u32,
        output: u32,
        chain: Chain,
    ) -> Result<(), Problem> {
        self.runs += chain.runs().len();
        if self.rows.len() >= MOST_ROWS {
            return Err(wrong(line, "the request", "one too many", format!("at most {MOST_ROWS} requests")));
        }
        if self.runs > MOST_RUNS {
            let allowed = format!("at most {MOST_RUNS} runs of block ids in the whole file");
            return Err(wrong(line, "the blocks", "too many", allowed));
        }
        self.rows.push((at, line, Row { at: 0, prompt, output, chain }));
        Ok(())
    }

    /// The trace; rows of one time stay in the order of the file. `time` names the time's field.
    pub(super) fn finish(mut self, block: Option<u32>, time: &str) -> Result<Trace, Problem> {
        self.rows.sort_by_key(|(at, ..)| *at);
        let Some(first) = self.rows.first().map(|(at, ..)| *at) else {
            return Err(Problem::new("the file", "without a request", "at least one request"));
        };
        let mut rows = Vec::with_capacity(self.rows.len());
        for (at, line, row) in self.rows {
            let at = Ps::try_from(at - first).map_err(|_| {
                let given = format!("{} days after the first", (at - first) / 86_400_000_000_000_000);
                wrong(line, time, given, "at most 213 days after the first, which is 2^64 ps")
            })?;
            rows.push(Row { at, ..row });
        }
        Ok(Trace { rows, block })
    }
}

/// A number of tokens.
pub(super) fn tokens(line: u64, field: &str, text: &str) -> Result<u32, Problem> {
    let tokens = text.parse().ok().filter(|n| (1..=MOST_TOKENS).contains(n));
    tokens.ok_or_else(|| {
        let given = crate::scenario::shorten(text);
        let given = if given.is_empty() { "empty".to_owned() } else { given };
        wrong(line, field, given, format!("a whole number from 1 to {MOST_TOKENS}"))
    })
}
