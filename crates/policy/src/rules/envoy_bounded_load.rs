//! `envoy-bounded-load`: the owner of the request's key, on a ring or in a Maglev table, while it
//! has slots; otherwise the first with slots in an order that the key's own hash shuffles.

use rand_mt::Mt;
use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::envoy::{self, Owners};
use crate::rules::key::{self, Key};
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "envoy-bounded-load",
    params: PARAMS,
    upstream: &[
        "hash_policy",
        "",
        "lb_policy",
        "hash_balance_factor",
        "minimum_ring_size",
        "maximum_ring_size",
        "table_size",
        "",
    ],
    presets: &[],
    terms: &["outstanding", "slots"],
    knowledge: Knowledge::None,
    signals_age: Age::Current,
    source: "envoyproxy/envoy, source/extensions/load_balancing_policies/common/thread_aware_lb_impl.cc",
    build: |values: &Values| {
        Box::new(BoundedLoad {
            key: Key::new(values),
            owners: if values.choice("owner") == 0 { Owners::ring(values) } else { Owners::maglev(values) },
            factor: values.opt_u32("hash_balance_factor"),
            bound: if values.choice("bound") == 0 { Bound::UpTo } else { Bound::Below },
        })
    },
};

/// `blocks` is in KV blocks and read only with the key `blocks`. `hash_balance_factor` is in percent
/// of the mean load, none for no bound (0 upstream, its default). `bound` is who may take one more:
/// a replica with up to its slots, as upstream, so that it ends with one beyond them; or one below.
static PARAMS: &[ParamSpec] = &[
    key::KEY,
    key::BLOCKS,
    ParamSpec { key: "owner", link: "own", kind: Kind::Choice { options: &["ring", "maglev"], default: 0 } },
    ParamSpec {
        key: "hash_balance_factor",
        link: "hbf",
        kind: Kind::OptInt { min: 100, max: 10_000, default: Some(150), step: 5, page: 50 },
    },
    envoy::MINIMUM_RING,
    envoy::MAXIMUM_RING,
    envoy::TABLE_SIZE,
    ParamSpec { key: "bound", link: "bnd", kind: Kind::Choice { options: &["up-to", "below"], default: 0 } },
];

/// Who may take one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    UpTo,
    Below,
}

/// Keeps nothing but its last table.
#[derive(Clone, Debug)]
struct BoundedLoad {
    key: Key,
    owners: Owners,
    /// In percent.
    factor: Option<u32>,
    bound: Bound,
}

impl BoundedLoad {
    fn eligible(&self, ratio: f64) -> bool {
        match self.bound {
            Bound::UpTo => ratio <= 1.0,
            Bound::Below => ratio < 1.0,
        }
    }
}

/// Slots of each of the routable replicas, all weighing the same. Requests at replicas that are
/// down count too, as upstream counts a cluster.
fn slots(fleet: &FleetView<'_>, factor: u32) -> u64 {
    let active: u64 = fleet.outstanding.iter().map(|n| u64::from(*n)).sum();
    let total = ((active + 1) * u64::from(factor)).div_ceil(100);
    let weight = 1.0 / fleet.routable.len() as f64;
    ((total as f64 * weight).ceil() as u64).max(1)
}

/// The first of `hosts` but the owner that is `eligible`, in an order shuffled by the seed; the one
/// with the lowest ratio if none is, the owner before others and earlier ones before later. Also how
/// many of the others were looked at up to it: 0 is the owner.
fn overflow(
    owner: ReplicaIx,
    hosts: &[ReplicaIx],
    seed: u32,
    ratio: impl Fn(ReplicaIx) -> f64,
    eligible: impl Fn(f64) -> bool,
) -> (ReplicaIx, u16) {
    let mut random = Mt::new(seed);
    let mut order = hosts.to_vec();
    let mut least = (ratio(owner), owner, 0);
    let mut step = 0;
    for i in 0..order.len() {
        let j = uniform(&mut random, (order.len() - i) as u32);
        order.swap(i, i + j as usize);
        let host = order[i];
        if host == owner {
            continue;
        }
        step += 1;
        let ratio = ratio(host);
        if eligible(ratio) {
            return (host, step);
        }
        if ratio < least.0 {
            least = (ratio, host, step);
        }
    }
    (least.1, least.2)
}

