//! `sglang-cache-aware`: whoever the prefix tree names for most of the prompt, while loads are
//! balanced; the least loaded when they are not, or when too little of the prompt is known.

use core::cmp::Reverse;
use std::sync::Arc;

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::draw::OwnTie;
use crate::index::radix::Tree;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::load;
use crate::view::{FleetView, ReplicaIx, RequestView, Signals, cell};

mod sessions;
mod settings;

use sessions::Sessions;
use settings::{MissTarget, PARAMS, PRESETS, Settings, UPSTREAM, Variant};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "sglang-cache-aware",
    params: PARAMS,
    upstream: UPSTREAM,
    presets: PRESETS,
    terms: &["outstanding", "processed", "matched", "tree"],
    knowledge: Knowledge::Own,
    signals_age: Age::Current,
    source: "lightseekorg/smg 73da68ca, policies/cache_aware.rs; \
             in-tree: sgl-project/sglang sgl-model-gateway/src/policies/cache_aware.rs b93974f1; \
             sessions: vllm-project/router src/policies/cache_aware.rs",
    build: |values: &Values| {
        let settings = Settings::new(values);
        let next_eviction = settings.eviction_interval;
        let sessions = Sessions::default();
        Box::new(CacheAware {
            settings,
            tree: Arc::default(),
            processed: Vec::new(),
            next_eviction,
            sessions,
            only_asked: false,
        })
    },
};

/// One tree of blocks with the replicas as tenants, and lifetime selections.
#[derive(Clone, Debug)]
struct CacheAware {
    settings: Settings,
    /// Copies share it until one of them changes it.
    tree: Arc<Tree<u64>>,
    /// Selections by replica. Its length is the number of replicas made known to the tree.
    processed: Vec<u64>,
    /// When the tree is cut back next, in picoseconds.
    next_eviction: u64,
    /// Empty unless sessions are looked up.
    sessions: Sessions,
    /// A copy that is asked once and learns nothing.
    only_asked: bool,
}

/// A choice, its reason, the number of equals.
type Pick = (ReplicaIx, Why, u32);

impl CacheAware {
    /// New replicas are in the tree from the start, with nothing.
    fn welcome(&mut self, replicas: ReplicaIx) {
        for replica in self.processed.len()..usize::from(replicas) {
            Arc::make_mut(&mut self.tree).insert(&[], replica as ReplicaIx);
            self.processed.push(0);
        }
    }

    /// Upstream cuts back on a clock of its own. Between two decisions nobody looks at the tree,
    /// so doing it at the first decision after the clock has struck comes to the same.
    fn cut_back(&mut self, now: u64, block_tokens: u32) {
        let interval = self.settings.eviction_interval;
        if interval > 0 && now >= self.next_eviction {
            Arc::make_mut(&mut self.tree).evict(self.settings.max_tree_size / u64::from(block_tokens.max(1)));
            if let Some(ttl) = self.settings.session_ttl {
                self.sessions.sweep(now / interval * interval, ttl, self.settings.max_tree_size);
            }
            self.next_eviction = (now / interval).saturating_add(1).saturating_mul(interval);
        }
    }

    /// The ends of the loads that the gate compares.
    fn ends(&self, fleet: &FleetView<'_>) -> (u32, u32) {
        let outstanding = |replica| cell(fleet.outstanding, replica);
        match self.settings.variant {
            Variant::Smg => load::extremes(fleet.routable.iter().copied(), outstanding),
            Variant::InTree => load::extremes(0..fleet.replicas, outstanding),
        }
    }

    /// Whether loads are too far apart: in single precision, both strict, as upstream compares.
    fn apart(&self, min: u32, max: u32) -> bool {
        max - min > self.settings.balance_abs && max as f32 > min as f32 * self.settings.balance_rel
    }

    /// The gate: the ends of the loads if affinity must be given up, for all or for `named`, where
    /// the gate is that of one request.
    fn imbalance(&self, fleet: &FleetView<'_>, named: Option<ReplicaIx>) -> Option<(u32, u32)> {
        let (min, max) = self.ends(fleet);
        match (self.settings.gates_requests, named) {
            (false, None) => (self.apart(min, max) || self.overused(fleet)).then_some((min, max)),
            (true, None) => self.overused(fleet).then_some((min, max)),
            (false, Some(_)) => None,
            (true, Some(named)) => {
                let load = cell(fleet.outstanding, named);
                self.apart(min.min(load), load).then_some((min, load))
            }
        }
    }

