//! Chunks of a prompt, for rules that cut prompts into pieces of their own size.
//!
//! Upstream hashes pieces of text or of tokens. Here a chunk is a whole number of KV blocks, and
//! the id of its last block stands for it: ids are chained, so it also stands for everything
//! before. A trailing piece that is no full chunk is known only as far as blocks name it.

use std::borrow::Cow;

use crate::view::RequestView;

/// A prompt cut into chunks.
#[derive(Clone, Copy, Debug)]
pub struct Chunks<'a> {
    blocks: &'a [u64],
    /// Blocks of one chunk, at least 1.
    per: usize,
    /// Tokens of one chunk.
    tokens: u32,
    /// Whether a trailing piece is a chunk.
    partial: bool,
    prompt_tokens: u32,
    block_tokens: u32,
}

impl<'a> Chunks<'a> {
    /// Cuts a prompt into chunks of at least `tokens` tokens, rounded up to whole blocks. With
    /// `partial`, a piece left at the end is a chunk as well.
    #[must_use]
    pub fn new(request: &RequestView<'a>, tokens: u32, partial: bool) -> Self {
        let block_tokens = request.block_tokens.max(1);
        let per = tokens.div_ceil(block_tokens).max(1);
        Self {
            blocks: request.blocks,
            per: per as usize,
            tokens: per.saturating_mul(block_tokens),
            partial,
            prompt_tokens: request.prompt_tokens,
            block_tokens,
        }
    }

    /// Tokens of one full chunk.
    #[must_use]
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Ids of the chunks, root first. A trailing piece has one only if blocks name all of it:
    /// otherwise two prompts of the same id could differ.
    #[must_use]
    pub fn ids(self) -> Cow<'a, [u64]> {
        if self.per == 1 {
            return Cow::Borrowed(self.blocks);
        }
        let named = self.blocks.len() as u64 * u64::from(self.block_tokens);
        let whole = self.partial && named >= u64::from(self.prompt_tokens);
        let pieces = self.blocks.chunks_exact(self.per);
        let rest = pieces.remainder().last().filter(|_| whole);
        let mut ids = Vec::with_capacity(self.blocks.len() / self.per + 1);
        ids.extend(pieces.map(|piece| piece[self.per - 1]));
        ids.extend(rest);
        Cow::Owned(ids)
    }

    /// Chunks there are, those without an id included.
    #[must_use]
    pub fn total(&self) -> u32 {
        let full = (self.blocks.len() / self.per) as u32;
        if self.partial { full.max(self.prompt_tokens.div_ceil(self.tokens.max(1))) } else { full }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(blocks: &[u64], prompt_tokens: u32, tokens: u32, partial: bool) -> (Vec<u64>, u32, u32) {
        let request = RequestView {
            number: 0,
            prompt_tokens,
            block_tokens: 4,
            blocks,
            family: None,
            session: None,
            tenant: 0,
        };
        let chunks = Chunks::new(&request, tokens, partial);
        (chunks.ids().into_owned(), chunks.total(), chunks.tokens())
    }

    #[test]
    fn chunks_are_whole_blocks_and_named_by_their_last() {
        let blocks = [1, 2, 3, 4, 5];
        assert_eq!(cut(&blocks, 20, 8, false), (vec![2, 4], 2, 8));
        assert_eq!(cut(&blocks, 20, 5, false), (vec![2, 4], 2, 8), "rounded up");
        assert_eq!(cut(&blocks, 20, 1, false), (blocks.to_vec(), 5, 4), "never less than a block");
        assert_eq!(cut(&blocks, 20, 64, false), (vec![], 0, 64));
    }

    #[test]
    fn a_trailing_piece_counts_and_has_an_id_where_blocks_name_it_whole() {
        let blocks = [1, 2, 3, 4, 5];
        assert_eq!(cut(&blocks, 20, 8, true), (vec![2, 4, 5], 3, 8));
        assert_eq!(cut(&blocks, 21, 8, true), (vec![2, 4], 3, 8), "a token that no block names");
        assert_eq!(cut(&blocks[..4], 19, 8, true), (vec![2, 4], 3, 8));
        assert_eq!(cut(&[], 3, 8, true), (vec![], 1, 8));
        assert_eq!(cut(&[], 0, 8, true), (vec![], 0, 8));
    }
}
