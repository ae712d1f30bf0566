//! `peak-ewma`: the smallest (requests in flight + 1) x a moving average of the time to first token
//! that jumps up to a larger sample at once and comes down slowly.

use tokenyard_det::{Digest, math};
use tokenyard_param::{ParamSpec, Values};

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::{load, param};
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "peak-ewma",
    params: PARAMS,
    upstream: &["decayTime", "", ""],
    presets: &[],
    terms: &["outstanding", "ewma_s", "cost"],
    knowledge: Knowledge::None,
    signals_age: Age::Window { s: 10 },
    source: "twitter/finagle, loadbalancer PeakEwma; tower::load::PeakEwma. Sampled by time to first token",
    build: |values: &Values| {
        Box::new(PeakEwma {
            decay: values.real("decay_s") * PS_PER_S,
            two: values.choice("among") == 0,
            penalty: values.choice("unseen") == 0,
            averages: Vec::new(),
        })
    },
};

const PS_PER_S: f64 = crate::rules::param::PS_PER_S as f64;

/// Cost of a request at a replica that has one and has never answered: a finite number above all
/// others.
const PENALTY: f64 = f64::MAX / 65_535.0;

/// `decay_s` is in seconds: after it a share of 1/e of a peak is left. `among` is who is compared.
/// With `unseen` at `penalty` a replica that has not answered yet gets one request; at `free` it
/// gets all of them until it does.
static PARAMS: &[ParamSpec] = &[
    param::real("decay_s", "decay", [0.1, 3_600.0, 10.0, 0.1], 1),
    param::choice("among", "of", &["two", "all"]),
    param::choice("unseen", "new", &["penalty", "free"]),
];

/// One replica's average and when it was brought up to date, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Average {
    value: f64,
    at: u64,
}

impl Average {
    /// Takes a sample in: 0 is a look, which lets time pass.
    fn observe(&mut self, sample: f64, now: u64, decay: f64) {
        let passed = now.saturating_sub(self.at) as f64;
        self.at = self.at.max(now);
        if sample > self.value {
            self.value = sample;
        } else {
            let kept = math::exp(-passed / decay);
            self.value = self.value * kept + sample * (1.0 - kept);
        }
    }
}

#[derive(Clone, Debug)]
struct PeakEwma {
    /// In picoseconds.
    decay: f64,
    two: bool,
    penalty: bool,
    averages: Vec<Average>,
}

impl PeakEwma {
    fn cost(&self, fleet: &FleetView<'_>, replica: ReplicaIx) -> f64 {
        let outstanding = f64::from(cell(fleet.outstanding, replica));
        let average = cell(&self.averages, replica).value;
        if self.penalty && average <= 0.0 && outstanding > 0.0 {
            return PENALTY + outstanding;
        }
        average / PS_PER_S * (outstanding + 1.0)
    }
}

impl Rule for PeakEwma {
    fn signals(&self) -> Signals {
        Signals::OUTSTANDING
    }

    /// A look lets every average come down, as upstream's does.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        load::room(&mut self.averages, fleet.replicas);
        for &replica in fleet.routable {
            if let Some(average) = self.averages.get_mut(usize::from(replica)) {
                average.observe(0.0, fleet.now, self.decay);
            }
            if ask.explain.is_on() {
                let seconds = cell(&self.averages, replica).value / PS_PER_S;
                let outstanding = f64::from(cell(fleet.outstanding, replica));
                ask.explain.row(replica, &[outstanding, seconds, self.cost(&fleet, replica)]);
            }
        }
        if !self.two {
            return load::least(ask, OwnTie::First, By::PeakCost, |replica| self.cost(&fleet, replica));
        }
        match *fleet.routable {
            [] => return Choice::Nobody,
            [only] => return Choice::Send { to: only, why: Why::Only, tied: 1 },
            _ => {}
        }
        let pair = load::two_of(ask.draw.stream, fleet.routable.len()).map(|at| fleet.routable[at]);
        let [a, b] = pair.map(|replica| self.cost(&fleet, replica));
        let tied = 1 + u32::from(a == b);
        let takes_second = b < a || (tied == 2 && ask.draw.among(tied, OwnTie::First) == 1);
        let why = Why::Sampled { of: pair, by: By::PeakCost };
        Choice::Send { to: pair[usize::from(takes_second)], why, tied }
    }

    fn learn(&mut self, fact: &Fact) {
        match *fact {
            Fact::FirstToken { by, ttft, at } => {
                load::room(&mut self.averages, by.saturating_add(1));
                if let Some(average) = self.averages.get_mut(usize::from(by)) {
                    average.observe(ttft as f64, at, self.decay);
                }
            }
            Fact::Left(replica) => {
                if let Some(average) = self.averages.get_mut(usize::from(replica)) {
                    *average = Average::default();
                }
            }
            Fact::Ended { .. } | Fact::Joined(_) => {}
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.averages.len() as u64);
        for average in &self.averages {
            into.f64(average.value);
            into.u64(average.at);
        }
    }
}
