//! What Envoy's hashing rules share: the hash of a request, and tables over healthy hosts.

use tokenyard_param::{Kind, ParamSpec, Values};

use crate::index::maglev::{Maglev, Size};
use crate::index::members::PerMembers;
use crate::index::ring::Ring;
use crate::rule::Ask;
use crate::rules::key::Key;
use crate::view::ReplicaIx;

/// Fewest points of a ring, in all; Envoy allows up to 8 388 608.
pub(super) const MINIMUM_RING: ParamSpec = ParamSpec {
    key: "minimum_ring_size",
    link: "rmin",
    kind: Kind::Int { min: 1, max: 16_384, default: 1_024, step: 64, page: 1_024 },
};

/// Most points of a ring, in all. Below the minimum, which Envoy refuses, the maximum holds.
pub(super) const MAXIMUM_RING: ParamSpec = ParamSpec {
    key: "maximum_ring_size",
    link: "rmax",
    kind: Kind::Int { min: 1, max: 8_388_608, default: 8_388_608, step: 64, page: 1_024 },
};

/// Slots of a Maglev table; Envoy takes any prime up to 5 000 011.
pub(super) const TABLE_SIZE: ParamSpec = ParamSpec {
    key: "table_size",
    link: "size",
    kind: Kind::Choice { options: &["251", "2039", "16381", "65537"], default: 3 },
};

/// Most and fewest points of a ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct RingSize {
    minimum: u32,
    maximum: u32,
}

impl RingSize {
    pub(super) fn new(values: &Values) -> Self {
        Self { minimum: values.u32(MINIMUM_RING.key), maximum: values.u32(MAXIMUM_RING.key) }
    }

    pub(super) fn ring(self, members: &[ReplicaIx]) -> Ring {
        Ring::sized(members, self.minimum, self.maximum)
    }
}

/// The table size that [`TABLE_SIZE`] asks for.
pub(super) fn table_size(values: &Values) -> Size {
    let [.., largest] = Size::ALL;
    Size::ALL.get(usize::from(values.choice(TABLE_SIZE.key))).copied().unwrap_or(largest)
}

/// Hash of a request, and whether it has a key. A request without one gets a random hash, as
/// upstream: any replica may own it.
pub(super) fn hash(key: Key, ask: &mut Ask<'_, '_>) -> (u64, bool) {
    match key.hash(&ask.request) {
        Some(hash) => (hash, true),
        None => (ask.draw.stream.bits(), false),
    }
}

/// How an owner is found among the routable replicas. Tables are made anew when these change:
/// who is down is on no table.
#[derive(Clone, Debug)]
pub(super) enum Owners {
    Ring(RingSize, PerMembers<Ring>),
    Maglev(Size, PerMembers<Maglev>),
}

impl Owners {
    pub(super) fn ring(values: &Values) -> Self {
        Self::Ring(RingSize::new(values), PerMembers::default())
    }

    pub(super) fn maglev(values: &Values) -> Self {
        Self::Maglev(table_size(values), PerMembers::default())
    }

    /// The owner of `hash` among `members`; `None` if there are none.
    pub(super) fn owner(&mut self, members: &[ReplicaIx], hash: u64) -> Option<ReplicaIx> {
        match self {
            Self::Ring(size, rings) => {
                let ring = rings.of(members, |members| size.ring(members));
                ring.owner(hash, |_| true).map(|(owner, _)| owner)
            }
            Self::Maglev(size, tables) => tables.of(members, |m| Maglev::new(m, *size)).owner(hash),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_the_sizes_there_are() {
        let Kind::Choice { options, .. } = TABLE_SIZE.kind else { panic!("a choice") };
        assert!(options.iter().map(|o| o.parse::<u32>().unwrap()).eq(Size::ALL.map(Size::slots)));
    }
}
