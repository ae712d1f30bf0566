//! `smg-least-load`: the smallest time that the engine's own queue and what was sent since its report
//! would take at its own throughput, and a term that grows as its KV cache fills up.

use tokenyard_det::Digest;
use tokenyard_param::{ParamSpec, Values};

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::{load, param};
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "smg-least-load",
    params: PARAMS,
    upstream: &["", ""],
    presets: &[],
    terms: &["queued", "since", "throughput", "kv_usage", "score"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 10_000 },
    source: "lightseekorg/smg 73da68ca, policies/least_load.rs; upstream polls every 10 s",
    build: |values: &Values| {
        Box::new(LeastLoad {
            tokens_known: values.choice("tokens") == 0,
            only_uncounted: values.switch("only_uncounted"),
            since: Vec::new(),
            scores: Vec::new(),
        })
    },
};

/// `tokens`: the length of a request is known (gRPC), or every request counts as 1 024 tokens
/// (text over HTTP). With `only_uncounted` on, as upstream, a request that has one candidate only
/// is not added to what was sent since the report.
static PARAMS: &[ParamSpec] =
    &[param::choice("tokens", "tok", &["known", "unknown"]), param::switch("only_uncounted", "only", true)];

/// Tokens of a request whose length nobody knows.
const UNKNOWN: u64 = 1_024;

/// Tokens a second of an engine that reports none.
const THROUGHPUT: f64 = 2_000.0;

/// Weight of the term of the KV cache, and the usage at which it stops growing.
const KV_WEIGHT: f64 = 0.15;
const KV_MOST: f64 = 0.999;

/// Tokens sent to a replica since the report that was read at `report`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Since {
    report: Option<u64>,
    tokens: u64,
}

#[derive(Clone, Debug)]
struct LeastLoad {
    tokens_known: bool,
    only_uncounted: bool,
    since: Vec<Since>,
    /// Scores of the decision that is being made; nothing between decisions.
    scores: Vec<f64>,
}

impl LeastLoad {
    /// A new report sets the count of what was sent since to nothing.
    fn read_reports(&mut self, fleet: &FleetView<'_>) {
        load::room(&mut self.since, fleet.replicas);
        for (since, report) in self.since.iter_mut().zip(fleet.reported_at) {
            if since.report != *report {
                *since = Since { report: *report, tokens: 0 };
            }
        }
    }

    /// The score of a replica with a report.
    fn reported(&self, fleet: &FleetView<'_>, replica: ReplicaIx) -> f64 {
        let tokens = cell(fleet.queued_tokens, replica) + cell(&self.since, replica).tokens;
        let used = load::usage(fleet, replica).unwrap_or(0.0);
        queue_time(tokens, cell(fleet.rates, replica).generated, used)
    }

    /// Scores of all candidates, in their order.
    fn score_all(&mut self, fleet: &FleetView<'_>, peers: Option<f64>) -> Vec<f64> {
        let mut scores = std::mem::take(&mut self.scores);
        let FleetView { queued_tokens, rates, kv_used, kv_blocks, .. } = fleet;
        let rows = [queued_tokens.len(), rates.len(), kv_used.len(), kv_blocks.len(), self.since.len()];
        if !all_report(fleet) || rows != [fleet.routable.len(); 5] {
            scores.extend(fleet.routable.iter().map(|replica| self.score(fleet, *replica, peers)));
            return scores;
        }
        // Nearly always everybody is there and has a report: columns are walked side by side.
        let loads = queued_tokens.iter().zip(&self.since).zip(*rates);
        let usages = kv_used.iter().zip(*kv_blocks);
        scores.extend(loads.zip(usages).map(|(((queued, since), rates), (used, all))| {
            let usage = if *all > 0 { f64::from(*used) / f64::from(*all) } else { 0.0 };
            queue_time(queued + since.tokens, rates.generated, usage)
        }));
        scores
    }

