//! `ray-prefix-affinity`: among the replicas that share the deepest match of the prompt, the one
//! with the shortest queue; among those that were sent least so far when too little matches; two
//! drawn ones when queues are too far apart.

use std::sync::Arc;

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::draw::{Draw, OwnTie};
use crate::index::radix::Tree;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RulePreset, RuleSpec, Why};
use crate::rules::load;
use crate::rules::param::PS_PER_S;
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "ray-prefix-affinity",
    params: PARAMS,
    upstream: &[
        "imbalanced_threshold",
        "match_rate_threshold",
        "do_eviction",
        "eviction_threshold_chars",
        "eviction_target_chars",
        "eviction_interval_secs",
    ],
    presets: &[RulePreset {
        name: "before-59390",
        source: "ray documentation, and the code before PR 59390",
        params: &[("imbalanced_threshold", "10")],
    }],
    terms: &["outstanding", "matched", "tree", "in_group"],
    knowledge: Knowledge::Own,
    signals_age: Age::Polled { ms: 10_000 },
    source: "ray-project/ray 16a17a74, llm routing_policies/prefix_aware/prefix_aware_router.py \
             and prefix_tree.py; serve request_router/pow_2_router.py",
    build: |values: &Values| Box::new(RayPrefixAffinity::new(values)),
};

const fn tokens(key: &'static str, link: &'static str, default: i64) -> ParamSpec {
    ParamSpec { key, link, kind: Kind::Int { min: 0, max: 1 << 32, default, step: 1_000, page: 100_000 } }
}

/// `imbalanced_threshold` is in requests, none keeps affinity at any load; the rate is a share of
/// the prompt. Upstream's 400 000 and 360 000 characters are tokens here, at four to a token; an
/// interval of 0 s evicts before every decision.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "imbalanced_threshold",
        link: "gap",
        kind: Kind::OptInt { min: 0, max: 100_000, default: None, step: 1, page: 10 },
    },
    ParamSpec {
        key: "match_rate_threshold",
        link: "rate",
        kind: Kind::Real { min: 0.0, max: 1.0, default: 0.1, step: 0.05, page: 0.25, digits: 2 },
    },
    ParamSpec { key: "do_eviction", link: "cut", kind: Kind::Switch { default: false } },
    tokens("eviction_threshold", "from", 100_000),
    tokens("eviction_target", "to", 90_000),
    ParamSpec {
        key: "eviction_interval_s",
        link: "evict",
        kind: Kind::Int { min: 0, max: 86_400, default: 10, step: 1, page: 30 },
    },
];

/// When and how far the tree is cut back.
#[derive(Clone, Copy, Debug)]
struct Eviction {
    /// In tokens.
    threshold: u64,
    target: u64,
    /// In picoseconds.
    interval: u64,
}

/// One tree of blocks, whose stamps are times.
#[derive(Clone, Debug)]
struct RayPrefixAffinity {
    threshold: Option<u32>,
    match_rate: f64,
    eviction: Option<Eviction>,
    /// Copies share it until one of them changes it.
    tree: Arc<Tree<u64>>,
    /// Replicas in the tree. Upstream takes out who is gone.
    members: Vec<bool>,
    /// When the tree is cut back next, in picoseconds.
    next_eviction: u64,
    /// A copy that is asked once and learns nothing.
    only_asked: bool,
}

type Pick = (ReplicaIx, Why, u32);

impl RayPrefixAffinity {
    fn new(values: &Values) -> Self {
        let count = |key| u64::try_from(values.int(key)).unwrap_or(0);
        let interval = count("eviction_interval_s").saturating_mul(PS_PER_S);
        let eviction = values.switch("do_eviction").then(|| Eviction {
            threshold: count("eviction_threshold"),
            target: count("eviction_target"),
            interval,
        });
        Self {
            threshold: values.opt_u32("imbalanced_threshold"),
            match_rate: values.real("match_rate_threshold"),
            eviction,
            tree: Arc::default(),
            members: Vec::new(),
            next_eviction: interval,
            only_asked: false,
        }
    }

    /// Who is routable is in the tree, at first with nothing.
    fn welcome(&mut self, fleet: &FleetView<'_>) {
        if self.members.len() < usize::from(fleet.replicas) {
            self.members.resize(usize::from(fleet.replicas), false);
        }
        for &replica in fleet.routable {
            if let Some(member) = self.members.get_mut(usize::from(replica)).filter(|m| !**m) {
                *member = true;
                Arc::make_mut(&mut self.tree).insert_at(&[], replica, fleet.now);
            }
        }
    }

    fn cut_back(&mut self, now: u64, block_tokens: u32) {
        let Some(Eviction { threshold, target, interval }) = self.eviction else { return };
        if now < self.next_eviction {
            return;
        }
        self.next_eviction =
            now.checked_div(interval).unwrap_or(0).saturating_add(1).saturating_mul(interval);
        let block = u64::from(block_tokens.max(1));
        for replica in 0..self.members.len() as ReplicaIx {
            let size = self.tree.size(replica) * block;
            if size > threshold {
                Arc::make_mut(&mut self.tree)
                    .forget_oldest(replica, (size.saturating_sub(target)).div_ceil(block));
            }
        }
    }

