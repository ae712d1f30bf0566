//! `aibrix-prefix-cache`: the longest match among replicas that are not busier than most; the
//! fewest requests when nobody matches. With loads too far apart only the least loaded may match.

use core::cmp::Reverse;
use std::sync::Arc;

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::draw::OwnTie;
use crate::index::chunk::Chunks;
use crate::index::table::Table;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RulePreset, RuleSpec, Why};
use crate::rules::load;
use crate::rules::param::PS_PER_S;
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "aibrix-prefix-cache",
    params: PARAMS,
    upstream: &[
        "AIBRIX_PREFIX_CACHE_BLOCK_SIZE",
        "AIBRIX_PREFIX_CACHE_BLOCK_NUMBER",
        "AIBRIX_PREFIX_CACHE_EVICTION_DURATION_MINS",
        "AIBRIX_PREFIX_CACHE_POD_RUNNING_REQUEST_IMBALANCE_ABS_COUNT",
        "AIBRIX_PREFIX_CACHE_STANDARD_DEVIATION_FACTOR",
    ],
    presets: &[RulePreset {
        name: "helm-chart",
        source: "values of AIBrix's Helm chart: blocks of 128 bytes, imbalance 16, factor 2",
        params: &[
            ("chunk_tokens", "32"),
            ("table_tokens", "6400000"),
            ("imbalance", "16"),
            ("deviations", "2"),
        ],
    }],
    terms: &["outstanding", "match_percent", "limit"],
    knowledge: Knowledge::Own,
    signals_age: Age::Current,
    source: "vllm-project/aibrix e3e10f9e, plugins/gateway/algorithms/prefix_cache.go, \
             utils/prefixcacheindexer/hash.go",
    build: |values: &Values| {
        Box::new(AibrixPrefixCache {
            chunk_tokens: values.u32("chunk_tokens"),
            table_tokens: values.u32("table_tokens"),
            ttl: u64::from(values.u32("ttl_min")).saturating_mul(60 * PS_PER_S),
            imbalance: values.opt_u32("imbalance"),
            deviations: f64::from(values.u32("deviations")),
            table: Arc::default(),
            only_asked: false,
        })
    },
};

/// How often the table is swept, in picoseconds.
const SWEEP: u64 = PS_PER_S;

/// Upstream's blocks of 4 bytes are one token here, and so many whole KV blocks; its table of
/// 200 000 of them is 200 000 tokens. Full blocks only. `imbalance` is in requests, none leaves
/// the gate out; `deviations` is how many standard deviations over the mean a replica may be.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "chunk_tokens",
        link: "chunk",
        kind: Kind::Int { min: 1, max: 65_536, default: 1, step: 1, page: 16 },
    },
    ParamSpec {
        key: "table_tokens",
        link: "size",
        kind: Kind::Int { min: 1, max: 1_000_000_000, default: 200_000, step: 10_000, page: 100_000 },
    },
    ParamSpec {
        key: "ttl_min",
        link: "ttl",
        kind: Kind::Int { min: 1, max: 1_440, default: 20, step: 1, page: 10 },
    },
    ParamSpec {
        key: "imbalance",
        link: "gap",
        kind: Kind::OptInt { min: 0, max: 100_000, default: Some(8), step: 1, page: 8 },
    },
    ParamSpec {
        key: "deviations",
        link: "dev",
        kind: Kind::Int { min: 0, max: 100, default: 1, step: 1, page: 1 },
    },
];

/// One table of chunks for all replicas.
#[derive(Clone, Debug)]
struct AibrixPrefixCache {
    chunk_tokens: u32,
    table_tokens: u32,
    /// In picoseconds.
    ttl: u64,
    imbalance: Option<u32>,
    deviations: f64,
    /// Copies share it until one of them changes it.
    table: Arc<Table>,
    /// A copy that is asked once and learns nothing.
    only_asked: bool,
}

impl AibrixPrefixCache {
    /// The most requests a matching replica may have: the mean of all candidates, and so many
    /// population deviations. Sums run over candidates in their order.
    fn limit(&self, fleet: &FleetView<'_>) -> f64 {
        let count = fleet.routable.len() as f64;
        let loads = || fleet.routable.iter().map(|r| f64::from(cell(fleet.outstanding, *r)));
        let mean = loads().sum::<f64>() / count;
        let variance = loads().map(|load| (load - mean) * (load - mean)).sum::<f64>() / count;
        mean + self.deviations * variance.sqrt()
    }