    fn score(&self, fleet: &FleetView<'_>, replica: ReplicaIx, peers: Option<f64>) -> f64 {
        let outstanding = f64::from(cell(fleet.outstanding, replica));
        match (cell(fleet.reported_at, replica), peers) {
            (Some(_), _) => self.reported(fleet, replica),
            (None, Some(mean)) => outstanding * UNKNOWN as f64 / mean,
            (None, None) => outstanding,
        }
    }
}

/// Time that so many tokens take at the reported throughput, and the term of the KV cache.
fn queue_time(tokens: u64, reported: f64, usage: f64) -> f64 {
    let throughput = if reported > 0.0 { reported } else { THROUGHPUT };
    let used = usage.min(KV_MOST);
    tokens as f64 / throughput + KV_WEIGHT * used / (1.0 - used)
}

fn throughput(fleet: &FleetView<'_>, replica: ReplicaIx) -> f64 {
    let reported = cell(fleet.rates, replica).generated;
    if reported > 0.0 { reported } else { THROUGHPUT }
}

/// Whether everybody there is can be chosen and has a report.
fn all_report(fleet: &FleetView<'_>) -> bool {
    let everybody = fleet.routable.len() == usize::from(fleet.replicas);
    everybody
        && fleet.reported_at.len() == fleet.routable.len()
        && fleet.reported_at.iter().all(Option::is_some)
}

/// The mean throughput of those that report one above 0, or the default; `None` if nobody
/// reports at all. Where everybody reports nobody reads the mean, and it is the default.
fn mean_throughput(fleet: &FleetView<'_>) -> Option<f64> {
    if !fleet.routable.is_empty() && all_report(fleet) {
        return Some(THROUGHPUT);
    }
    let reports = || fleet.routable.iter().filter(|r| cell(fleet.reported_at, **r).is_some());
    let count = reports().count();
    if count == 0 || count == fleet.routable.len() {
        return (count > 0).then_some(THROUGHPUT);
    }
    let positive = || reports().map(|r| cell(fleet.rates, *r).generated).filter(|rate| *rate > 0.0);
    let count = positive().count();
    Some(if count == 0 { THROUGHPUT } else { positive().sum::<f64>() / count as f64 })
}

impl Rule for LeastLoad {
    fn signals(&self) -> Signals {
        let reports = Signals::REPORTED.and(Signals::RATES).and(Signals::QUEUED_TOKENS);
        Signals::OUTSTANDING.and(Signals::KV).and(reports)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        self.read_reports(&fleet);
        let peers = mean_throughput(&fleet);
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let terms = [
                    cell(fleet.queued_tokens, replica) as f64,
                    cell(&self.since, replica).tokens as f64,
                    throughput(&fleet, replica),
                    load::usage(&fleet, replica).unwrap_or(0.0),
                    self.score(&fleet, replica, peers),
                ];
                ask.explain.row(replica, &terms);
            }
        }
        let choice = match *fleet.routable {
            [only] => Choice::Send { to: only, why: Why::Only, tied: 1 },
            _ => {
                let by = if peers.is_some() { By::QueueTime } else { By::Outstanding };
                // Made once each: looking for the first of the least would make them again.
                let mut scores = self.score_all(&fleet, peers);
                let picked = ask.draw.smallest_score(fleet.routable, OwnTie::First, &scores);
                scores.clear();
                self.scores = scores;
                match picked {
                    Some((to, tied)) => Choice::Send { to, why: Why::Least { by }, tied },
                    None => Choice::Nobody,
                }
            }
        };
        if let Choice::Send { to, why, .. } = choice
            && !(why == Why::Only && self.only_uncounted)
            && let Some(since) = self.since.get_mut(usize::from(to))
        {
            since.tokens += if self.tokens_known { u64::from(ask.request.prompt_tokens) } else { UNKNOWN };
        }
        choice
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.since.len() as u64);
        for since in &self.since {
            into.u64(since.report.map_or(0, |at| at.wrapping_add(1)));
            into.u64(since.tokens);
        }
    }
}
