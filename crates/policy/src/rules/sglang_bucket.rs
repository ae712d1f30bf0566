//! `sglang-bucket`: prompts of one range of lengths go to one replica, until too many characters do.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use self::buckets::Buckets;
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::param;
use crate::view::{FleetView, ReplicaIx, Signals};

mod buckets;

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "sglang-bucket",
    params: PARAMS,
    upstream: &["balance_abs_threshold", "balance_rel_threshold", "bucket_adjust_interval_secs", "", ""],
    presets: &[],
    terms: &["chars", "from", "to"],
    knowledge: Knowledge::None,
    signals_age: Age::Window { s: 5 },
    source: "sgl-project/sglang sgl-model-gateway/src/policies/bucket.rs; SMG 73da68ca has the same",
    build: |values: &Values| {
        Box::new(Bucket {
            balance_abs: u64::from(values.u32("balance_abs")),
            balance_rel: values.real("balance_rel") as f32,
            chars_per_token: values.real("chars_per_token"),
            discovery: values.switch("discovery"),
            buckets: Buckets::new(param::seconds(values, "adjust_interval_s").max(1)),
        })
    },
};

/// `balance_abs` is in characters, `balance_rel` a ratio, the interval in seconds. Upstream counts
/// the characters of the text; here a token has `chars_per_token` of them. With `discovery` on, a
/// replica that leaves or comes back changes the list of replicas, as under a service registry,
/// and every prompt goes to the first range until the next adjustment.
static PARAMS: &[ParamSpec] = &[
    param::int("balance_abs", "abs", [0, 100_000_000, 32], 1_000),
    param::real("balance_rel", "rel", [0.0, 100.0, 1.0001, 0.1], 4),
    param::real("adjust_interval_s", "adj", [0.1, 86_400.0, 5.0, 1.0], 1),
    param::real("chars_per_token", "cpt", [0.1, 100.0, 4.0, 0.1], 2),
    param::switch("discovery", "disc", true),
];

#[derive(Clone, Debug)]
struct Bucket {
    balance_abs: u64,
    balance_rel: f32,
    chars_per_token: f64,
    discovery: bool,
    buckets: Buckets,
}

impl Bucket {
    /// The gate: the ends of what was sent, if ranges must be left aside. It looks at all replicas
    /// that own ranges, routable or not.
    fn imbalance(&self) -> Option<(u64, u64)> {
        let sent = || self.buckets.owners().iter().map(|owner| self.buckets.chars(*owner));
        let (min, max) = (sent().min().unwrap_or(0), sent().max().unwrap_or(0));
        // In single precision, both strict, as upstream compares.
        let apart = max - min > self.balance_abs && max as f32 > self.balance_rel * min as f32;
        apart.then_some((min, max))
    }

    /// The routable replica with the fewest characters. Upstream takes whichever of equals its
    /// hash table names first.
    fn least(&self, ask: &mut Ask<'_, '_>) -> Option<(ReplicaIx, u32)> {
        let routable = ask.fleet.routable;
        ask.draw.smallest(routable, OwnTie::Random, |replica| self.buckets.chars(replica))
    }

    fn explain(&self, ask: &mut Ask<'_, '_>) {
        if ask.explain.is_on() {
            for &replica in ask.fleet.routable {
                let (from, to) = self.buckets.range_of(replica).unwrap_or((0, 0));
                ask.explain.row(replica, &[self.buckets.chars(replica) as f64, from as f64, to as f64]);
            }
        }
    }

    fn begin(&mut self, fleet: &FleetView<'_>) {
        if self.buckets.is_new() {
            self.buckets.share_out((0..fleet.replicas).collect());
        }
        self.buckets.tick(fleet.now);
    }
}

fn number(chars: u64) -> u32 {
    u32::try_from(chars).unwrap_or(u32::MAX)
}

impl Rule for Bucket {
    fn signals(&self) -> Signals {
        Signals::NONE
    }

    /// Upstream sends to the owner of a range also when it is down. Here a rule chooses among
    /// routable replicas, and the least loaded of these stands in.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        self.begin(&fleet);
        self.explain(ask);
        let chars = (f64::from(ask.request.prompt_tokens) * self.chars_per_token + 0.5) as u64;
        let owner = self.buckets.owner(chars).filter(|o| fleet.routable.binary_search(o).is_ok());
        let picked = match (self.imbalance(), owner) {
            (None, Some(owner)) => Some((owner, Why::Owner, 1)),
            (None, None) => self.least(ask).map(|(to, tied)| (to, Why::Fallback { step: 1 }, tied)),
            (Some((min, max)), _) => {
                let why = Why::Imbalanced { min: number(min), max: number(max) };
                self.least(ask).map(|(to, tied)| (to, why, tied))
            }
        };
        let Some((to, why, tied)) = picked else { return Choice::Nobody };
        self.buckets.count(fleet.now, chars, to);
        Choice::Send { to, why, tied }
    }

    fn learn(&mut self, fact: &Fact) {
        if !self.discovery || self.buckets.is_new() {
            return;
        }
        match *fact {
            Fact::Left(replica) => self.buckets.remove(replica),
            Fact::Joined(replica) => self.buckets.add(replica),
            Fact::FirstToken { .. } | Fact::Ended { .. } => {}
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        self.buckets.digest(into);
    }
}
