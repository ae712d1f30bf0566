//! `envoy-least-request`: the least loaded of a few draws while weights are equal; weighted turns in
//! which weights shrink with requests in flight while they are not.

use tokenyard_det::{Digest, math};
use tokenyard_param::{ParamSpec, Values};

use super::schedule::Schedules;
use super::slow_start::{self, SlowStart};
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::{load, param};
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "envoy-least-request",
    params: &PARAMS,
    upstream: &[
        "selection_method",
        "choice_count",
        "active_request_bias",
        "envoy.reloadable_features.least_request_lb_active_request_bias_forces_weighted",
        "slow_start_config.slow_start_window",
        "slow_start_config.aggression",
        "slow_start_config.min_weight_percent",
    ],
    presets: &[],
    terms: &["outstanding", "weight"],
    knowledge: Knowledge::None,
    signals_age: Age::Current,
    source: "envoyproxy/envoy, source/extensions/load_balancing_policies/least_request",
    build: |values: &Values| {
        Box::new(LeastRequest {
            full_scan: values.choice("selection") == 1,
            choices: values.u32("choice_count"),
            bias: values.real("active_request_bias"),
            forced: values.switch("bias_forces_weights"),
            slow_start: SlowStart::new(values),
            cursor: 0,
            schedules: Schedules::default(),
        })
    },
};

/// `active_request_bias` has no unit: 0 is weighted round robin. Newer builds go by weights as soon
/// as a bias is written down, whatever the weights are; `bias_forces_weights` is that.
static PARAMS: [ParamSpec; 7] = {
    let [window, aggression, least] = slow_start::PARAMS;
    [
        param::choice("selection", "sel", &["n-choices", "full-scan"]),
        param::int("choice_count", "n", [2, 1_024, 2], 10),
        param::real("active_request_bias", "bias", [0.0, 100.0, 1.0, 0.1], 2),
        param::switch("bias_forces_weights", "force", false),
        window,
        aggression,
        least,
    ]
};

#[derive(Clone, Debug)]
struct LeastRequest {
    full_scan: bool,
    choices: u32,
    bias: f64,
    forced: bool,
    slow_start: SlowStart,
    /// Decisions by turns so far.
    cursor: u64,
    schedules: Schedules,
}

impl LeastRequest {
    /// weight / (in flight + 1)^bias, and slow start on top.
    fn weight(&self, fleet: &FleetView<'_>, replica: ReplicaIx) -> f64 {
        let active = f64::from(cell(fleet.outstanding, replica)) + 1.0;
        let weight = f64::from(load::weight(fleet, replica)) / 1e3;
        let biased = if self.bias == 1.0 { weight / active } else { weight / math::pow(active, self.bias) };
        biased * self.slow_start.factor(age(fleet, replica))
    }

    /// Whether turns go by weights: they differ, or somebody is in slow start, or the bias says
    /// so. Upstream asks when hosts change.
    fn is_weighted(&self, fleet: &FleetView<'_>) -> bool {
        let weights = || fleet.routable.iter().map(|r| load::weight(fleet, *r));
        let differ = weights().next().is_some_and(|first| weights().any(|w| w != first));
        let starting = fleet.routable.iter().any(|r| self.slow_start.holds(age(fleet, *r)));
        self.forced || differ || starting
    }

    /// The first of the draws, with replacement, that nobody drawn after it is below.
    fn draw(&self, ask: &mut Ask<'_, '_>) -> Option<Choice> {
        let candidates = ask.fleet.routable;
        let mut drawn: Vec<ReplicaIx> = Vec::with_capacity(self.choices as usize);
        for _ in 0..self.choices {
            let at = ask.draw.stream.below(candidates.len() as u64) as usize;
            drawn.push(*candidates.get(at)?);
        }
        // One that is drawn twice is one candidate.
        let mut different: Vec<ReplicaIx> = Vec::with_capacity(drawn.len());
        drawn.iter().for_each(|r| {
            if !different.contains(r) {
                different.push(*r)
            }
        });
        let outstanding = ask.fleet.outstanding;
        let (to, tied) = ask.draw.smallest(&different, OwnTie::First, |r| cell(outstanding, r))?;
        let by = By::Outstanding;
        let why = match *drawn {
            [first, second] => Why::Sampled { of: [first, second], by },
            _ => Why::SampledOf { draws: self.choices, by },
        };
        Some(Choice::Send { to, why, tied })
    }
}

/// Who has no age has been there from the start.
fn age(fleet: &FleetView<'_>, replica: ReplicaIx) -> u64 {
    fleet.age.get(usize::from(replica)).copied().unwrap_or(u64::MAX)
}

impl Rule for LeastRequest {
    fn signals(&self) -> Signals {
        let always = Signals::OUTSTANDING.and(Signals::CONFIG);
        if self.slow_start.is_on() { always.and(Signals::AGES) } else { always }
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let outstanding = f64::from(cell(fleet.outstanding, replica));
                ask.explain.row(replica, &[outstanding, self.weight(&fleet, replica)]);
            }
        }
        if fleet.routable.is_empty() {
            return Choice::Nobody;
        }
        let mut schedules = std::mem::take(&mut self.schedules);
        let weight = |replica| self.weight(&fleet, replica);
        let weighted = || self.is_weighted(&fleet);
        let source = schedules.of(fleet.routable, ask.draw.stream, weighted, weight);
        let turn = source.and_then(|source| source.edf.as_mut()).and_then(|edf| edf.turn(weight));
        self.schedules = schedules;
        if let Some(to) = turn {
            let cursor = self.cursor;
            self.cursor = cursor.wrapping_add(1);
            return Choice::Send { to, why: Why::Turn { cursor }, tied: 1 };
        }
        if self.full_scan {
            let outstanding = fleet.outstanding;
            return load::least(ask, OwnTie::Random, By::Outstanding, |replica| cell(outstanding, replica));
        }
        self.draw(ask).unwrap_or(Choice::Nobody)
    }

    fn learn(&mut self, fact: &Fact) {
        if matches!(fact, Fact::Left(_) | Fact::Joined(_)) {
            self.schedules.refresh();
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.cursor);
        self.schedules.digest(into);
    }
}
