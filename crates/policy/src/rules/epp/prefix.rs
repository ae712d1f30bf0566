//! What `epp` knows of prefixes: matched chunks of each replica.

use std::borrow::Cow;

use super::settings::Producer;
use crate::index::chunk::Chunks;
use crate::index::holders::Holders;
use crate::view::{FleetView, ReplicaIx, RequestView, cell};

/// Matches of one request.
#[derive(Clone, Debug, Default)]
pub(super) struct Matches<'a> {
    /// Ids of the chunks that are hashed.
    ids: Cow<'a, [u64]>,
    /// Credited chunks by replica.
    by_replica: Vec<u32>,
    /// Chunks of the prompt.
    pub(super) total: u32,
    /// Tokens of one.
    pub(super) chunk_tokens: u32,
}

impl Matches<'_> {
    /// Matched chunks of a replica.
    pub(super) fn of(&self, replica: ReplicaIx) -> u32 {
        cell(&self.by_replica, replica)
    }

    /// Matched share of the chunks; 0 for a prompt without any.
    pub(super) fn ratio(&self, replica: ReplicaIx) -> f64 {
        if self.total == 0 { 0.0 } else { f64::from(self.of(replica)) / f64::from(self.total) }
    }

    /// Tokens of the prompt that are not matched.
    pub(super) fn uncached(&self, replica: ReplicaIx, request: &RequestView<'_>) -> u64 {
        let matched = u64::from(self.of(replica)) * u64::from(self.chunk_tokens);
        u64::from(request.prompt_tokens).saturating_sub(matched)
    }
}

/// The first `most` of some ids, or all.
fn head(ids: Cow<'_, [u64]>, most: u32) -> Cow<'_, [u64]> {
    match ids {
        Cow::Borrowed(ids) => Cow::Borrowed(ids.get(..most as usize).unwrap_or(ids)),
        Cow::Owned(mut ids) => {
            ids.truncate(most as usize);
            Cow::Owned(ids)
        }
    }
}

impl Producer {
    /// Chunks of a prompt. Their size is that of the engine's blocks or the configured one, but
    /// never less than the floor.
    fn chunks<'a>(&self, request: &RequestView<'a>) -> Chunks<'a> {
        let block = if self.auto_tune { request.block_tokens } else { self.block_tokens };
        Chunks::new(request, block.max(self.floor), true)
    }

    /// At most so many chunks of a prompt are hashed.
    fn most(&self, chunks: &Chunks<'_>) -> u32 {
        self.most_tokens / chunks.tokens().max(1)
    }

    pub(super) fn matches<'a>(
        &self,
        index: &Holders,
        fleet: &FleetView<'_>,
        request: &RequestView<'a>,
    ) -> Matches<'a> {
        if self.precise {
            let total = request.prompt_tokens / request.block_tokens.max(1);
            let by_replica = (0..fleet.replicas).map(|r| cell(fleet.overlap, r).min(total)).collect();
            return Matches { ids: Cow::default(), by_replica, total, chunk_tokens: request.block_tokens };
        }
        let chunks = self.chunks(request);
        let most = self.most(&chunks);
        let mut by_replica = vec![0; usize::from(fleet.replicas)];
        let ids = head(chunks.ids(), most);
        index.credit(&ids, self.contiguous, &mut by_replica);
        Matches { ids, by_replica, total: chunks.total().min(most), chunk_tokens: chunks.tokens() }
    }

    /// Remembers that a prompt was sent somewhere. A replica's list is as long as the number of
    /// its KV blocks when auto-tuned, though its entries are of another size.
    pub(super) fn record(
        &self,
        index: &mut Holders,
        fleet: &FleetView<'_>,
        matches: &Matches<'_>,
        to: ReplicaIx,
    ) {
        if self.precise {
            return;
        }
        let reported = if self.auto_tune { cell(fleet.kv_blocks, to) } else { 0 };
        let capacity = if reported > 0 { reported } else { self.capacity };
        index.record(&matches.ids, to, capacity as usize);
    }
}
