//! A router's own books of what it has sent where and not seen end.

use crate::chain::Run;
use crate::engine::cache::{NONE, NodeIx, PrefixCache};

/// What a router has on one replica.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    /// Prompt tokens sent and not yet prefilled, less what was believed cached.
    pub(crate) prefill_tokens: u64,
    /// Requests sent and not ended.
    pub(crate) active: u32,
    /// Blocks that active requests hold, shared ones once.
    pub(crate) blocks: u32,
    held: PrefixCache,
}

/// One entry of a book: what to take out again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    deepest: NodeIx,
    /// A trailing partial block is nobody else's.
    partial: u32,
    prefill_tokens: u32,
}

impl Book {
    pub(crate) fn new() -> Self {
        Self { prefill_tokens: 0, active: 0, blocks: 0, held: PrefixCache::new() }
    }

    /// Blocks of a prompt that no active request holds, a partial one included.
    pub(crate) fn new_blocks(&self, chain: &[Run], prompt: u32, block: u32) -> u32 {
        prompt.div_ceil(block) - self.held.hits(chain)
    }

    /// Enters a request.
    pub(crate) fn add(&mut self, chain: &[Run], prompt: u32, block: u32, uncached: u32) -> Entry {
        let (mut deepest, mut known, mut full) = (NONE, 0, 0);
        for run in chain {
            let (end, seen, _) = self.held.publish(deepest, *run);
            (deepest, known, full) = (end, known + seen, full + run.len);
        }
        // What the chain does not name is the request's own.
        let partial = prompt.div_ceil(block) - full;
        self.blocks += full - known + partial;
        self.active += 1;
        self.prefill_tokens += u64::from(uncached);
        Entry { deepest, partial, prefill_tokens: uncached }
    }

    /// The prompt of an entry is prefilled: its first token has come.
    pub(crate) fn prefilled(&mut self, entry: &mut Entry) {
        self.prefill_tokens -= u64::from(std::mem::take(&mut entry.prefill_tokens));
    }

    /// Takes a request out.
    pub(crate) fn remove(&mut self, mut entry: Entry) {
        self.prefilled(&mut entry);
        self.active -= 1;
        let freed = self.held.release(entry.deepest);
        self.held.evict(freed, |_| {});
        self.blocks -= freed + entry.partial;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_blocks_count_once_and_everything_goes_back_to_nothing() {
        let mut book = Book::new();
        let (a, b) = ([Run { first: 1, len: 4 }], [Run { first: 1, len: 2 }, Run { first: 50, len: 3 }]);
        let mut first = book.add(&a, 70, 16, 70);
        assert_eq!((book.blocks, book.active, book.prefill_tokens), (5, 1, 70));
        assert_eq!(book.new_blocks(&b, 80, 16), 3);
        let second = book.add(&b, 80, 16, 48);
        assert_eq!((book.blocks, book.active, book.prefill_tokens), (8, 2, 118));
        book.prefilled(&mut first);
        assert_eq!(book.prefill_tokens, 48);
        book.remove(first);
        assert_eq!((book.blocks, book.active, book.prefill_tokens), (5, 1, 48));
        book.remove(second);
        assert_eq!((book.blocks, book.active, book.prefill_tokens), (0, 0, 0));
        assert_eq!(book.new_blocks(&a, 70, 16), 5);
    }
}
