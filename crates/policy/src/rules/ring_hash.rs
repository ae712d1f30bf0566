//! `ring-hash`: the owner of the request's key on a ring of the healthy replicas, whatever its load.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::index::members::PerMembers;
use crate::index::ring::Ring;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::envoy::{self, RingSize};
use crate::rules::key::{self, Key};
use crate::view::{ReplicaIx, Signals};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "ring-hash",
    params: PARAMS,
    upstream: &["hash_policy", "", "minimum_ring_size", "maximum_ring_size", ""],
    presets: &[],
    terms: &[],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "envoyproxy/envoy, source/extensions/load_balancing_policies/ring_hash/ring_hash_lb.cc",
    build: |values: &Values| {
        let members = if values.choice("members") == 0 { Members::Healthy } else { Members::All };
        Box::new(RingHash {
            key: Key::new(values),
            size: RingSize::new(values),
            members,
            rings: PerMembers::default(),
        })
    },
};

/// `blocks` is in KV blocks and read only with the key `blocks`; sizes are in points, all replicas
/// together. `members` is who is on the ring: the healthy only, as upstream, so that fewer replicas
/// have more points each and keys move among them too; or all, and who is down is passed over.
static PARAMS: &[ParamSpec] = &[
    key::KEY,
    key::BLOCKS,
    envoy::MINIMUM_RING,
    envoy::MAXIMUM_RING,
    ParamSpec {
        key: "members",
        link: "mem",
        kind: Kind::Choice { options: &["healthy", "all"], default: 0 },
    },
];

/// Who is on the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Members {
    Healthy,
    All,
}

/// Keeps nothing but its last ring.
#[derive(Clone, Debug)]
struct RingHash {
    key: Key,
    size: RingSize,
    members: Members,
    rings: PerMembers<Ring>,
}

impl Rule for RingHash {
    fn signals(&self) -> Signals {
        self.key.signals()
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let routable = ask.fleet.routable;
        let Some(first) = routable.first() else { return Choice::Nobody };
        let size = self.size;
        let ring = match self.members {
            Members::Healthy => self.rings.of(routable, |members| size.ring(members)),
            Members::All => {
                let all: Vec<ReplicaIx> = (0..ask.fleet.replicas).collect();
                self.rings.of(&all, |members| size.ring(members))
            }
        };
        let (hash, keyed) = envoy::hash(self.key, ask);
        match ring.owner(hash, |replica| routable.binary_search(&replica).is_ok()) {
            Some((to, 0)) if !keyed => Choice::Send { to, why: Why::Drawn, tied: 1 },
            // A ring of fewer points than replicas may have no point of any that is up.
            None => Choice::Send { to: *first, why: Why::OwnerGone, tied: 1 },
            found => key::walked(found),
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, _into: &mut Digest) {}
}
