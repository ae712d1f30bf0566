//! What a replica tells of its line beyond counts, and who ends and who joins next.

use crate::engine::cache::Found;
use crate::engine::replica::{Replica, Slot};
use crate::engine::seq::Named;

impl Replica {
    /// Whether prompts are found in a cache.
    pub(crate) fn caches(&self) -> bool {
        self.settings.prefix_cache
    }

    /// Tokens of the targets in the waiting line, which are all to be computed without a cache.
    pub(crate) fn waiting_tokens(&self) -> u64 {
        self.waiting_tokens
    }

    /// Id of a sequence that the next boundary ends, the first one that does.
    pub(crate) fn ends_next(&self) -> Option<u32> {
        let stretch = self.progress.as_ref().filter(|stretch| stretch.decode)?;
        let (end, _, slot) = self.finishes.peek()?;
        (end == self.n + stretch.len).then(|| self.seqs[slot as usize].id)
    }

    /// Id of the sequence that is admitted next, at the coming boundary or a later one.
    pub(crate) fn joins_next(&self) -> Option<u32> {
        match self.returned.front() {
            Some(slot) => Some(self.seqs[*slot as usize].id),
            None => self.line.head(self.settings.order).map(|(waiting, _)| waiting.id),
        }
    }

    /// Tokens that the waiting line would compute if everybody in it were admitted now: targets
    /// less what the prefix cache holds of each, at most all but one. As of the latest look; a
    /// search of the cache for each waiting sequence, nothing without a cache.
    #[must_use]
    pub fn queued_uncached(&self) -> u64 {
        if !self.settings.prefix_cache {
            return self.waiting_tokens;
        }
        let block = self.settings.block;
        let returned = self.returned.iter().map(|slot| self.asks(*slot));
        let line = self.line.iter().map(|(waiting, named)| (waiting.prompt, named));
        let uncached = returned
            .chain(line)
            .map(|(target, named)| u64::from(target - self.found(target, named).blocks * block));
        uncached.sum()
    }

    /// The target of a sequence that was sent back, and its blocks where prefixes are cached.
    pub(crate) fn asks(&self, slot: Slot) -> (u32, Option<&Named>) {
        let seq = &self.seqs[slot as usize];
        (seq.prompt + seq.emitted, self.named.get(slot as usize))
    }

    /// What the prefix cache holds of a target, at most all but one token.
    pub(crate) fn found(&self, target: u32, named: Option<&Named>) -> Found {
        let limit = (target - 1) / self.settings.block;
        named.map_or_else(Found::default, |named| self.cache.find(named.ids(0, limit), limit))
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::types::{EngineSettings, Sequence};
    use crate::engine::{Out, Replica};
    use crate::scenario::Draft;

    /// A slot for one, and a prompt that is cached once the first is through.
    #[test]
    fn the_line_is_counted_without_what_is_cached() {
        let Ok(scenario) = Draft::default().build(None) else { panic!("the default scenario") };
        let settings = EngineSettings { max_seqs: 1, ..scenario.fleet.engine };
        let (mut replica, mut out) = (Replica::new(&settings), Out::default());
        let chain: crate::chain::Chain = [7, 8, 9].into_iter().collect();
        for (id, prompt) in [(0, 50), (1, 50), (2, 48), (3, 20)] {
            let sequence = Sequence { id, prompt, output: 200, chain: chain.clone(), generated: 1_000 };
            replica.enqueue(0, sequence, &mut out);
        }
        assert_eq!(replica.queued_uncached(), 50 + 50 + 48 + 20);
        // The first is admitted, then prefilled: its three blocks are in the cache.
        replica.run(&mut out);
        assert_eq!(replica.queued_uncached(), 50 + 48 + 20);
        replica.run(&mut out);
        // Of 48 tokens one must be computed, so only two blocks count; 20 tokens have one.
        assert_eq!(replica.queued_uncached(), 2 + 16 + 4);
    }
}
