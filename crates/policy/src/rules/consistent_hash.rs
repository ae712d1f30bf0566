//! `consistent-hash`: the owner of the request's key on a ring of replicas, whatever its load; the
//! next routable replica clockwise where the owner is not; a uniform draw for a request without a
//! key.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::index::ring::Ring;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::key::{self, Key};
use crate::view::Signals;

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "consistent-hash",
    params: PARAMS,
    upstream: &["X-SMG-Routing-Key", "prefix_token_count", "", "Authorization"],
    presets: &[],
    terms: &[],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "lightseekorg/smg 73da68ca, policies/consistent_hashing.rs; ring as in policies/prefix_hash.rs",
    build: |values: &Values| {
        Box::new(ConsistentHash {
            key: Key::new(values),
            implicit: values.switch("implicit_key"),
            virtual_nodes: values.u32("virtual_nodes"),
            ring: Ring::default(),
        })
    },
};

/// `blocks` is in KV blocks and read only with the key `blocks`; `virtual_nodes` is for each
/// replica. 256 tokens and 150 points upstream. With `implicit_key` a request without a key is
/// hashed by its tenant, which stands for the API key in an `Authorization` header: upstream does
/// so whenever clients send one, and so gives all of a tenant to one replica.
static PARAMS: &[ParamSpec] = &[
    key::KEY,
    key::BLOCKS,
    key::virtual_nodes(150),
    ParamSpec { key: "implicit_key", link: "imp", kind: Kind::Switch { default: false } },
];

/// The ring is built when the number of replicas changes. A replica that is down stays on it and
/// is passed over, so its keys come back with it.
#[derive(Clone, Debug)]
struct ConsistentHash {
    key: Key,
    implicit: bool,
    virtual_nodes: u32,
    ring: Ring,
}

impl Rule for ConsistentHash {
    fn signals(&self) -> Signals {
        self.key.signals()
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if self.ring.replicas() != fleet.replicas {
            self.ring = Ring::new(fleet.replicas, self.virtual_nodes);
        }
        let implicit = self.implicit.then(|| key::hash_of("tenant", u64::from(ask.request.tenant)));
        let Some(hash) = self.key.hash(&ask.request).or(implicit) else {
            let at = ask.draw.stream.below(fleet.routable.len() as u64) as usize;
            let to = fleet.routable.get(at);
            return to.map_or(Choice::Nobody, |to| Choice::Send { to: *to, why: Why::Drawn, tied: 1 });
        };
        key::walked(self.ring.owner(hash, |replica| fleet.routable.binary_search(&replica).is_ok()))
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    /// The ring is a function of this number and of the settings.
    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.ring.replicas()));
    }
}
