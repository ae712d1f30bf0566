//! `vllm-prefixaware`: a uniform draw among the replicas that were sent the deepest known prefix of
//! the prompt. It knows no load and forgets nothing.

use std::sync::Arc;

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::draw::OwnTie;
use crate::index::chunk::Chunks;
use crate::index::trie::Trie;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RulePreset, RuleSpec, Why};
use crate::rules::qps::Qps;
use crate::view::{ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "vllm-prefixaware",
    params: PARAMS,
    upstream: &["chunk_size", "prefix_min_match_length", "", ""],
    presets: &[RulePreset {
        name: "loadaware",
        source: "production-stack PR 1035, open in August 2026",
        params: &[("load_penalty", "1")],
    }],
    terms: &["matched", "outstanding", "score"],
    knowledge: Knowledge::Own,
    signals_age: Age::Current,
    source: "vllm-project/production-stack a6c01db0, vllm_router routers/routing_logic.py, \
             prefix/hashtrie.py",
    build: |values: &Values| {
        Box::new(PrefixAware {
            chunk_tokens: values.u32("chunk_tokens"),
            min_match: values.u32("min_match_tokens"),
            forgets: values.switch("forget_lost"),
            penalty: values.real("load_penalty"),
            trie: Arc::default(),
            qps: Qps::default(),
            only_asked: false,
        })
    },
};

/// Both lengths are in tokens: a chunk is 128 characters upstream, 32 tokens at four to a token,
/// and whole KV blocks here. 0 for the least match accepts any. `forget_lost` is the corrected
/// behaviour: upstream's trie keeps the name of a replica that comes back with an empty cache.
/// `load_penalty` is the corrected rule of PR 1035: the largest share matched, less so much for each
/// mean load that a replica is above the mean; 0 is the rule without load.
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
    ParamSpec {
        key: "load_penalty",
        link: "beta",
        kind: Kind::Real { min: 0.0, max: 100.0, default: 0.0, step: 0.1, page: 1.0, digits: 2 },
    },
];

/// Every chunk ever sent, and requests of late.
#[derive(Clone, Debug)]
struct PrefixAware {
    chunk_tokens: u32,
    min_match: u32,
    forgets: bool,
    penalty: f64,
    /// Copies share it until one of them changes it.
    trie: Arc<Trie>,
    /// Kept only where a least match is set, because nothing else reads it.
    qps: Qps,
    /// A copy that is asked once and learns nothing.
    only_asked: bool,
}

impl PrefixAware {
    /// Tokens of the chunks that one replica was sent from the beginning of the prompt on.
    fn matched(&self, chunks: Chunks<'_>, replica: ReplicaIx) -> u32 {
        self.trie.matched(&chunks.ids(), replica).saturating_mul(chunks.tokens())
    }

    /// What PR 1035 takes the largest of; 0 where the rule sees no load.
    fn score(&self, ask: &Ask<'_, '_>, chunks: Chunks<'_>, replica: ReplicaIx) -> f64 {
        if self.penalty <= 0.0 {
            return 0.0;
        }
        let (fleet, tokens) = (&ask.fleet, ask.request.prompt_tokens.max(1));
        let loads = fleet.routable.iter().map(|r| f64::from(cell(fleet.outstanding, *r)));
        let mean = loads.sum::<f64>() / fleet.routable.len().max(1) as f64;
        // A partial chunk counts as a whole one, but nothing matches more than all of it.
        let share = f64::from(self.matched(chunks, replica).min(tokens)) / f64::from(tokens);
        share - self.penalty * (f64::from(cell(fleet.outstanding, replica)) - mean) / mean.max(1.0)
    }

    fn by_score(&self, ask: &mut Ask<'_, '_>, chunks: Chunks<'_>) -> Option<(ReplicaIx, Why, u32)> {
        let routable = ask.fleet.routable;
        let scores: Vec<f64> = routable.iter().map(|r| -self.score(ask, chunks, *r)).collect();
        let at = |replica: ReplicaIx| routable.binary_search(&replica).unwrap_or(0);
        let key = |replica| scores.get(at(replica)).copied().unwrap_or(0.0);
        let (to, tied) = ask.draw.smallest(routable, OwnTie::First, key)?;
        Some((to, Why::Score, tied))
    }

    fn explain(&self, ask: &mut Ask<'_, '_>, chunks: Chunks<'_>) {
        if !ask.explain.is_on() {
            return;
        }
        for &replica in ask.fleet.routable {
            let seen = if self.penalty > 0.0 { cell(ask.fleet.outstanding, replica) } else { 0 };
            let score = self.score(ask, chunks, replica);
            let matched = f64::from(self.matched(chunks, replica));
            ask.explain.row(replica, &[matched, f64::from(seen), score]);
        }
    }

    fn record(&mut self, chunks: &[u64], to: ReplicaIx, now: u64) {
        if self.only_asked {
            return;
        }
        Arc::make_mut(&mut self.trie).record(chunks, to);
        if self.min_match > 0 {
            self.qps.count(now, to);
        }
    }
}

impl Rule for PrefixAware {
    fn signals(&self) -> Signals {
        if self.penalty > 0.0 { Signals::BLOCKS.and(Signals::OUTSTANDING) } else { Signals::BLOCKS }
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        self.qps.slide(fleet.now);
        let chunks = Chunks::new(&ask.request, self.chunk_tokens, true);
        self.explain(ask, chunks);
        let ids = chunks.ids();
        let (depth, group) = self.trie.deepest(&ids, fleet.routable);
        // A partial chunk counts as a whole one, as upstream counts it.
        let matched = depth.saturating_mul(chunks.tokens());
        let picked = if self.penalty > 0.0 {
            self.by_score(ask, chunks)
        } else if matched < self.min_match {
            let why = Why::Miss { matched, of: ask.request.prompt_tokens };
            self.qps.lowest(ask).map(|(to, tied)| (to, why, tied))
        } else {
            let blocks = matched / ask.request.block_tokens.max(1);
            let among = ask.draw.smallest(&group, OwnTie::Random, |_| 0);
            among.map(|(to, tied)| (to, Why::Longest { blocks }, tied))
        };
        let Some((to, why, tied)) = picked else { return Choice::Nobody };
        self.record(&ids, to, fleet.now);
        Choice::Send { to, why, tied }
    }

    fn learn(&mut self, fact: &Fact) {
        if let (true, Fact::Left(replica)) = (self.forgets, fact) {
            Arc::make_mut(&mut self.trie).forget(*replica);
        }
    }

    fn would_choose(&self, ask: &mut Ask<'_, '_>) -> Choice {
        Self { only_asked: true, ..self.clone() }.choose(ask)
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        self.trie.digest(into);
        self.qps.digest(into);
    }
}
