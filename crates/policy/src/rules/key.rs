//! The key of a request: what of it a hashing rule hashes.

use tokenyard_param::{Kind, ParamSpec, Values};
use xxhash_rust::xxh3::xxh3_64;

use crate::rule::{Choice, Why};
use crate::view::{ReplicaIx, RequestView, Signals};

/// Which key is read. Upstream hashes headers, cookies or token ids; requests here have a session,
/// a family of prompts and block ids in their place.
pub(super) const KEY: ParamSpec = ParamSpec {
    key: "key",
    link: "key",
    kind: Kind::Choice { options: &["session", "prefix", "blocks"], default: 0 },
};

/// Leading KV blocks that make the key `blocks`; read with that key only.
pub(super) const BLOCKS: ParamSpec = ParamSpec {
    key: "blocks",
    link: "n",
    kind: Kind::Int { min: 1, max: 4_096, default: 16, step: 1, page: 16 },
};

/// Points that each replica has on a ring.
pub(super) const fn virtual_nodes(default: i64) -> ParamSpec {
    ParamSpec {
        key: "virtual_nodes",
        link: "v",
        kind: Kind::Int { min: 1, max: 1_000, default, step: 10, page: 100 },
    }
}

/// What of a request is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Session,
    /// The family of prompts, where the workload has families.
    Prefix,
    /// So many blocks from the start, or as many full ones as there are.
    Blocks(u32),
}

impl Key {
    /// The key that [`KEY`] and [`BLOCKS`] ask for.
    pub(super) fn new(values: &Values) -> Self {
        match values.choice(KEY.key) {
            0 => Self::Session,
            1 => Self::Prefix,
            _ => Self::Blocks(values.u32(BLOCKS.key)),
        }
    }

    /// The key; `None` for a request without one.
    pub(super) fn of(self, request: &RequestView<'_>) -> Option<u64> {
        match self {
            Self::Session => request.session.map(u64::from),
            Self::Prefix => request.family.map(u64::from),
            // Ids are chained: the last one stands for all before it.
            Self::Blocks(count) => request.blocks.iter().take(count as usize).next_back().copied(),
        }
    }

    /// Hash of the key; `None` for a request without one.
    pub(super) fn hash(self, request: &RequestView<'_>) -> Option<u64> {
        self.of(request).map(|key| xxh3_64(&key.to_le_bytes()))
    }

    /// Columns that the key is read from.
    pub(super) fn signals(self) -> Signals {
        if matches!(self, Self::Blocks(_)) { Signals::BLOCKS } else { Signals::NONE }
    }
}

/// Hash of a number that is not a key of the above: `kind` keeps equal numbers apart.
pub(super) fn hash_of(kind: &str, number: u64) -> u64 {
    xxh3_64(&[kind.as_bytes(), &number.to_le_bytes()].concat())
}

/// The choice of a walk that passed over `step` others.
pub(super) fn walked(found: Option<(ReplicaIx, u16)>) -> Choice {
    match found {
        Some((to, 0)) => Choice::Send { to, why: Why::Owner, tied: 1 },
        Some((to, step)) => Choice::Send { to, why: Why::Fallback { step }, tied: 1 },
        None => Choice::Nobody,
    }
}
