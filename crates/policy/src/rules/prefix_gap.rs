//! `prefix-gap`: the replica that had this prefix last, unless loads are too far apart; then, and
//! for a prefix never seen, the least loaded. Whoever is chosen owns the prefix.

use std::collections::BTreeMap;

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::load;
use crate::view::{FleetView, ReplicaIx, RequestView, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "prefix-gap",
    params: PARAMS,
    upstream: &["", ""],
    presets: &[],
    terms: &["load", "owner"],
    knowledge: Knowledge::Own,
    signals_age: Age::Current,
    source: "the prefix-affinity player's prefix-aware router",
    build: |values: &Values| {
        Box::new(PrefixGap {
            threshold: values.opt_u32("gap_threshold"),
            measure: if values.choice("load") == 0 { Measure::Assigned } else { Measure::Outstanding },
            assigned: Vec::new(),
            owners: BTreeMap::new(),
        })
    },
};

/// `gap_threshold` is in requests; none keeps affinity whatever the load. `load` is all requests
/// ever assigned, as the player counts, or those in flight.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "gap_threshold",
        link: "gap",
        kind: Kind::OptInt { min: 0, max: 10_000, default: Some(2), step: 1, page: 5 },
    },
    ParamSpec {
        key: "load",
        link: "load",
        kind: Kind::Choice { options: &["assigned", "outstanding"], default: 0 },
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Assigned,
    Outstanding,
}

/// A prefix: a family of prompts, or a first block where the workload has no families.
type Prefix = (bool, u64);

fn prefix(request: &RequestView<'_>) -> Option<Prefix> {
    let family = request.family.map(|family| (true, u64::from(family)));
    family.or_else(|| request.blocks.first().map(|block| (false, *block)))
}

#[derive(Clone, Debug)]
struct PrefixGap {
    threshold: Option<u32>,
    measure: Measure,
    /// Requests assigned by this router, by replica.
    assigned: Vec<u32>,
    /// The replica chosen last for each prefix.
    owners: BTreeMap<Prefix, ReplicaIx>,
}

impl PrefixGap {
    fn load(&self, fleet: &FleetView<'_>, replica: ReplicaIx) -> u32 {
        match self.measure {
            Measure::Assigned => cell(&self.assigned, replica),
            Measure::Outstanding => cell(fleet.outstanding, replica),
        }
    }

    fn decide(&self, ask: &mut Ask<'_, '_>, owner: Option<ReplicaIx>) -> Option<(ReplicaIx, Why, u32)> {
        let fleet = ask.fleet;
        let (min, max) = load::extremes(fleet.routable.iter().copied(), |r| self.load(&fleet, r));
        let why = match owner {
            None => Why::Miss { matched: 0, of: ask.request.prompt_tokens },
            Some(_) if self.threshold.is_some_and(|most| max - min > most) => Why::Imbalanced { min, max },
            Some(owner) if fleet.routable.binary_search(&owner).is_ok() => {
                return Some((owner, Why::Owner, 1));
            }
            Some(_) => Why::Fallback { step: 1 },
        };
        let (to, tied) = ask.draw.smallest(fleet.routable, OwnTie::First, |r| self.load(&fleet, r))?;
        Some((to, why, tied))
    }
}

impl Rule for PrefixGap {
    fn signals(&self) -> Signals {
        match self.measure {
            Measure::Assigned => Signals::BLOCKS,
            Measure::Outstanding => Signals::BLOCKS.and(Signals::OUTSTANDING),
        }
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        let prefix = prefix(&ask.request);
        let owner = prefix.and_then(|p| self.owners.get(&p).copied());
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let owns = f64::from(u8::from(owner == Some(replica)));
                ask.explain.row(replica, &[f64::from(self.load(&fleet, replica)), owns]);
            }
        }
        let Some((to, why, tied)) = self.decide(ask, owner) else { return Choice::Nobody };
        if let Some(prefix) = prefix {
            self.owners.insert(prefix, to);
        }
        if self.measure == Measure::Assigned {
            let at = usize::from(to);
            if self.assigned.len() <= at {
                self.assigned.resize(at + 1, 0);
            }
            self.assigned[at] += 1;
        }
        Choice::Send { to, why, tied }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u32s(&self.assigned);
        into.u64(self.owners.len() as u64);
        for ((family, prefix), owner) in &self.owners {
            [u64::from(*family), *prefix, u64::from(*owner)].into_iter().for_each(|v| into.u64(v));
        }
    }
}
