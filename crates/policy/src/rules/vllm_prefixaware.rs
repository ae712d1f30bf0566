//! `vllm-prefixaware`: a uniform draw among the replicas that were sent the deepest known prefix of
//! the prompt. It knows no load and forgets nothing.

use std::collections::BTreeMap;

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::draw::OwnTie;
use crate::index::chunk::Chunks;
use crate::rule::{Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::qps::Qps;
use crate::view::{FleetView, ReplicaIx, Signals};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "vllm-prefixaware",
    params: PARAMS,
    upstream: &["chunk_size", "prefix_min_match_length", ""],
    presets: &[],
    terms: &["matched"],
    knowledge: Knowledge::Own,
    source: "vllm-project/production-stack a6c01db0, vllm_router routers/routing_logic.py, prefix/hashtrie.py",
    build: |values: &Values| {
        Box::new(PrefixAware {
            chunk_tokens: values.u32("chunk_tokens"),
            min_match: values.u32("min_match_tokens"),
            forgets: values.switch("forget_lost"),
            trie: BTreeMap::new(),
            qps: Qps::default(),
        })
    },
};

/// Both lengths are in tokens: a chunk is 128 characters upstream, 32 tokens at four to a token,
/// and whole KV blocks here. 0 for the least match accepts any. `forget_lost` is the corrected
/// behaviour: upstream's trie keeps the name of a replica that comes back with an empty cache.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "chunk_tokens",
        link: "chunk",
        kind: Kind::Int { min: 1, max: 65_536, default: 32, step: 1, page: 32 },
    },
    ParamSpec {
        key: "min_match_tokens",
        link: "min",
        kind: Kind::Int { min: 0, max: 1_000_000, default: 0, step: 32, page: 1_024 },
    },
    ParamSpec { key: "forget_lost", link: "forget", kind: Kind::Switch { default: false } },
];

/// Every chunk ever sent. An id stands for all before it, so a flat map is the trie.
#[derive(Clone, Debug)]
struct PrefixAware {
    chunk_tokens: u32,
    min_match: u32,
    forgets: bool,
    /// Who was sent it, ascending.
    trie: BTreeMap<u64, Vec<ReplicaIx>>,
    /// Kept only where a least match is set, because nothing else reads it.
    qps: Qps,
}

impl PrefixAware {
    /// Matched chunks, and the candidates that are on every one of them.
    fn deepest(&self, chunks: Chunks<'_>, fleet: &FleetView<'_>) -> (u32, Vec<ReplicaIx>) {
        let (mut matched, mut left) = (0, fleet.routable.to_vec());
        for chunk in chunks.ids() {
            let Some(holders) = self.trie.get(&chunk) else { break };
            let on: Vec<_> = left.iter().copied().filter(|r| holders.binary_search(r).is_ok()).collect();
            if on.is_empty() {
                break;
            }
            (matched, left) = (matched + 1, on);
        }
        (matched, left)
    }

    fn explain(&self, ask: &mut Ask<'_, '_>, chunks: Chunks<'_>) {
        if !ask.explain.is_on() {
            return;
        }
        for &replica in ask.fleet.routable {
            let on = |chunk: &u64| self.trie.get(chunk).is_some_and(|h| h.binary_search(&replica).is_ok());
            let matched = chunks.ids().take_while(on).count();
            ask.explain.row(replica, &[matched as f64 * f64::from(chunks.tokens())]);
        }
    }

    fn record(&mut self, chunks: Chunks<'_>, to: ReplicaIx, now: u64) {
        for chunk in chunks.ids() {
            let holders = self.trie.entry(chunk).or_default();
            if let Err(at) = holders.binary_search(&to) {
                holders.insert(at, to);
            }
        }
        if self.min_match > 0 {
            self.qps.count(now, to);
        }
    }
}

impl Rule for PrefixAware {
    fn signals(&self) -> Signals {
        Signals::BLOCKS
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        self.qps.slide(fleet.now);
        let chunks = Chunks::new(&ask.request, self.chunk_tokens, true);
        self.explain(ask, chunks);
        let (depth, group) = self.deepest(chunks, &fleet);
        // A partial chunk counts as a whole one, as upstream counts it.
        let matched = depth.saturating_mul(chunks.tokens());
        let picked = if matched < self.min_match {
            let why = Why::Miss { matched, of: ask.request.prompt_tokens };
            self.qps.lowest(ask).map(|(to, tied)| (to, why, tied))
        } else {
            let blocks = matched / ask.request.block_tokens.max(1);
            let among = ask.draw.smallest(&group, OwnTie::Random, |_| 0);
            among.map(|(to, tied)| (to, Why::Longest { blocks }, tied))
        };
        let Some((to, why, tied)) = picked else { return Choice::Nobody };
        self.record(chunks, to, fleet.now);
        Choice::Send { to, why, tied }
    }

    fn learn(&mut self, fact: &Fact) {
        if let (true, Fact::Left(replica)) = (self.forgets, fact) {
            self.trie.retain(|_, holders| {
                holders.retain(|r| r != replica);
                !holders.is_empty()
            });
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.trie.len() as u64);
        for (chunk, holders) in &self.trie {
            into.u64(*chunk);
            into.u64(holders.len() as u64);
            holders.iter().for_each(|replica| into.u64(u64::from(*replica)));
        }
        self.qps.digest(into);
    }
}
