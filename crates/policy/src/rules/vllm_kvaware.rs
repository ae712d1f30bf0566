//! `vllm-kvaware`: the first replica that is known to hold enough of the prompt; else the owner of
//! the session on a ring; else the replica with the fewest requests in the last minute.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};
use xxhash_rust::xxh3::xxh3_64;

use crate::draw::OwnTie;
use crate::index::ring::Ring;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RulePreset, RuleSpec, Why};
use crate::rules::qps::Qps;
use crate::view::{FleetView, ReplicaIx, RequestView, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "vllm-kvaware",
    params: PARAMS,
    upstream: &["--kv-aware-threshold", "", "", "--session-key"],
    presets: &[RulePreset {
        name: "chat-requests",
        source: "what chat requests get of it, which is all that production-stack's session router does",
        params: &[("endpoint", "chat")],
    }],
    terms: &["matched", "needed", "recent"],
    knowledge: Knowledge::True,
    signals_age: Age::Polled { ms: 0 },
    source: "vllm-project/production-stack a6c01db0, vllm_router routers/routing_logic.py (KvawareRouter); \
             LMCache's controller answers as the caches are",
    build: |values: &Values| {
        Box::new(KvAware {
            threshold: values.u32("threshold_tokens"),
            longest: values.choice("instance") == 1,
            tokenised: values.choice("endpoint") == 0,
            by_session: values.switch("session_key"),
            ring: Ring::default(),
            qps: Qps::default(),
        })
    },
};

/// Points of each replica on the ring of sessions. Upstream's ring hashes differently, so owners
/// are not the same ones; that each session has one is.
const VIRTUAL_NODES: u32 = 160;

/// `threshold_tokens`: so much of a prompt may be missing. `instance`: `longest` compares the
/// holders, which upstream does not. `endpoint`: of chat requests upstream looks an empty prompt
/// up, so none is ever found. `session_key`: whether requests show their session to the router.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "threshold_tokens",
        link: "miss",
        kind: Kind::Int { min: 0, max: 1_000_000, default: 2_000, step: 100, page: 1_000 },
    },
    ParamSpec {
        key: "instance",
        link: "inst",
        kind: Kind::Choice { options: &["first", "longest"], default: 0 },
    },
    ParamSpec {
        key: "endpoint",
        link: "api",
        kind: Kind::Choice { options: &["completions", "chat"], default: 0 },
    },
    ParamSpec { key: "session_key", link: "key", kind: Kind::Switch { default: true } },
];

#[derive(Clone, Debug)]
struct KvAware {
    threshold: u32,
    longest: bool,
    tokenised: bool,
    by_session: bool,
    /// A function of the number of replicas.
    ring: Ring,
    qps: Qps,
}

impl KvAware {
    /// Tokens that the look-up finds at a replica.
    fn found(&self, fleet: &FleetView<'_>, request: &RequestView<'_>, replica: ReplicaIx) -> u32 {
        let blocks = if self.tokenised { cell(fleet.overlap, replica) } else { 0 };
        blocks.saturating_mul(request.block_tokens)
    }

    /// Tokens that a holder must have; more than 0, because nothing found is no holder.
    fn needed(&self, request: &RequestView<'_>) -> u32 {
        let length = if self.tokenised { request.prompt_tokens } else { 0 };
        length.saturating_sub(self.threshold)
    }

    /// The holder that upstream takes, and what it holds. Its list of holders is in the order of
    /// their registration; here that is the order of replicas.
    fn holder(&self, ask: &mut Ask<'_, '_>) -> Option<(ReplicaIx, u32, u32)> {
        let (fleet, request) = (ask.fleet, ask.request);
        let found = |replica| self.found(&fleet, &request, replica);
        let (to, tied) = if self.longest {
            ask.draw.smallest(fleet.routable, OwnTie::First, |r| core::cmp::Reverse(found(r)))?
        } else {
            (fleet.routable.iter().copied().find(|r| found(*r) > 0)?, 1)
        };
        let matched = found(to);
        (matched > 0 && matched >= self.needed(&request)).then_some((to, matched, tied))
    }

    fn fall_back(&mut self, ask: &mut Ask<'_, '_>) -> Option<(ReplicaIx, Why, u32)> {
        let fleet = ask.fleet;
        let Some(session) = ask.request.session.filter(|_| self.by_session) else {
            return self.qps.lowest(ask).map(|(to, tied)| (to, Why::Least { by: By::RecentRequests }, tied));
        };
        if self.ring.replicas() != fleet.replicas {
            self.ring = Ring::new(fleet.replicas, VIRTUAL_NODES);
        }
        let hash = xxh3_64(&u64::from(session).to_le_bytes());
        match self.ring.owner(hash, |replica| fleet.routable.binary_search(&replica).is_ok())? {
            (to, 0) => Some((to, Why::Owner, 1)),
            (to, step) => Some((to, Why::Fallback { step }, 1)),
        }
    }

    fn explain(&self, ask: &mut Ask<'_, '_>) {
        if !ask.explain.is_on() {
            return;
        }
        let (fleet, request) = (ask.fleet, ask.request);
        for &replica in fleet.routable {
            let recent = self.qps.of(replica).unwrap_or(0);
            let terms = [self.found(&fleet, &request, replica), self.needed(&request), recent];
            ask.explain.row(replica, &terms.map(f64::from));
        }
    }
}

impl Rule for KvAware {
    fn signals(&self) -> Signals {
        if self.tokenised { Signals::OVERLAP } else { Signals::NONE }
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let now = ask.fleet.now;
        self.qps.slide(now);
        self.explain(ask);
        let of = ask.request.prompt_tokens;
        let picked = match self.holder(ask) {
            Some((to, matched, tied)) => Some((to, Why::Match { matched, of }, tied)),
            None => self.fall_back(ask),
        };
        let Some((to, why, tied)) = picked else { return Choice::Nobody };
        self.qps.count(now, to);
        Choice::Send { to, why, tied }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.ring.replicas()));
        self.qps.digest(into);
    }
}
