//! `ray-consistent-hash`: the owner of the session on a ring of replicas, then a few fallbacks in
//! strict order, the first that is not full.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::index::ring::Ring;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec};
use crate::rules::key::{self, Key};
use crate::rules::load;
use crate::view::{ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "ray-consistent-hash",
    params: PARAMS,
    upstream: &["session_id", "", "num_virtual_nodes", "num_fallback_replicas", "max_ongoing_requests"],
    presets: &[],
    terms: &["outstanding"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 10_000 },
    source: "ray-project/ray 16a17a74, serve/experimental/consistent_hash_router.py",
    build: |values: &Values| {
        Box::new(RayConsistentHash {
            key: Key::new(values),
            virtual_nodes: values.u32("virtual_nodes"),
            fallbacks: values.u32("num_fallback_replicas") as u16,
            max_ongoing: values.opt_u32(load::MAX_ONGOING.key),
            ring: Ring::default(),
        })
    },
};

/// `blocks` is in KV blocks and read only with the key `blocks`; `virtual_nodes` is for each replica.
static PARAMS: &[ParamSpec] = &[
    key::KEY,
    key::BLOCKS,
    key::virtual_nodes(100),
    ParamSpec {
        key: "num_fallback_replicas",
        link: "fb",
        kind: Kind::Int { min: 0, max: 64, default: 2, step: 1, page: 8 },
    },
    load::MAX_ONGOING,
];

/// The ring holds all replicas, and who is down is passed over: with as many points for each
/// whoever is there, that is upstream's ring without them.
#[derive(Clone, Debug)]
struct RayConsistentHash {
    key: Key,
    virtual_nodes: u32,
    fallbacks: u16,
    max_ongoing: Option<u32>,
    ring: Ring,
}

impl Rule for RayConsistentHash {
    fn signals(&self) -> Signals {
        self.key.signals().and(Signals::OUTSTANDING)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        load::explain_outstanding(ask);
        if self.ring.replicas() != fleet.replicas {
            self.ring = Ring::new(fleet.replicas, self.virtual_nodes);
        }
        // A request without a session is spread by its own id, over the same ring.
        let own = key::hash_of("request", ask.request.number);
        let hash = self.key.hash(&ask.request).unwrap_or(own);
        let up = |replica: ReplicaIx| fleet.routable.binary_search(&replica).is_ok();
        let full = |replica| self.max_ongoing.is_some_and(|most| cell(fleet.outstanding, replica) >= most);
        let Some((primary, _)) = self.ring.owner_after(hash, up) else { return Choice::Nobody };
        let mut passed: Vec<ReplicaIx> = Vec::new();
        for step in 0..=self.fallbacks {
            let next = self.ring.owner_after(hash, |r| up(r) && !passed.contains(&r));
            match next {
                Some((to, _)) if !full(to) => return key::walked(Some((to, step))),
                Some((to, _)) => passed.push(to),
                None => break,
            }
        }
        // Upstream waits and asks again; a rule cannot, so the request waits in the owner's line.
        key::walked(Some((primary, 0)))
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    /// The ring is a function of this number and of the settings.
    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.ring.replicas()));
    }
}
