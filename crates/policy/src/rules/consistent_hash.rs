//! `consistent-hash`: the owner of the request's key on a ring of replicas, whatever its load; the
//! next routable replica clockwise where the owner is not; a uniform draw for a request without a
//! key.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};
use xxhash_rust::xxh3::xxh3_64;

use crate::index::ring::Ring;
use crate::rule::{Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::view::{RequestView, Signals};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "consistent-hash",
    params: PARAMS,
    upstream: &["X-SMG-Routing-Key", "prefix_token_count", ""],
    presets: &[],
    terms: &[],
    knowledge: Knowledge::None,
    source: "lightseekorg/smg 73da68ca, policies/consistent_hashing.rs; ring as in policies/prefix_hash.rs",
    build: |values: &Values| {
        let key = match values.choice("key") {
            0 => Key::Session,
            1 => Key::Prefix,
            _ => Key::Blocks(values.u32("blocks")),
        };
        Box::new(ConsistentHash { key, virtual_nodes: values.u32("virtual_nodes"), ring: Ring::default() })
    },
};

/// `blocks` is in KV blocks and read only with the key `blocks`; `virtual_nodes` is for each
/// replica. 256 tokens and 150 points upstream.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "key",
        link: "key",
        kind: Kind::Choice { options: &["session", "prefix", "blocks"], default: 0 },
    },
    ParamSpec {
        key: "blocks",
        link: "n",
        kind: Kind::Int { min: 1, max: 4_096, default: 16, step: 1, page: 16 },
    },
    ParamSpec {
        key: "virtual_nodes",
        link: "v",
        kind: Kind::Int { min: 1, max: 1_000, default: 150, step: 10, page: 100 },
    },
];

/// What of a request is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Session,
    /// The family of prompts, where the workload has families.
    Prefix,
    /// So many blocks from the start, or as many full ones as there are.
    Blocks(u32),
}

impl Key {
    /// Hash of the key; `None` for a request without one.
    fn hash(self, request: &RequestView<'_>) -> Option<u64> {
        let key = match self {
            Self::Session => u64::from(request.session?),
            Self::Prefix => u64::from(request.family?),
            // Ids are chained: the last one stands for all before it.
            Self::Blocks(count) => *request.blocks.iter().take(count as usize).next_back()?,
        };
        Some(xxh3_64(&key.to_le_bytes()))
    }
}

/// The ring is built when the number of replicas changes. A replica that is down stays on it and
/// is passed over, so its keys come back with it.
#[derive(Clone, Debug)]
struct ConsistentHash {
    key: Key,
    virtual_nodes: u32,
    ring: Ring,
}

impl Rule for ConsistentHash {
    fn signals(&self) -> Signals {
        if matches!(self.key, Key::Blocks(_)) { Signals::BLOCKS } else { Signals::NONE }
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if self.ring.replicas() != fleet.replicas {
            self.ring = Ring::new(fleet.replicas, self.virtual_nodes);
        }
        let Some(hash) = self.key.hash(&ask.request) else {
            let at = ask.draw.stream.below(fleet.routable.len() as u64) as usize;
            let to = fleet.routable.get(at);
            return to.map_or(Choice::Nobody, |to| Choice::Send { to: *to, why: Why::Drawn, tied: 1 });
        };
        let routable = |replica| fleet.routable.binary_search(&replica).is_ok();
        match self.ring.owner(hash, routable) {
            Some((to, 0)) => Choice::Send { to, why: Why::Owner, tied: 1 },
            Some((to, step)) => Choice::Send { to, why: Why::Fallback { step }, tied: 1 },
            None => Choice::Nobody,
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    /// The ring is a function of this number and of the settings.
    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.ring.replicas()));
    }
}
