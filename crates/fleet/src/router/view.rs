//! What a rule is shown.

use tokenyard_policy::{FleetView, ReplicaIx, RequestView};

use super::beliefs::Beliefs;
use super::{Scratch, Truth};
use crate::request::Request;
use crate::time::Ps;

/// What a request shows before it is served.
pub(super) fn view_of<'a>(request: &Request, blocks: &'a [u64], block_tokens: u32) -> RequestView<'a> {
    RequestView {
        number: u64::from(request.number),
        prompt_tokens: request.prompt,
        block_tokens,
        blocks,
        family: request.family,
        session: request.session,
        tenant: request.tenant,
    }
}

/// The columns that loads and caches fill.
pub(super) fn fleet_view<'a>(
    now: Ps,
    routable: &'a [ReplicaIx],
    truth: &'a Truth<'_>,
    beliefs: &'a Beliefs,
    scratch: &'a Scratch,
) -> FleetView<'a> {
    FleetView {
        now,
        routable,
        replicas: truth.outstanding.len() as ReplicaIx,
        outstanding: beliefs.outstanding(),
        fewest: beliefs.fewest(),
        waiting: &beliefs.waiting,
        running: &beliefs.running,
        kv_used: &beliefs.kv_used,
        kv_blocks: truth.kv_blocks,
        prefill_tokens: &beliefs.prefill_tokens,
        decode_blocks: &beliefs.decode_blocks,
        new_blocks: &scratch.new_blocks,
        active: &beliefs.active,
        overlap: &scratch.overlap,
        indexed: &scratch.indexed,
        seen_at: &beliefs.seen_at,
        ..FleetView::default()
    }
}
