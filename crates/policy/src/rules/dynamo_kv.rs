//! `dynamo-kv`: the smallest cost of prefill left to do, blocks held and requests served, less
//! credit for what the replica's cache is believed to hold. See [`crate::dynamo`].

use core::fmt;

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::dynamo::{self, Inputs};
use crate::index::expiry::Expiring;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::view::{FleetView, ReplicaIx, RequestView, Signals, cell};

mod settings;

use settings::{Busy, Settings};
pub(super) use settings::{PARAMS, PRESETS, UPSTREAM};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "dynamo-kv",
    params: PARAMS,
    upstream: UPSTREAM,
    presets: PRESETS,
    terms: TERMS,
    knowledge: Knowledge::Events,
    signals_age: Age::Events { ms: 0 },
    source: "ai-dynamo/dynamo, lib/kv-router/src/scheduling/selector 07a6c9ce, config.rs 0243c51b, \
             approx.rs 209c9e83",
    build,
};

/// Parts of the cost, in blocks. A replica that is too busy to be chosen has its cost all the same.
pub(super) static TERMS: &[&str] = &["raw_prefill", "credit", "prefill", "decode", "requests", "cost"];

/// The rule, for `kv-aware` too.
pub(super) fn build(values: &Values) -> Box<dyn Rule> {
    Box::new(DynamoKv {
        settings: Settings::new(values),
        index: Expiring::default(),
        predicted: Expiring::default(),
        scratch: Scratch::default(),
    })
}

/// Keeps nothing but settings, unless it has an index of its own.
#[derive(Clone, Debug)]
struct DynamoKv {
    settings: Settings,
    index: Expiring,
    predicted: Expiring,
    scratch: Scratch,
}

/// Memory that each decision fills anew. Nothing of it is kept, so a copy starts without.
#[derive(Default)]
struct Scratch {
    eligible: Vec<ReplicaIx>,
    costs: Vec<f64>,
    probabilities: Vec<f64>,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scratch")
    }
}

impl Busy {
    /// Whether a replica is over a threshold.
    fn is_busy(&self, fleet: &FleetView<'_>, replica: ReplicaIx) -> bool {
        let held = u64::from(cell(fleet.decode_blocks, replica)) * 100;
        let blocks = u64::from(cell(fleet.kv_blocks, replica));
        // Without a report of its blocks there is nothing to be over.
        let decode = self.decode.is_some_and(|most| blocks > 0 && held > u64::from(most) * blocks);
        decode || self.prefill.is_some_and(|most| cell(fleet.prefill_tokens, replica) > most)
    }
}

impl DynamoKv {
    fn least_prefill(&self, fleet: &FleetView<'_>) -> u64 {
        if !self.settings.params.track_prefill || self.settings.params.credit_decay <= 0.0 {
            return 0;
        }
        let eligible = self.scratch.eligible.iter();
        eligible.map(|r| cell(fleet.prefill_tokens, *r)).min().unwrap_or(0)
    }

    /// Leading blocks of the prompt believed to be at a replica.
    fn overlap(&self, fleet: &FleetView<'_>, request: &RequestView<'_>, replica: ReplicaIx) -> u32 {
        let known = match self.settings.index {
            Some(_) => self.index.overlap(request.blocks, replica),
            None => cell(fleet.overlap, replica),
        };
        match self.settings.predicted {
            Some(_) => known.max(self.predicted.overlap(request.blocks, replica)),
            None => known,
        }
    }

    fn inputs(
        &self,
        fleet: &FleetView<'_>,
        request: &RequestView<'_>,
        replica: ReplicaIx,
        least_prefill_tokens: u64,
    ) -> Inputs {
        let overlap = self.overlap(fleet, request, replica);
        let fresh = request.prompt_tokens.div_ceil(request.block_tokens.max(1));
        let new = if self.settings.assume_reuse { cell(fleet.new_blocks, replica) } else { fresh };
        Inputs {
            prompt_tokens: u64::from(request.prompt_tokens),
            block_tokens: request.block_tokens,
            least_prefill_tokens,
            cached_tokens: u64::from(overlap) * u64::from(request.block_tokens),
            device: f64::from(overlap),
            active_prefill_tokens: cell(fleet.prefill_tokens, replica),
            decode_blocks: u64::from(cell(fleet.decode_blocks, replica)),
            new_blocks: u64::from(new),
            active_requests: u64::from(cell(fleet.active, replica)),
            ..Inputs::default()
        }
    }

    fn expire(&mut self, now: u64) {
        self.index.expire(now);
        self.predicted.expire(now);
    }

    fn record(&mut self, request: &RequestView<'_>, to: ReplicaIx, now: u64) {
        if let Some(limits) = &self.settings.index {
            self.index.record(request.blocks, to, now, limits);
        }
        if let Some(limits) = &self.settings.predicted {
            self.predicted.record(request.blocks, to, now, limits);
        }
    }

    fn keeps(&self) -> bool {
        self.settings.index.is_some() || self.settings.predicted.is_some()
    }
}

impl Rule for DynamoKv {
    fn signals(&self) -> Signals {
        let mut signals = Signals::BOOKS.and(Signals::OVERLAP);
        if self.keeps() {
            signals = signals.and(Signals::BLOCKS);
        }
        if self.settings.busy.decode.is_some() { signals.and(Signals::KV) } else { signals }
    }

    /// With busy thresholds, refused where all are over one.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (fleet, request) = (ask.fleet, ask.request);
        self.expire(fleet.now);
        let mut scratch = core::mem::take(&mut self.scratch);
        let free = |replica: &ReplicaIx| !self.settings.busy.is_busy(&fleet, *replica);
        scratch.eligible.clear();
        scratch.eligible.extend(fleet.routable.iter().copied().filter(free));
        self.scratch = scratch;
        if self.scratch.eligible.is_empty() {
            return if fleet.routable.is_empty() { Choice::Nobody } else { Choice::Refused };
        }
        let least_prefill_tokens = self.least_prefill(&fleet);
        self.scratch.costs.clear();
        for &replica in fleet.routable {
            let inputs = self.inputs(&fleet, &request, replica, least_prefill_tokens);
            let cost = dynamo::explained(&self.settings.params, &inputs);
            if ask.explain.is_on() {
                let parts =
                    [cost.raw_prefill, cost.credit, cost.prefill, cost.decode, cost.requests, cost.total];
                ask.explain.row(replica, &parts);
            }
            if self.scratch.eligible.get(self.scratch.costs.len()) == Some(&replica) {
                self.scratch.costs.push(cost.total);
            }
        }
        let temperature = self.settings.params.temperature;
        let Scratch { eligible, costs, probabilities } = &mut self.scratch;
        let picked = dynamo::pick(costs, temperature, &mut ask.draw, probabilities);
        let why = if temperature > 0.0 { Why::Softmax } else { Why::Cost };
        let Some((to, tied)) = picked.and_then(|(at, tied)| Some((*eligible.get(at)?, tied))) else {
            return Choice::Nobody;
        };
        self.record(&request, to, fleet.now);
        Choice::Send { to, why, tied }
    }

    fn learn(&mut self, fact: &Fact) {
        if let Fact::Left(replica) = fact {
            self.index.forget(*replica);
            self.predicted.forget(*replica);
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        if self.keeps() {
            self.index.digest(into);
            self.predicted.digest(into);
        }
    }
}