/// A draw from 0..k by dividing the generator's range, as upstream does; `k` at least 1.
fn uniform(random: &mut Mt, k: u32) -> u32 {
    let part = (1_u64 << 32) / u64::from(k.max(1));
    loop {
        let x = u64::from(random.next_u32()) / part;
        if x < u64::from(k.max(1)) {
            return x as u32;
        }
    }
}

impl Rule for BoundedLoad {
    fn signals(&self) -> Signals {
        self.key.signals().and(Signals::OUTSTANDING)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (hash, keyed) = envoy::hash(self.key, ask);
        let fleet = ask.fleet;
        let slots = self.factor.map(|factor| slots(&fleet, factor));
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let load = f64::from(cell(fleet.outstanding, replica));
                ask.explain.row(replica, &[load, slots.map_or(0.0, |s| s as f64)]);
            }
        }
        let Some(owner) = self.owners.owner(fleet.routable, hash) else { return Choice::Nobody };
        let own = if keyed { Why::Owner } else { Why::Drawn };
        let Some(slots) = slots else { return Choice::Send { to: owner, why: own, tied: 1 } };
        let ratio = |replica| f64::from(cell(fleet.outstanding, replica)) / slots as f64;
        if self.eligible(ratio(owner)) {
            return Choice::Send { to: owner, why: own, tied: 1 };
        }
        // Upstream seeds a 32-bit generator with the hash, which keeps its lower half.
        let (to, step) = overflow(owner, fleet.routable, hash as u32, ratio, |r| self.eligible(r));
        let why = if step == 0 { own } else { Why::Fallback { step } };
        Choice::Send { to, why, tied: 1 }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, _into: &mut Digest) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The C++ standard's own check of its `mt19937`.
    #[test]
    fn the_generator_is_the_standard_one() {
        let mut random = Mt::new(5_489);
        let last = (0..10_000).map(|_| random.next_u32()).last();
        assert_eq!(last, Some(4_123_659_995));
    }

    /// Orders named in Envoy's own tests of five hosts.
    #[test]
    fn orders_are_those_of_upstream_tests() {
        let hosts = [0, 1, 2, 3, 4];
        for (seed, want) in [(2, [2, 1, 0, 4, 3]), (6, [4, 0, 2, 3, 1]), (7, [0, 1, 4, 3, 2])] {
            // Whoever comes later in the order is eligible with a higher rank only.
            for (at, host) in want.iter().enumerate().skip(1) {
                let late = |h: ReplicaIx| f64::from(u8::from(!want[at..].contains(&h)));
                let (to, step) = overflow(want[0], &hosts, seed, late, |ratio| ratio < 1.0);
                assert_eq!((to, usize::from(step)), (*host, at), "seed {seed}");
            }
        }
    }

    /// Envoy's tests by name: overloaded hosts have ratios from 1.02 up, all others 0.5.
    #[test]
    fn envoys_own_cases() {
        let case = |owner, hosts: ReplicaIx, seed, overloaded: &[ReplicaIx]| {
            let ratio =
                |h| overloaded.iter().position(|o| *o == h).map_or(0.5, |at| (102.0 + at as f64) / 100.0);
            let hosts: Vec<ReplicaIx> = (0..hosts).collect();
            overflow(owner, &hosts, seed, ratio, |ratio| ratio <= 1.0).0
        };
        assert_eq!(case(2, 5, 2, &[2]), 1, "OneHostOverloaded");
        assert_eq!(case(2, 5, 2, &[0, 1, 2]), 4, "MultipleHostOverloaded");
        assert_eq!(case(3, 5, 6, &[3]), 4, "MultipleHashSameHostOverloaded");
        assert_eq!(case(3, 5, 7, &[3]), 0, "MultipleHashSameHostOverloaded");
        assert_eq!(case(0, 3, 0, &[1, 0, 2]), 1, "AllHostsOverloaded");
    }

    #[test]
    fn the_owner_stays_if_no_ratio_is_lower() {
        let (to, step) = overflow(1, &[0, 1, 2], 9, |_| 1.5, |ratio| ratio <= 1.0);
        assert_eq!((to, step), (1, 0));
    }

    #[test]
    fn uniform_draws_fill_their_range() {
        let mut random = Mt::new(1);
        let mut seen = [0_u32; 5];
        (0..10_000).for_each(|_| seen[uniform(&mut random, 5) as usize] += 1);
        assert!(seen.iter().all(|n| (1_850..2_150).contains(n)), "{seen:?}");
        assert_eq!(uniform(&mut random, 1), 0);
    }
}