    /// The least loaded, because loads are too far apart. The prompt is remembered.
    fn by_load(&mut self, ask: &mut Ask<'_, '_>, (min, max): (u32, u32)) -> Option<Pick> {
        let (to, tied) = self.least(ask)?;
        self.record(&ask.request, to);
        Some((to, Why::Imbalanced { min, max }, tied))
    }

    /// The gates on token usage, over replicas that report it.
    fn overused(&self, fleet: &FleetView<'_>) -> bool {
        if !self.settings.reads_usage() {
            return false;
        }
        let reports = fleet.routable.iter().filter_map(|r| load::usage(fleet, *r));
        let ends = reports.fold(None, |ends: Option<(f64, f64)>, u| {
            Some(ends.map_or((u, u), |(min, max)| (min.min(u), max.max(u))))
        });
        let over = |value: f64, threshold: f64| threshold < 1.0 && value > threshold;
        ends.is_some_and(|(min, max)| {
            over(max, self.settings.overload_usage) || over(max - min, self.settings.balance_usage)
        })
    }

    /// The candidate with the smallest load.
    fn least(&self, ask: &mut Ask<'_, '_>) -> Option<(ReplicaIx, u32)> {
        let outstanding = ask.fleet.outstanding;
        let routable = ask.fleet.routable;
        match self.settings.variant {
            Variant::Smg => ask
                .draw
                .smallest(routable, OwnTie::First, |r| (cell(outstanding, r), cell(&self.processed, r))),
            Variant::InTree => ask.draw.smallest(routable, OwnTie::First, |r| cell(outstanding, r)),
        }
    }

    /// Remembers a prompt and a selection.
    fn record(&mut self, request: &RequestView<'_>, to: ReplicaIx) {
        if !self.only_asked {
            Arc::make_mut(&mut self.tree).insert(request.blocks, to);
        }
        self.count(to);
    }

    fn count(&mut self, to: ReplicaIx) {
        if let Some(processed) = self.processed.get_mut(usize::from(to)) {
            *processed += 1;
        }
    }

    /// Decides by KV events: most blocks cached, then lower load, then the smaller index.
    fn by_events(&mut self, ask: &mut Ask<'_, '_>) -> Option<Pick> {
        let fleet = ask.fleet;
        let key = |r| (Reverse(cell(fleet.overlap, r)), cell(fleet.outstanding, r), cell(fleet.indexed, r));
        let best = fleet.routable.iter().map(|r| cell(fleet.overlap, *r)).max();
        let (to, why, tied) = if best.is_some_and(|blocks| blocks > 0) {
            let (to, tied) = ask.draw.smallest(fleet.routable, OwnTie::Last, key)?;
            if let Some(ends) = self.imbalance(&fleet, Some(to)) {
                return self.by_load(ask, ends);
            }
            (to, Why::Longest { blocks: cell(fleet.overlap, to) }, tied)
        } else {
            let (to, tied) = self.least(ask)?;
            (to, Why::Miss { matched: 0, of: ask.request.prompt_tokens }, tied)
        };
        self.count(to);
        Some((to, why, tied))
    }

    /// The replica of the request's session, if sessions are looked up. The prompt is remembered.
    fn by_session(&mut self, ask: &mut Ask<'_, '_>) -> Option<Pick> {
        self.settings.session_ttl?;
        let to = self.sessions.find(ask.request.session?, ask.fleet.routable)?;
        if let Some(ends) = self.imbalance(&ask.fleet, Some(to)) {
            return self.by_load(ask, ends);
        }
        self.record(&ask.request, to);
        Some((to, Why::Owner, 1))
    }

