//! `power-of-two-distinct`: two different candidates are drawn; the one that reports less KV usage
//! is taken, or, where one of them has no report, the one with fewer requests in flight.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::{load, param};
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "power-of-two-distinct",
    params: PARAMS,
    upstream: &[""],
    presets: &[],
    terms: &["outstanding", "kv_usage"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 10_000 },
    source: "lightseekorg/smg 73da68ca, policies/power_of_two.rs",
    build: |values: &Values| {
        let compare = match values.choice("compare") {
            0 => Compare::Usage,
            1 => Compare::Count,
            _ => Compare::Mixed,
        };
        Box::new(PowerOfTwoDistinct { compare })
    },
};

/// Upstream polls every 10 s, which is a setting of the router here. Between two reports usage
/// stands still, and everybody herds to whoever reported least; `count`
/// never asks for reports. `mixed` is a fault that upstream has mended: a usage is compared with
/// a count where only one of the two has a report, so that the one without loses as soon as it
/// has a request.
static PARAMS: &[ParamSpec] = &[param::choice("compare", "by", &["usage", "count", "mixed"])];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Usage,
    Count,
    Mixed,
}

/// Keeps nothing but its setting.
#[derive(Clone, Copy, Debug)]
struct PowerOfTwoDistinct {
    compare: Compare,
}

impl PowerOfTwoDistinct {
    /// What is compared of two candidates, and what that is.
    fn loads(self, fleet: &FleetView<'_>, pair: [ReplicaIx; 2]) -> ([f64; 2], By) {
        let counts = pair.map(|replica| f64::from(cell(fleet.outstanding, replica)));
        let [a, b] = pair.map(|replica| reported_usage(fleet, replica));
        match (self.compare, a, b) {
            (Compare::Usage | Compare::Mixed, Some(a), Some(b)) => ([a, b], By::KvUsage),
            (Compare::Mixed, None, Some(b)) => ([counts[0], b], By::UsageOrOutstanding),
            (Compare::Mixed, Some(a), None) => ([a, counts[1]], By::UsageOrOutstanding),
            _ => (counts, By::Outstanding),
        }
    }
}

/// KV usage by the latest report, if there is one.
fn reported_usage(fleet: &FleetView<'_>, replica: ReplicaIx) -> Option<f64> {
    cell(fleet.reported_at, replica).and_then(|_| load::usage(fleet, replica))
}

impl Rule for PowerOfTwoDistinct {
    fn signals(&self) -> Signals {
        match self.compare {
            Compare::Count => Signals::OUTSTANDING,
            Compare::Usage | Compare::Mixed => Signals::OUTSTANDING.and(Signals::KV).and(Signals::REPORTED),
        }
    }

    /// One candidate is taken without a draw.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let usage = match self.compare {
                    Compare::Count => 0.0,
                    Compare::Usage | Compare::Mixed => reported_usage(&fleet, replica).unwrap_or(0.0),
                };
                ask.explain.row(replica, &[f64::from(cell(fleet.outstanding, replica)), usage]);
            }
        }
        match *fleet.routable {
            [] => return Choice::Nobody,
            [only] => return Choice::Send { to: only, why: Why::Only, tied: 1 },
            _ => {}
        }
        let pair = load::two_of(ask.draw.stream, fleet.routable.len()).map(|at| fleet.routable[at]);
        let ([a, b], by) = self.loads(&fleet, pair);
        let tied = 1 + u32::from(a == b);
        let takes_second = b < a || (tied == 2 && ask.draw.among(tied, OwnTie::First) == 1);
        Choice::Send { to: pair[usize::from(takes_second)], why: Why::Sampled { of: pair, by }, tied }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, _into: &mut Digest) {}
}
