//! `aibrix-multi-strategy`: several strategies at once. What each of them compares is spread over 0 to 1,
//! 1 for the best; the largest weighted mean wins.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use super::means;
use crate::draw::OwnTie;
use crate::endpoint_picker::below;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::{load, param};
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// Strategies that can be added up; of each the smallest number is the best.
const STRATEGIES: usize = 5;
const LEAST_LATENCY: usize = 3;

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "aibrix-multi-strategy",
    params: PARAMS,
    upstream: &["least-request", "throughput", "least-kv-cache", "least-latency", "least-busy-time"],
    presets: &[],
    terms: &["least_request", "throughput", "least_kv_cache", "least_latency", "least_busy_time", "score"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 50 },
    source: "vllm-project/aibrix e3e10f9e, pkg/plugins/gateway/algorithms, readme of several strategies",
    build: |values: &Values| {
        let weights = KEYS.map(|key| values.real(key));
        let sum: f64 = weights.iter().sum();
        // Without any weight every candidate scores 0, and chance decides among equals.
        let weights = weights.map(|weight| if sum > 0.0 { weight / sum } else { 0.0 });
        Box::new(MultiStrategy { weights, columns: Vec::new(), scores: Vec::new() })
    },
};

const KEYS: [&str; STRATEGIES] =
    ["least_request", "throughput", "least_kv_cache", "least_latency", "least_busy_time"];

/// Weights, by the name that the header gives a strategy; 0 leaves it out. A strategy that is named
/// without a weight has 1. The first two are those of upstream's example.
static PARAMS: &[ParamSpec] = &[
    param::real(KEYS[0], "req", [0.0, 100.0, 1.0, 0.1], 2),
    param::real(KEYS[1], "thr", [0.0, 100.0, 1.0, 0.1], 2),
    param::real(KEYS[2], "kv", [0.0, 100.0, 0.0, 0.1], 2),
    param::real(KEYS[3], "lat", [0.0, 100.0, 0.0, 0.1], 2),
    param::real(KEYS[4], "busy", [0.0, 100.0, 0.0, 0.1], 2),
];

/// Weights that add up to 1, and room for the decision that is being made.
#[derive(Clone, Debug)]
struct MultiStrategy {
    weights: [f64; STRATEGIES],
    /// Candidates' numbers under one strategy, those of strategies that count after each other.
    columns: Vec<Option<f64>>,
    scores: Vec<f64>,
}

/// What a strategy compares; nothing where a replica does not report it.
fn compared(strategy: usize, fleet: &FleetView<'_>, replica: ReplicaIx, guess: [f64; 2]) -> Option<f64> {
    match strategy {
        0 => Some(f64::from(cell(fleet.outstanding, replica))),
        1 => means::of(fleet, replica).map(means::tokens),
        2 => load::usage(fleet, replica),
        LEAST_LATENCY => {
            means::of(fleet, replica).map(|means| means::latency(means, guess).into_iter().sum())
        }
        _ => Some(cell(fleet.rates, replica).busy),
    }
}

/// Spreads a column over 0 to 1, 1 for its smallest; all are 1 where all are equal.
fn spread(column: &mut [Option<f64>]) {
    let ends = column.iter().flatten().fold([f64::INFINITY, f64::NEG_INFINITY], |[min, max], number| {
        [if *number < min { *number } else { min }, if *number > max { *number } else { max }]
    });
    for cell in column {
        *cell = cell.map(|number| below(number, ends));
    }
}

/// Strategies that count, with their weights.
fn counted(weights: [f64; STRATEGIES]) -> impl Iterator<Item = (usize, f64)> {
    weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0)
}

impl MultiStrategy {
    /// Fills the columns, and the scores with their sign turned: what is missing is 0.
    fn score(&mut self, fleet: &FleetView<'_>) {
        let guess = if self.weights[LEAST_LATENCY] > 0.0 { means::guess(fleet) } else { [0.0; 2] };
        self.scores.resize(fleet.routable.len(), 0.0);
        for (strategy, weight) in counted(self.weights) {
            let from = self.columns.len();
            self.columns.extend(fleet.routable.iter().map(|r| compared(strategy, fleet, *r, guess)));
            let column = &mut self.columns[from..];
            spread(column);
            for (score, part) in self.scores.iter_mut().zip(column) {
                *score -= weight * part.unwrap_or(0.0);
            }
        }
    }

    fn explain(&self, ask: &mut Ask<'_, '_>) {
        let count = ask.fleet.routable.len();
        for (at, &replica) in ask.fleet.routable.iter().enumerate() {
            let mut terms = [0.0; STRATEGIES + 1];
            for (place, (strategy, _)) in counted(self.weights).enumerate() {
                terms[strategy] = self.columns[place * count + at].unwrap_or(0.0);
            }
            terms[STRATEGIES] = 0.0 - self.scores[at];
            ask.explain.row(replica, &terms);
        }
    }
}

impl Rule for MultiStrategy {
    fn signals(&self) -> Signals {
        let reads = [Signals::OUTSTANDING, Signals::MEANS, Signals::KV, Signals::MEANS, Signals::RATES];
        counted(self.weights).fold(Signals::NONE, |all, (strategy, _)| all.and(reads[strategy]))
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        self.score(&ask.fleet);
        if ask.explain.is_on() {
            self.explain(ask);
        }
        let picked = ask.draw.smallest_score(ask.fleet.routable, OwnTie::Random, &self.scores);
        self.columns.clear();
        self.scores.clear();
        match picked {
            Some((to, tied)) => Choice::Send { to, why: Why::Score, tied },
            None => Choice::Nobody,
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, _into: &mut Digest) {}
}
