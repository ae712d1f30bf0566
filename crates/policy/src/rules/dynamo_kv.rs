//! `dynamo-kv`: the smallest cost of prefill left to do, blocks held and requests served, less
//! credit for what the replica's cache is believed to hold. See [`crate::dynamo`].

use core::fmt;

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::dynamo::{self, Inputs, Params, Role, Selection};
use crate::rule::{Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "dynamo-kv",
    params: PARAMS,
    upstream: UPSTREAM,
    presets: &[],
    terms: TERMS,
    knowledge: Knowledge::Events,
    source: "ai-dynamo/dynamo, lib/kv-router/src/scheduling/selector 07a6c9ce, config.rs 0243c51b",
    build,
};

const fn weight(key: &'static str, link: &'static str, max: f64, default: f64) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Real { min: 0.0, max, default, step: 0.05, page: 0.5, digits: 2 } }
}

/// Weights without unit; `request_weight` is in blocks for each request.
pub(super) static PARAMS: &[ParamSpec] = &[
    weight("overlap_credit", "c", 10.0, 1.0),
    weight("credit_decay", "d", 10.0, 0.0),
    weight("prefill_scale", "p", 10.0, 1.0),
    weight("host_weight", "h", 1.0, 0.75),
    weight("disk_weight", "k", 1.0, 0.25),
    weight("shared_weight", "s", 1.0, 0.0),
    weight("request_weight", "r", 1_000.0, 0.0),
    weight("temperature", "t", 100.0, 0.0),
    ParamSpec {
        key: "selection",
        link: "sel",
        kind: Kind::Choice { options: &["cost", "lmetric"], default: 0 },
    },
    ParamSpec { key: "role", link: "role", kind: Kind::Choice { options: &["any", "decode"], default: 0 } },
    ParamSpec { key: "track_prefill", link: "track", kind: Kind::Switch { default: true } },
];

/// Option names of Dynamo's frontend; where it has none, of its router's settings.
pub(super) static UPSTREAM: &[&str] = &[
    "--router-kv-overlap-score-credit",
    "--router-kv-overlap-score-credit-decay",
    "--router-prefill-load-scale",
    "--router-host-cache-hit-weight",
    "--router-disk-cache-hit-weight",
    "--shared-cache-multiplier",
    "--router-decode-active-request-weight",
    "--router-temperature",
    "router_selection_policy",
    "",
    "router_track_prefill_tokens",
];

/// Parts of the cost, in blocks.
pub(super) static TERMS: &[&str] = &["raw_prefill", "credit", "prefill", "decode", "requests", "cost"];

/// The rule, for `kv-aware` too.
pub(super) fn build(values: &Values) -> Box<dyn Rule> {
    let selection = if values.choice("selection") == 1 { Selection::Lmetric } else { Selection::Cost };
    let role = if values.choice("role") == 1 { Role::Decode } else { Role::Any };
    let params = Params {
        overlap_credit: values.real("overlap_credit"),
        credit_decay: values.real("credit_decay"),
        prefill_scale: values.real("prefill_scale"),
        host_weight: values.real("host_weight"),
        disk_weight: values.real("disk_weight"),
        shared_weight: values.real("shared_weight"),
        request_weight: values.real("request_weight"),
        temperature: values.real("temperature"),
        selection,
        role,
        track_prefill: values.switch("track_prefill"),
    };
    Box::new(DynamoKv { params, scratch: Scratch::default() })
}

/// Keeps nothing but settings.
#[derive(Clone, Debug)]
struct DynamoKv {
    params: Params,
    scratch: Scratch,
}

/// Memory that each decision fills anew. Nothing of it is kept, so a copy starts without.
#[derive(Default)]
struct Scratch {
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

impl DynamoKv {
    fn least_prefill(&self, fleet: &FleetView<'_>) -> u64 {
        if !self.params.track_prefill || self.params.credit_decay <= 0.0 {
            return 0;
        }
        fleet.routable.iter().map(|r| cell(fleet.prefill_tokens, *r)).min().unwrap_or(0)
    }
}

impl Rule for DynamoKv {
    fn signals(&self) -> Signals {
        Signals::BOOKS.and(Signals::OVERLAP)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (fleet, request) = (ask.fleet, ask.request);
        let least_prefill_tokens = self.least_prefill(&fleet);
        self.scratch.costs.clear();
        for &replica in fleet.routable {
            let overlap = cell(fleet.overlap, replica);
            let inputs = Inputs {
                prompt_tokens: u64::from(request.prompt_tokens),
                block_tokens: request.block_tokens,
                least_prefill_tokens,
                cached_tokens: u64::from(overlap) * u64::from(request.block_tokens),
                device: f64::from(overlap),
                ..books(&fleet, replica)
            };
            let cost = dynamo::explained(&self.params, &inputs);
            if ask.explain.is_on() {
                let parts =
                    [cost.raw_prefill, cost.credit, cost.prefill, cost.decode, cost.requests, cost.total];
                ask.explain.row(replica, &parts);
            }
            self.scratch.costs.push(cost.total);
        }
        let Scratch { costs, probabilities } = &mut self.scratch;
        let picked = dynamo::pick(costs, self.params.temperature, &mut ask.draw, probabilities);
        let why = if self.params.temperature > 0.0 { Why::Softmax } else { Why::Cost };
        match picked.and_then(|(at, tied)| Some((*fleet.routable.get(at)?, tied))) {
            Some((to, tied)) => Choice::Send { to, why, tied },
            None => Choice::Nobody,
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, _into: &mut Digest) {}
}

/// The router's books of one replica.
fn books(fleet: &FleetView<'_>, replica: ReplicaIx) -> Inputs {
    Inputs {
        active_prefill_tokens: cell(fleet.prefill_tokens, replica),
        decode_blocks: u64::from(cell(fleet.decode_blocks, replica)),
        new_blocks: u64::from(cell(fleet.new_blocks, replica)),
        active_requests: u64::from(cell(fleet.active, replica)),
        ..Inputs::default()
    }
}
