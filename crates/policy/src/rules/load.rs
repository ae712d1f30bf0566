//! What several rules do with load columns.

use tokenyard_det::Stream;
use tokenyard_param::{Kind, ParamSpec};

use crate::draw::OwnTie;
use crate::rule::{Ask, By, Choice, Why};
use crate::view::{FleetView, ReplicaIx, cell};

/// Requests that a Ray replica takes before it is full; none, as Ray Serve LLM sets it in effect,
/// for no end. Ray Serve's own default is 5.
pub(super) const MAX_ONGOING: ParamSpec = ParamSpec {
    key: "max_ongoing_requests",
    link: "max",
    kind: Kind::OptInt { min: 1, max: 100_000, default: None, step: 1, page: 16 },
};

/// The candidate with the smallest key, which is `by`, because it is the smallest.
pub(super) fn least<K: PartialOrd + Copy>(
    ask: &mut Ask<'_, '_>,
    own: OwnTie,
    by: By,
    key: impl Fn(ReplicaIx) -> K,
) -> Choice {
    match ask.draw.smallest(ask.fleet.routable, own, key) {
        Some((to, tied)) => Choice::Send { to, why: Why::Least { by }, tied },
        None => Choice::Nobody,
    }
}

/// Smallest and largest of a number over some replicas; 0 and 0 over none.
pub(super) fn extremes(
    replicas: impl Iterator<Item = ReplicaIx>,
    load: impl Fn(ReplicaIx) -> u32,
) -> (u32, u32) {
    let ends = replicas.map(load).fold(None, |ends: Option<(u32, u32)>, l| {
        Some(ends.map_or((l, l), |(min, max)| (min.min(l), max.max(l))))
    });
    ends.unwrap_or_default()
}

/// Requests in flight at all routable replicas.
pub(super) fn total(fleet: &FleetView<'_>) -> u64 {
    fleet.routable.iter().map(|replica| u64::from(cell(fleet.outstanding, *replica))).sum()
}

/// KV blocks in use over KV blocks there are; `None` for a replica that reports no blocks.
pub(super) fn usage(fleet: &FleetView<'_>, replica: ReplicaIx) -> Option<f64> {
    let all = cell(fleet.kv_blocks, replica);
    (all > 0).then(|| f64::from(cell(fleet.kv_used, replica)) / f64::from(all))
}

/// One row a candidate with the outstanding requests alone.
pub(super) fn explain_outstanding(ask: &mut Ask<'_, '_>) {
    if ask.explain.is_on() {
        for &replica in ask.fleet.routable {
            ask.explain.row(replica, &[f64::from(cell(ask.fleet.outstanding, replica))]);
        }
    }
}

/// The weight that is written down of a replica, in per mille; 1 000 where none is.
pub(super) fn weight(fleet: &FleetView<'_>, replica: ReplicaIx) -> u32 {
    cell(fleet.config, replica).weight.unwrap_or(1_000)
}

/// Two different places among `count`, each pair with the same probability: two draws. `count`
/// must be 2 or more.
pub(super) fn two_of(stream: &mut Stream, count: usize) -> [usize; 2] {
    let first = stream.below(count as u64) as usize;
    let other = stream.below(count as u64 - 1) as usize;
    [first, other + usize::from(other >= first)]
}

/// Makes room in a column that a rule keeps for itself.
pub(super) fn room<T: Clone + Default>(column: &mut Vec<T>, replicas: ReplicaIx) {
    if column.len() < usize::from(replicas) {
        column.resize(usize::from(replicas), T::default());
    }
}
