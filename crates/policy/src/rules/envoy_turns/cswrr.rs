//! `envoy-cswrr`: weighted turns, where a weight is what a replica reports to do for its use: requests
//! a second over utilisation. It makes the cost of a request equal, not the load.
//!
//! An engine that batches is busy at any load worth balancing: utilisation stands near 1 then, and
//! weights follow what was sent. Reports come with a router's readings, where upstream has them
//! with every response.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use self::weights::Weights;
use super::schedule::Schedules;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::{load, param};
use crate::view::{FleetView, Rates, ReplicaIx, Signals, cell};

mod weights;

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "envoy-cswrr",
    params: PARAMS,
    upstream: &[
        "metric_names_for_computing_utilization",
        "error_utilization_penalty",
        "blackout_period",
        "weight_expiration_period",
        "weight_update_period",
        "",
        "",
    ],
    presets: &[],
    terms: &["qps", "errors", "utilisation", "weight"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 1_000 },
    source: "envoyproxy/envoy 084f6e2d, client_side_weighted_round_robin and common/orca_weight_manager.cc",
    build: |values: &Values| {
        Box::new(Cswrr {
            formula: Formula {
                kv: values.choice("utilisation") == 1,
                penalty: values.real("error_utilization_penalty"),
                scale: values.real("weight_scale"),
            },
            weights: Weights::new(values),
            cursor: 0,
            schedules: Schedules::default(),
        })
    },
};

/// Periods are in seconds. The documents give the penalty of errors a default of 1; the code reads
/// a setting that is not there as 0. Weights are cut to whole numbers: replicas that serve a few
/// requests a second differ by little more than the cut, and `weight_scale`, which upstream does
/// not have, multiplies before it. `median` is for an even number of valid weights: the upper of
/// the middle two, or their mean, as later code has it.
static PARAMS: &[ParamSpec] = &[
    param::choice("utilisation", "util", &["busy", "kv"]),
    param::real("error_utilization_penalty", "pen", [0.0, 1_000.0, 0.0, 0.1], 2),
    param::real("blackout_s", "black", [0.0, 3_600.0, 10.0, 1.0], 1),
    param::real("expiry_s", "exp", [0.0, 86_400.0, 180.0, 10.0], 1),
    param::real("update_s", "upd", [0.1, 3_600.0, 1.0, 0.1], 1),
    param::real("weight_scale", "scale", [1.0, 1_000_000.0, 1.0, 1.0], 1),
    param::choice("median", "med", &["upper", "mean"]),
];

#[derive(Clone, Debug)]
struct Cswrr {
    formula: Formula,
    weights: Weights,
    cursor: u64,
    schedules: Schedules,
}

/// What a weight is made of.
#[derive(Clone, Copy, Debug)]
struct Formula {
    kv: bool,
    penalty: f64,
    scale: f64,
}

impl Formula {
    fn utilisation(self, fleet: &FleetView<'_>, replica: ReplicaIx) -> f64 {
        match self.kv {
            true => load::usage(fleet, replica).unwrap_or(0.0),
            false => cell(fleet.rates, replica).busy,
        }
    }

    /// The weight that a report makes; none where it says nothing of use.
    fn reported(self, fleet: &FleetView<'_>, replica: ReplicaIx) -> Option<u32> {
        let Rates { finished: qps, failed, .. } = cell(fleet.rates, replica);
        if qps <= 0.0 {
            return None;
        }
        let utilisation = self.utilisation(fleet, replica) + self.penalty * failed / qps;
        // The conversion cuts, and stops at the largest number.
        (utilisation > 0.0).then_some((self.scale * qps / utilisation) as u32)
    }
}

impl Rule for Cswrr {
    fn signals(&self) -> Signals {
        let rates = Signals::REPORTED.and(Signals::RATES);
        if self.formula.kv { rates.and(Signals::KV) } else { rates }
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if fleet.routable.is_empty() {
            return Choice::Nobody;
        }
        let formula = self.formula;
        let at = |replica| cell(fleet.reported_at, replica);
        let changed = self.weights.update(&fleet, at, |replica| formula.reported(&fleet, replica));
        if changed {
            self.schedules.refresh();
        }
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let Rates { finished, failed, .. } = cell(fleet.rates, replica);
                let utilisation = formula.utilisation(&fleet, replica);
                let weight = f64::from(self.weights.of(replica));
                ask.explain.row(replica, &[finished, failed, utilisation, weight]);
            }
        }
        let weight = |replica| f64::from(self.weights.of(replica));
        let first = fleet.routable.first().copied().unwrap_or_default();
        let weighted = || fleet.routable.iter().any(|r| self.weights.of(*r) != self.weights.of(first));
        let source = self.schedules.of(fleet.routable, ask.draw.stream, weighted, weight);
        let Some(source) = source else { return Choice::Nobody };
        let turn = match &mut source.edf {
            Some(edf) => edf.turn(weight),
            None => {
                let at = source.turns % fleet.routable.len() as u64;
                source.turns = source.turns.wrapping_add(1);
                fleet.routable.get(at as usize).copied()
            }
        };
        let Some(to) = turn else { return Choice::Nobody };
        let cursor = self.cursor;
        self.cursor = cursor.wrapping_add(1);
        Choice::Send { to, why: Why::Turn { cursor }, tied: 1 }
    }

    fn learn(&mut self, fact: &Fact) {
        match *fact {
            Fact::Left(replica) => {
                self.weights.forget(replica);
                self.schedules.refresh();
            }
            Fact::Joined(_) => self.schedules.refresh(),
            Fact::FirstToken { .. } | Fact::Ended { .. } => {}
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.cursor);
        self.weights.digest(into);
        self.schedules.digest(into);
    }
}
