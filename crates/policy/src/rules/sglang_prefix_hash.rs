//! `sglang-prefix-hash`: the owner of the prompt's first tokens on a ring of replicas, unless it has
//! more than a fixed multiple of the mean load; then the least loaded of those that have not.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::draw::OwnTie;
use crate::index::ring::Ring;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::key::{self, Key};
use crate::rules::load;
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "sglang-prefix-hash",
    params: PARAMS,
    upstream: &["prefix_token_count", "load_factor", "", ""],
    presets: &[],
    terms: &["outstanding", "limit"],
    knowledge: Knowledge::None,
    signals_age: Age::Current,
    source: "lightseekorg/smg 73da68ca, policies/prefix_hash.rs",
    build: |values: &Values| {
        Box::new(PrefixHash {
            prefix_tokens: values.u32("prefix_token_count"),
            load_factor: values.real("load_factor"),
            overflow: if values.choice("overflow") == 0 { Overflow::Least } else { Overflow::Ring },
            virtual_nodes: values.u32("virtual_nodes"),
            ring: Ring::default(),
        })
    },
};

/// `prefix_token_count` is in tokens, of which the full KV blocks are read, one at least;
/// `load_factor` is a ratio to the mean load; `virtual_nodes` is for each replica. `overflow` is
/// where the owner's surplus goes: to the least loaded, as the code does, so that the surplus of
/// all prefixes meets at one replica; or on round the ring, as its documents say.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "prefix_token_count",
        link: "tok",
        kind: Kind::Int { min: 1, max: 65_536, default: 256, step: 16, page: 256 },
    },
    ParamSpec {
        key: "load_factor",
        link: "lf",
        kind: Kind::Real { min: 0.0, max: 100.0, default: 1.25, step: 0.05, page: 0.5, digits: 4 },
    },
    ParamSpec {
        key: "overflow",
        link: "over",
        kind: Kind::Choice { options: &["least-loaded", "ring"], default: 0 },
    },
    key::virtual_nodes(150),
];

/// Where the owner's surplus goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overflow {
    Least,
    Ring,
}

/// The ring holds all replicas, and who is down is passed over.
#[derive(Clone, Debug)]
struct PrefixHash {
    prefix_tokens: u32,
    load_factor: f64,
    overflow: Overflow,
    virtual_nodes: u32,
    ring: Ring,
}

/// The load that one more request may still come to; without a limit while nobody has anything to
/// do. The sum is upstream's, in double precision.
fn limit(fleet: &FleetView<'_>, load_factor: f64) -> Option<f64> {
    let total = load::total(fleet);
    (total > 0).then(|| (total + 1) as f64 / fleet.routable.len() as f64 * load_factor)
}

impl PrefixHash {
    /// The next replica round the ring that is `up` and `fits`; the owner if none is.
    fn overflow(
        &self,
        ask: &mut Ask<'_, '_>,
        hash: u64,
        owner: (ReplicaIx, u16),
        fits: impl Fn(ReplicaIx) -> bool,
    ) -> Choice {
        let (routable, outstanding) = (ask.fleet.routable, ask.fleet.outstanding);
        let up = |replica: &ReplicaIx| routable.binary_search(replica).is_ok();
        if self.overflow == Overflow::Ring {
            let next = self.ring.owner(hash, |replica| up(&replica) && fits(replica));
            return key::walked(next.or(Some(owner)));
        }
        // A replica over the limit has more than any that is under it.
        let least = ask
            .draw
            .smallest(routable, OwnTie::First, |replica| (!fits(replica), cell(outstanding, replica)));
        match least {
            Some((to, tied)) if fits(to) => Choice::Send { to, why: Why::Fallback { step: 1 }, tied },
            _ => key::walked(Some(owner)),
        }
    }
}

impl Rule for PrefixHash {
    fn signals(&self) -> Signals {
        Signals::BLOCKS.and(Signals::OUTSTANDING)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if self.ring.replicas() != fleet.replicas {
            self.ring = Ring::new(fleet.replicas, self.virtual_nodes);
        }
        let limit = limit(&fleet, self.load_factor);
        let load = |replica| f64::from(cell(fleet.outstanding, replica));
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                ask.explain.row(replica, &[load(replica), limit.unwrap_or(0.0)]);
            }
        }
        let blocks = (self.prefix_tokens / ask.request.block_tokens.max(1)).max(1);
        let Some(hash) = Key::Blocks(blocks).hash(&ask.request) else {
            // Upstream hashes the tokens of the shortest prompt; ids are of full blocks.
            return load::least(ask, OwnTie::First, By::Outstanding, |replica| {
                cell(fleet.outstanding, replica)
            });
        };
        let up = |replica: ReplicaIx| fleet.routable.binary_search(&replica).is_ok();
        let Some(owner) = self.ring.owner(hash, up) else { return Choice::Nobody };
        let fits = |replica| limit.is_none_or(|limit| load(replica) <= limit);
        if fits(owner.0) { key::walked(Some(owner)) } else { self.overflow(ask, hash, owner, fits) }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    /// The ring is a function of this number and of the settings.
    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.ring.replicas()));
    }
}
