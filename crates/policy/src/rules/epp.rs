//! `epp`: llm-d's endpoint picker. Filters narrow the candidates, scorers rate those that are left,
//! and a picker takes the largest sum of weighted scores, or draws. See [`crate::endpoint_picker`].

use std::borrow::Cow;
use std::sync::Arc;

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::draw::{OwnTie, TieBreak};
use crate::endpoint_picker as parts;
use crate::endpoint_picker::{Sticky, TieMode, Turns};
use crate::index::holders::Holders;
use crate::index::recency::Recency;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RulePreset, RuleSpec, Why};
use crate::rules::load;
use crate::view::{FleetView, ReplicaIx, Signals, cell};

mod prefix;
mod scores;
mod sessions;
mod settings;

use prefix::Matches;
use scores::{Score, is_cold};
use sessions::Sessions;
use settings::{Detector, PARAMS, Picker, Settings, UPSTREAM};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "epp",
    params: PARAMS,
    upstream: UPSTREAM,
    presets: PRESETS,
    terms: &["kept", "queue", "kv", "prefix", "others", "score"],
    knowledge: Knowledge::Own,
    signals_age: Age::Polled { ms: 50 },
    source: "llm-d/llm-d-router ebab6879, pkg/epp/framework/plugins; \
             weights of config/charts/routerlib/templates/_config.yaml",
    build: |values: &Values| {
        let settings = Settings::new(values);
        Box::new(Epp {
            settings,
            index: Arc::default(),
            cold: Recency::default(),
            sessions: Sessions::new(settings.session_ttl),
            turns: Turns::default(),
            only_asked: false,
        })
    },
};

static PRESETS: &[RulePreset] = &[
    RulePreset {
        name: "sample-config",
        source: "deploy/config/epp-config.yaml: prefix-cache-scorer alone, which sees no load",
        params: &[("queue_weight", "0"), ("kv_weight", "0"), ("prefix_weight", "2")],
    },
    RulePreset {
        name: "latency-without-predictions",
        source: "the latency scorer where it has no predictions: kv, queue and prefix 1, 1, 1",
        params: &[("queue_weight", "1"), ("kv_weight", "1"), ("prefix_weight", "1")],
    },
    RulePreset {
        name: "first-tie",
        source: "gateway-api-inference-extension issue 1204: equal scores went to the same pod",
        params: &[("tie_mode", "first")],
    },
    RulePreset {
        name: "round-robin-tie",
        source: "llm-d-router PR 2515 and 2709, September 2026",
        params: &[("tie_mode", "round-robin")],
    },
];

/// Replicas that cold requests went to, at most so many.
const COLD_REPLICAS: usize = 1_024;

const MS_PER_S: f64 = 1e3;

/// An index of chunks, who had cold requests, sessions, and the turn among equals.
#[derive(Clone, Debug)]
struct Epp {
    settings: Settings,
    /// Copies share it until one of them changes it.
    index: Arc<Holders>,
    cold: Recency,
    sessions: Sessions,
    turns: Turns,
    /// A copy that is asked once and learns nothing.
    only_asked: bool,
}

impl Epp {
    /// Waiting requests and KV usage of a replica; none if the report is too old. A router that
    /// does not say how old reports are has fresh ones.
    fn report(&self, fleet: &FleetView<'_>, replica: ReplicaIx) -> Option<(u32, f64)> {
        let seen = fleet.seen_at.get(usize::from(replica)).copied().unwrap_or(fleet.now);
        let fresh = fleet.now.saturating_sub(seen) <= self.settings.staleness;
        fresh.then(|| (cell(fleet.waiting, replica), load::usage(fleet, replica).unwrap_or(0.0)))
    }

    /// Whether the pool is too full for a request that may be refused or held back.
    fn saturated(&self, fleet: &FleetView<'_>) -> bool {
        let replicas = fleet.routable.iter().copied();
        let saturation = match self.settings.gate {
            None => return false,
            Some(Detector::Utilization) => {
                self.settings.utilization.saturation(replicas.map(|r| self.report(fleet, r)))
            }
            Some(Detector::Requests(most)) => {
                parts::concurrency(replicas.map(|r| u64::from(cell(fleet.outstanding, r))), most)
            }
            Some(Detector::Tokens(most)) => {
                parts::concurrency(replicas.map(|r| cell(fleet.prefill_tokens, r)), most)
            }
        };
        saturation >= 1.0
    }