    /// The best match that is not too busy, with its matched chunks, and the most chunks that
    /// anybody has, busy or not.
    fn matching(
        &self,
        ask: &mut Ask<'_, '_>,
        chunks: Chunks<'_>,
        ids: &[u64],
        among: &[ReplicaIx],
    ) -> (Option<(ReplicaIx, u32, u32)>, u32) {
        let fleet = ask.fleet;
        let limit = self.limit(&fleet);
        let mut matched = self.table.matches(ids, among);
        let most = most_of(&matched);
        matched.retain(|(replica, _)| f64::from(cell(fleet.outstanding, *replica)) <= limit);
        let candidates: Vec<ReplicaIx> = matched.iter().map(|(replica, _)| *replica).collect();
        // Candidates ascend, and so do those that match.
        let of = |replica| {
            let at = matched.binary_search_by_key(&replica, |(r, _)| *r).ok();
            at.and_then(|at| matched.get(at)).map_or(0, |(_, count)| *count)
        };
        let key = |replica| (Reverse(percent(of(replica), chunks)), cell(fleet.outstanding, replica));
        let picked = ask.draw.smallest(&candidates, OwnTie::Random, key);
        (picked.map(|(to, tied)| (to, of(to), tied)), most)
    }

    fn explain(&self, ask: &mut Ask<'_, '_>, chunks: Chunks<'_>) {
        if !ask.explain.is_on() {
            return;
        }
        let fleet = ask.fleet;
        let (limit, ids) = (self.limit(&fleet), chunks.ids());
        for &replica in fleet.routable {
            let matched = self.table.matches(&ids, &[replica]).first().map_or(0, |(_, count)| *count);
            let terms =
                [f64::from(cell(fleet.outstanding, replica)), f64::from(percent(matched, chunks)), limit];
            ask.explain.row(replica, &terms);
        }
    }
}

/// The most chunks of some matches; 0 of none.
fn most_of(matches: &[(ReplicaIx, u32)]) -> u32 {
    matches.iter().map(|(_, count)| *count).max().unwrap_or(0)
}

fn percent(matched: u32, chunks: Chunks<'_>) -> u32 {
    (u64::from(matched) * 100).checked_div(u64::from(chunks.total())).unwrap_or(0) as u32
}

impl Rule for AibrixPrefixCache {
    fn signals(&self) -> Signals {
        Signals::OUTSTANDING.and(Signals::BLOCKS)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (fleet, of) = (ask.fleet, ask.request.prompt_tokens);
        let swept = fleet.now / SWEEP * SWEEP;
        if !self.only_asked || self.table.is_due(swept, self.ttl) {
            Arc::make_mut(&mut self.table).sweep(swept, self.ttl);
        }
        let chunks = Chunks::new(&ask.request, self.chunk_tokens, false);
        let ids = chunks.ids();
        self.explain(ask, chunks);
        let outstanding = |replica| cell(fleet.outstanding, replica);
        let (min, max) = load::extremes(fleet.routable.iter().copied(), outstanding);
        let gated = self.imbalance.is_some_and(|most| max - min > most);
        let among = fleet.routable.iter().copied().filter(|r| !gated || outstanding(*r) == min);
        let among: Vec<ReplicaIx> = among.collect();
        let (matching, most) = self.matching(ask, chunks, &ids, &among);
        let picked = if let Some((to, blocks, tied)) = matching {
            Some((to, Why::Match { matched: blocks.saturating_mul(chunks.tokens()), of }, tied))
        } else {
            let most = if gated { most_of(&self.table.matches(&ids, fleet.routable)) } else { most };
            let matched = most.saturating_mul(chunks.tokens());
            let why = if gated { Why::Imbalanced { min, max } } else { Why::Miss { matched, of } };
            let least = ask.draw.smallest(fleet.routable, OwnTie::Random, outstanding);
            least.map(|(to, tied)| (to, why, tied))
        };
        let Some((to, why, tied)) = picked else { return Choice::Nobody };
        let capacity = self.table_tokens / chunks.tokens().max(1);
        if !self.only_asked {
            Arc::make_mut(&mut self.table).record(&ids, to, fleet.now, capacity as usize);
        }
        Choice::Send { to, why, tied }
    }

    /// A replica that comes back is another one upstream, under a new name.
    fn learn(&mut self, fact: &Fact) {
        if let Fact::Left(replica) = fact {
            Arc::make_mut(&mut self.table).forget(*replica);
        }
    }

    fn would_choose(&self, ask: &mut Ask<'_, '_>) -> Choice {
        Self { only_asked: true, ..self.clone() }.choose(ask)
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        self.table.digest(into);
    }
}