    /// Decides by what was sent where.
    fn by_history(&mut self, ask: &mut Ask<'_, '_>) -> Option<Pick> {
        if let Some(known) = self.by_session(ask) {
            return Some(known);
        }
        let (fleet, request) = (ask.fleet, ask.request);
        let found = if self.only_asked {
            self.tree.known(request.blocks)
        } else {
            Arc::make_mut(&mut self.tree).longest(request.blocks)
        };
        let of = request.prompt_tokens;
        let matched = tokens(found.matched, &request);
        let rate = if of == 0 { 0.0 } else { matched as f32 / of as f32 };
        if rate > self.settings.cache_threshold {
            let owner = found.owner.filter(|o| fleet.routable.binary_search(o).is_ok());
            if owner.is_none() && self.settings.corrects_gone {
                let (to, tied) = self.least(ask)?;
                self.record(&request, to);
                return Some((to, Why::Fallback { step: 1 }, tied));
            }
            let Some(owner) = owner else {
                // Not to the least loaded, and nothing is learnt from it.
                return fleet.routable.first().map(|first| (*first, Why::OwnerGone, 1));
            };
            if let Some(ends) = self.imbalance(&fleet, Some(owner)) {
                return self.by_load(ask, ends);
            }
            self.record(&request, owner);
            return Some((owner, Why::Match { matched, of }, 1));
        }
        let (to, tied) = match self.settings.miss_target {
            MissTarget::LeastLoaded => self.least(ask)?,
            MissTarget::SmallestTree => {
                ask.draw.smallest(fleet.routable, OwnTie::First, |r| self.tree.size(r))?
            }
        };
        self.record(&request, to);
        Some((to, Why::Miss { matched, of }, tied))
    }

    fn explain(&self, ask: &mut Ask<'_, '_>) {
        if !ask.explain.is_on() {
            return;
        }
        let (fleet, request) = (ask.fleet, ask.request);
        for &replica in fleet.routable {
            let matched = if self.settings.events {
                cell(fleet.overlap, replica) as usize
            } else {
                self.tree.longest_of(request.blocks, replica)
            };
            let terms = [
                f64::from(cell(fleet.outstanding, replica)),
                cell(&self.processed, replica) as f64,
                f64::from(tokens(matched, &request)),
                self.tree.size(replica) as f64 * f64::from(request.block_tokens),
            ];
            ask.explain.row(replica, &terms);
        }
    }
}

/// Tokens of so many blocks.
fn tokens(blocks: usize, request: &RequestView<'_>) -> u32 {
    (blocks as u32).saturating_mul(request.block_tokens)
}

impl Rule for CacheAware {
    fn signals(&self) -> Signals {
        let mut signals = Signals::OUTSTANDING.and(Signals::BLOCKS);
        if self.settings.events {
            signals = signals.and(Signals::OVERLAP).and(Signals::INDEXED);
        }
        if self.settings.reads_usage() { signals.and(Signals::KV) } else { signals }
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        self.welcome(fleet.replicas);
        self.cut_back(fleet.now, ask.request.block_tokens);
        self.explain(ask);
        // An index that is known to be empty is no index.
        let indexed = self.settings.events
            && (fleet.indexed.is_empty() || fleet.indexed.iter().any(|blocks| *blocks > 0));
        let pick = if let Some(ends) = self.imbalance(&fleet, None) {
            self.by_load(ask, ends)
        } else if indexed {
            self.by_events(ask)
        } else {
            self.by_history(ask)
        };
        let Some((to, why, tied)) = pick else { return Choice::Nobody };
        // Nothing is learnt from a request whose owner was gone.
        if let (Some(_), Some(session)) = (self.settings.session_ttl, ask.request.session)
            && why != Why::OwnerGone
        {
            self.sessions.bind(session, to, fleet.now);
        }
        Choice::Send { to, why, tied }
    }

    /// The in-tree gateway forgets a replica that is taken out; SMG lets its labels age.
    fn learn(&mut self, fact: &Fact) {
        if let (Variant::InTree, Fact::Left(replica)) = (self.settings.variant, fact) {
            Arc::make_mut(&mut self.tree).remove(*replica);
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
        into.u64(self.processed.len() as u64);
        self.processed.iter().for_each(|count| into.u64(*count));
        into.u64(self.next_eviction);
        self.tree.digest(into, |block| block);
        if self.settings.session_ttl.is_some() {
            self.sessions.digest(into);
        }
    }
}
