//! `bounded-load-ring`: clockwise from the owner of the request's key, the first replica below a
//! fixed multiple of the mean load.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::index::ring::Ring;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::key::{self, Key};
use crate::rules::{envoy, load};
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "bounded-load-ring",
    params: PARAMS,
    upstream: &["", "", "", ""],
    presets: &[],
    terms: &["outstanding", "capacity"],
    knowledge: Knowledge::None,
    signals_age: Age::Current,
    source: "Mirrokni, Thorup and Zadimoghaddam, Consistent Hashing with Bounded Loads, SODA 2018",
    build: |values: &Values| {
        Box::new(BoundedLoadRing {
            key: Key::new(values),
            virtual_nodes: values.u32("virtual_nodes"),
            balance: values.real("balance"),
            ring: Ring::default(),
        })
    },
};

/// `blocks` is in KV blocks and read only with the key `blocks`; `virtual_nodes` is for each
/// replica; `balance` is the paper's c: capacity over mean load.
static PARAMS: &[ParamSpec] = &[
    key::KEY,
    key::BLOCKS,
    key::virtual_nodes(150),
    ParamSpec {
        key: "balance",
        link: "c",
        kind: Kind::Real { min: 1.0, max: 100.0, default: 1.25, step: 0.05, page: 0.5, digits: 4 },
    },
];

/// The ring holds all replicas, and who is down is passed over.
#[derive(Clone, Debug)]
struct BoundedLoadRing {
    key: Key,
    virtual_nodes: u32,
    balance: f64,
    ring: Ring,
}

impl BoundedLoadRing {
    /// What each routable replica may have once this request is there. The capacities of all
    /// together are at least all requests and this one, so somebody is below his.
    fn capacity(&self, fleet: &FleetView<'_>) -> f64 {
        let total = load::total(fleet) as f64;
        (self.balance * (total + 1.0) / fleet.routable.len() as f64).ceil()
    }
}

impl Rule for BoundedLoadRing {
    fn signals(&self) -> Signals {
        self.key.signals().and(Signals::OUTSTANDING)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (hash, keyed) = envoy::hash(self.key, ask);
        let fleet = ask.fleet;
        if self.ring.replicas() != fleet.replicas {
            self.ring = Ring::new(fleet.replicas, self.virtual_nodes);
        }
        let capacity = self.capacity(&fleet);
        let load = |replica| f64::from(cell(fleet.outstanding, replica));
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                ask.explain.row(replica, &[load(replica), capacity]);
            }
        }
        let routable = |replica: ReplicaIx| fleet.routable.binary_search(&replica).is_ok();
        match self.ring.owner(hash, |replica| routable(replica) && load(replica) < capacity) {
            Some((to, 0)) if !keyed => Choice::Send { to, why: Why::Drawn, tied: 1 },
            found => key::walked(found),
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
