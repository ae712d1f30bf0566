//! The blocks of a prompt: runs of consecutive ids.
//!
//! An id names a block's content, its position and everything before it, so equal ids mean an
//! equal prefix. Fresh content takes consecutive ids, so a prompt of any length is a few runs.

use std::fmt;

/// Consecutive block ids: `first`, `first + 1`, … , `len` of them, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first id.
    pub first: u64,
    /// How many.
    pub len: u32,
}

/// The full blocks of a prompt, root first.
#[derive(Clone)]
pub struct Chain(Runs);

/// Most prompts are a shared text and their own one: two runs need no memory elsewhere.
#[derive(Clone)]
enum Runs {
    Few([Run; FEW], u32),
    Many(Vec<Run>),
}

/// Runs that a chain holds in place.
const FEW: usize = 2;

impl Default for Chain {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chain").field(&self.runs()).finish()
    }
}

impl PartialEq for Chain {
    fn eq(&self, other: &Self) -> bool {
        self.runs() == other.runs()
    }
}

impl Eq for Chain {}

impl Chain {
    /// A chain of no blocks.
    #[must_use]
    pub const fn new() -> Self {
        Self(Runs::Few([Run { first: 0, len: 0 }; FEW], 0))
    }

    /// Adds blocks at the end; a run that continues the last one is merged, an empty one ignored.
    pub fn push(&mut self, run: Run) {
        match self.runs_mut().last_mut() {
            _ if run.len == 0 => {}
            Some(last) if last.first + u64::from(last.len) == run.first => last.len += run.len,
            _ => self.append(run),
        }
    }

    fn append(&mut self, run: Run) {
        match &mut self.0 {
            Runs::Many(all) => all.push(run),
            Runs::Few(few, count) => match few.get_mut(*count as usize) {
                Some(place) => {
                    *place = run;
                    *count += 1;
                }
                None => {
                    let mut all = few.to_vec();
                    all.push(run);
                    self.0 = Runs::Many(all);
                }
            },
        }
    }

    /// The runs, root first.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        match &self.0 {
            Runs::Few(few, count) => &few[..*count as usize],
            Runs::Many(all) => all,
        }
    }

    fn runs_mut(&mut self) -> &mut [Run] {
        match &mut self.0 {
            Runs::Few(few, count) => &mut few[..*count as usize],
            Runs::Many(all) => all,
        }
    }

    /// Number of blocks.
    #[must_use]
    pub fn blocks(&self) -> u32 {
        self.runs().iter().map(|run| run.len).sum()
    }

    /// Every id, root first.
    pub fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.runs().iter().flat_map(|run| run.first..run.first + u64::from(run.len))
    }

    /// The first `blocks` blocks, or all if there are fewer.
    #[must_use]
    pub fn cut(&self, blocks: u32) -> Self {
        let mut left = blocks;
        let mut short = Self::new();
        for run in self.runs() {
            let len = run.len.min(left);
            short.push(Run { first: run.first, len });
            left -= len;
        }
        short
    }
}

impl FromIterator<u64> for Chain {
    fn from_iter<T: IntoIterator<Item = u64>>(ids: T) -> Self {
        let mut chain = Self::new();
        ids.into_iter().for_each(|first| chain.push(Run { first, len: 1 }));
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_ids_are_one_run_and_come_back_in_order() {
        let ids = [7, 8, 9, 100, 101, 5];
        let chain: Chain = ids.into_iter().collect();
        assert_eq!(chain.runs().len(), 3);
        assert_eq!(chain.ids().collect::<Vec<_>>(), ids);
        assert_eq!(chain.blocks(), 6);
        assert_eq!(chain.cut(4).ids().collect::<Vec<_>>(), ids[..4]);
        assert_eq!(chain.cut(99), chain);
        assert_eq!(chain.cut(0), Chain::new());
    }
}