    /// Candidates that the filters keep, never none of some.
    fn filtered<'a>(&self, ask: &mut Ask<'a, '_>, matches: &Matches<'_>) -> Cow<'a, [ReplicaIx]> {
        let fleet = ask.fleet;
        let mut kept = Cow::Borrowed(fleet.routable);
        if self.settings.utilization_filter {
            let keeps = |r: &ReplicaIx| self.settings.utilization.keeps(self.report(&fleet, *r));
            let free: Vec<ReplicaIx> = kept.iter().copied().filter(keeps).collect();
            kept = if free.is_empty() { kept } else { free.into() };
        }
        let Some(affinity) = self.settings.affinity else { return kept };
        let explores = self.settings.exploration;
        if explores > 0.0 && kept.len() > 1 && ask.draw.stream.unit() < explores {
            return kept;
        }
        let ratios: Vec<f64> = kept.iter().map(|r| matches.ratio(*r)).collect();
        let ttft = |r: &ReplicaIx| {
            cell(fleet.prefill_tokens, *r) as f64 / self.settings.prefill_tokens_per_s * MS_PER_S
        };
        let ttft_ms: Vec<f64> = kept.iter().map(ttft).collect();
        if parts::sticky(&affinity, &ratios, &ttft_ms) == Sticky::Only {
            kept.to_mut().retain(|r| matches.ratio(*r) >= affinity.threshold);
        }
        kept
    }

    /// The place of the picked candidate, how it was picked, and the number of equals.
    fn pick(&mut self, ask: &mut Ask<'_, '_>, scores: &[Score]) -> Option<(usize, Why, u32)> {
        let count = scores.len() as u64;
        let best = scores.iter().map(|s| s.total).reduce(f64::max)?;
        let mode = match self.settings.picker {
            Picker::Largest(mode) => mode,
            Picker::Random => return Some((ask.draw.stream.below(count) as usize, Why::Drawn, 1)),
            Picker::Weighted => {
                let totals: Vec<f64> = scores.iter().map(|s| s.total).collect();
                return Some(match parts::weighted(&totals, ask.draw.stream) {
                    Some(at) => (at, Why::Softmax, 1),
                    None => (ask.draw.stream.below(count) as usize, Why::Drawn, 1),
                });
            }
        };
        let tied = scores.iter().filter(|s| s.total == best).count() as u32;
        let wanted = match mode {
            TieMode::RoundRobin if ask.draw.ties == TieBreak::Upstream => self.turns.next(tied),
            TieMode::RoundRobin | TieMode::Random => ask.draw.among(tied, OwnTie::Random),
            TieMode::First => ask.draw.among(tied, OwnTie::First),
        };
        let mut equals = scores.iter().enumerate().filter(|(_, s)| s.total == best);
        equals.nth(wanted as usize).map(|(at, _)| (at, Why::Score, tied))
    }

    /// Remembers the decision.
    fn record(&mut self, ask: &Ask<'_, '_>, matches: &Matches<'_>, to: ReplicaIx, cold: bool) {
        if self.only_asked {
            return;
        }
        if self.settings.reads_prefix() {
            self.settings.producer.record(Arc::make_mut(&mut self.index), &ask.fleet, matches, to);
        }
        if cold && self.settings.weights.no_hit_lru > 0.0 {
            self.cold.touch(u64::from(to));
            if self.cold.len() > COLD_REPLICAS {
                self.cold.pop_oldest();
            }
        }
        if self.settings.weights.session > 0.0 {
            self.sessions.bind(ask.request.session, to, ask.fleet.now);
        }
    }
}

/// One row a candidate; one that the filters took out has nothing but zeros.
fn explain(ask: &mut Ask<'_, '_>, kept: &[ReplicaIx], scores: &[Score]) {
    if !ask.explain.is_on() {
        return;
    }
    for &replica in ask.fleet.routable {
        let at = kept.iter().position(|r| *r == replica);
        let row = match at.and_then(|at| scores.get(at)) {
            Some(s) => [1.0, s.queue, s.kv, s.prefix, s.others, s.total],
            None => [0.0; 6],
        };
        ask.explain.row(replica, &row);
    }
}

impl Rule for Epp {
    fn signals(&self) -> Signals {
        let Settings { weights: w, gate, utilization_filter, affinity, producer, .. } = &self.settings;
        let reports = *utilization_filter || *gate == Some(Detector::Utilization);
        let sized = self.settings.reads_prefix() && !producer.precise && producer.auto_tune;
        let books = w.token_load > 0.0
            || affinity.is_some_and(|a| a.most_penalty_ms > 0.0)
            || matches!(gate, Some(Detector::Tokens(_)));
        let wanted = [
            (reports || w.queue > 0.0 || w.running > 0.0 || w.load_aware > 0.0, Signals::QUEUES),
            (reports || w.kv > 0.0 || sized, Signals::KV),
            (w.active > 0.0 || matches!(gate, Some(Detector::Requests(_))), Signals::OUTSTANDING),
            (books, Signals::BOOKS),
            (self.settings.reads_prefix() && !producer.precise, Signals::BLOCKS),
            // Books take off what the router around the rule believes cached, where it does.
            (books || (self.settings.reads_prefix() && producer.precise), Signals::OVERLAP),
        ];
        let wanted = wanted.into_iter().filter(|(wants, _)| *wants);
        wanted.fold(Signals::NONE, |all, (_, signal)| all.and(signal))
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (fleet, request) = (ask.fleet, ask.request);
        if fleet.routable.is_empty() {
            return Choice::Nobody;
        }
        if self.saturated(&fleet) {
            return if self.settings.holds { Choice::Held } else { Choice::Refused };
        }
        self.sessions.sweep(fleet.now);
        let matches = if self.settings.reads_prefix() {
            self.settings.producer.matches(&self.index, &fleet, &request)
        } else {
            Matches::default()
        };
        let kept = self.filtered(ask, &matches);
        let scores = self.scores(&fleet, &request, &matches, &kept);
        explain(ask, &kept, &scores);
        let picked = self.pick(ask, &scores).and_then(|(at, why, tied)| Some((*kept.get(at)?, why, tied)));
        let Some((to, why, tied)) = picked else { return Choice::Nobody };
        self.record(ask, &matches, to, is_cold(&matches, &kept));
        Choice::Send { to, why, tied }
    }

    /// A replica that comes back is another one upstream, under a new name.
    fn learn(&mut self, fact: &Fact) {
        if let Fact::Left(replica) = fact {
            Arc::make_mut(&mut self.index).forget(*replica);
            self.cold.remove(u64::from(*replica));
            self.sessions.forget(*replica);
        }
    }

    fn would_choose(&self, ask: &mut Ask<'_, '_>) -> Choice {
        Self { only_asked: true, ..self.clone() }.choose(ask)
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        self.index.digest(into);
        self.cold.digest(into);
        self.sessions.digest(into);
        into.u64(u64::from(self.turns.count()));
    }
}