    /// Everybody who was sent least, among all in the tree and not only the candidates.
    fn smallest(&self) -> Vec<ReplicaIx> {
        let members = (0..).zip(&self.members).filter(|(_, member)| **member).map(|(replica, _)| replica);
        let members: Vec<ReplicaIx> = members.collect();
        let least = members.iter().map(|r| self.tree.size(*r)).min();
        members.into_iter().filter(|r| Some(self.tree.size(*r)) == least).collect()
    }

    /// The group, whether it matched, and the matched tokens.
    fn group(&self, ask: &Ask<'_, '_>) -> (Vec<ReplicaIx>, bool, u32) {
        let (fleet, request) = (&ask.fleet, &ask.request);
        let (blocks, holders) = self.tree.holders(request.blocks, fleet.routable);
        let matched = (blocks as u32).saturating_mul(request.block_tokens);
        let of = request.prompt_tokens;
        let rate = if of == 0 { 0.0 } else { f64::from(matched) / f64::from(of) };
        let known = rate >= self.match_rate;
        let mut group = if known { holders } else { self.smallest() };
        // Upstream may choose somebody who is no candidate; nobody here could take the request.
        group.retain(|r| fleet.routable.binary_search(r).is_ok());
        (group, known, matched)
    }

    fn decide(&self, ask: &mut Ask<'_, '_>, group: &[ReplicaIx], known: bool, matched: u32) -> Option<Pick> {
        let fleet = ask.fleet;
        let outstanding = |replica| cell(fleet.outstanding, replica);
        let (min, max) = load::extremes(fleet.routable.iter().copied(), outstanding);
        if self.threshold.is_some_and(|most| max - min > most) {
            let (to, tied) = two_drawn(&mut ask.draw, fleet.routable, outstanding)?;
            return Some((to, Why::Imbalanced { min, max }, tied));
        }
        let of = ask.request.prompt_tokens;
        let why = if known { Why::Match { matched, of } } else { Why::Miss { matched, of } };
        let (to, tied) = match ask.draw.smallest(group, OwnTie::First, outstanding) {
            Some(least) => least,
            None => two_drawn(&mut ask.draw, fleet.routable, outstanding)?,
        };
        Some((to, why, tied))
    }

    fn explain(&self, ask: &mut Ask<'_, '_>, group: &[ReplicaIx]) {
        if !ask.explain.is_on() {
            return;
        }
        let (fleet, request) = (ask.fleet, ask.request);
        let block = f64::from(request.block_tokens);
        for &replica in fleet.routable {
            let terms = [
                f64::from(cell(fleet.outstanding, replica)),
                self.tree.longest_of(request.blocks, replica) as f64 * block,
                self.tree.size(replica) as f64 * block,
                f64::from(u8::from(group.contains(&replica))),
            ];
            ask.explain.row(replica, &terms);
        }
    }
}

/// The one with the shorter queue of two distinct draws, the first of them on a tie.
fn two_drawn(
    draw: &mut Draw<'_>,
    candidates: &[ReplicaIx],
    load: impl Fn(ReplicaIx) -> u32,
) -> Option<(ReplicaIx, u32)> {
    let count = candidates.len() as u64;
    if count < 2 {
        return candidates.first().map(|only| (*only, 1));
    }
    let first = draw.stream.below(count) as usize;
    let second = draw.stream.below(count - 1) as usize;
    let second = second + usize::from(second >= first);
    draw.smallest(&[*candidates.get(first)?, *candidates.get(second)?], OwnTie::First, load)
}

impl Rule for RayPrefixAffinity {
    fn signals(&self) -> Signals {
        Signals::OUTSTANDING.and(Signals::BLOCKS)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        self.welcome(&ask.fleet);
        self.cut_back(ask.fleet.now, ask.request.block_tokens);
        let (group, known, matched) = self.group(ask);
        self.explain(ask, &group);
        let Some((to, why, tied)) = self.decide(ask, &group, known, matched) else { return Choice::Nobody };
        if !self.only_asked {
            Arc::make_mut(&mut self.tree).insert_at(ask.request.blocks, to, ask.fleet.now);
        }
        Choice::Send { to, why, tied }
    }

    /// Who is gone is taken out of the tree, and comes back with nothing.
    fn learn(&mut self, fact: &Fact) {
        if let Fact::Left(replica) = fact
            && let Some(member) = self.members.get_mut(usize::from(*replica))
        {
            *member = false;
            Arc::make_mut(&mut self.tree).remove(*replica);
        }
    }

    fn would_choose(&self, ask: &mut Ask<'_, '_>) -> Choice {
        Self { only_asked: true, ..self.clone() }.choose(ask)
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.members.len() as u64);
        self.members.iter().for_each(|member| into.u64(u64::from(*member)));
        into.u64(self.next_eviction);
        self.tree.digest(into, |block| block);
    }
}
