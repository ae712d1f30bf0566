//! `sglang-manual`: a map from keys to replicas. A key stays with the replica that it was assigned
//! to, has a second one for when that is down, and is forgotten when it has been idle for long.

use std::collections::BTreeMap;

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::key::{self, Key};
use crate::rules::param::PS_PER_S;
use crate::view::{ReplicaIx, Signals, cell};

/// Replicas that a key remembers.
const MOST_CANDIDATES: usize = 2;

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "sglang-manual",
    params: PARAMS,
    upstream: &["X-SMG-Routing-Key", "", "--assignment-mode", "--max-idle-secs", "--eviction-interval"],
    presets: &[],
    terms: &["outstanding", "keys"],
    knowledge: Knowledge::None,
    signals_age: Age::Current,
    source: "lightseekorg/smg 73da68ca, policies/manual.rs",
    build: |values: &Values| {
        let interval = u64::from(values.u32("eviction_interval_s")) * PS_PER_S;
        Box::new(Manual {
            key: Key::new(values),
            assignment: match values.choice("assignment") {
                0 => Assignment::Random,
                1 => Assignment::MinLoad,
                _ => Assignment::MinGroup,
            },
            max_idle: u64::from(values.u32("max_idle_s")) * PS_PER_S,
            interval,
            next_eviction: interval,
            map: BTreeMap::new(),
            keys: Vec::new(),
        })
    },
};

/// `blocks` is in KV blocks and read only with the key `blocks`; times are in seconds, and either at
/// 0 forgets nothing. `assignment` is how a new key gets its replica.
static PARAMS: &[ParamSpec] = &[
    key::KEY,
    key::BLOCKS,
    ParamSpec {
        key: "assignment",
        link: "asg",
        kind: Kind::Choice { options: &["random", "min-load", "min-group"], default: 0 },
    },
    ParamSpec {
        key: "max_idle_s",
        link: "idle",
        kind: Kind::Int { min: 0, max: 604_800, default: 14_400, step: 60, page: 3_600 },
    },
    ParamSpec {
        key: "eviction_interval_s",
        link: "evict",
        kind: Kind::Int { min: 0, max: 86_400, default: 60, step: 1, page: 30 },
    },
];

/// How a new key gets its replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Assignment {
    Random,
    MinLoad,
    MinGroup,
}

/// What is remembered of a key.
#[derive(Clone, Debug)]
struct Node {
    /// Its replicas, the oldest assignment first; one at least.
    candidates: Vec<ReplicaIx>,
    /// Where its last request went.
    at: ReplicaIx,
    /// When that was, in picoseconds.
    last: u64,
}

#[derive(Clone, Debug)]
struct Manual {
    key: Key,
    assignment: Assignment,
    /// In picoseconds.
    max_idle: u64,
    /// In picoseconds.
    interval: u64,
    /// When idle keys are looked for next, in picoseconds.
    next_eviction: u64,
    map: BTreeMap<u64, Node>,
    /// Keys whose last request went there, by replica.
    keys: Vec<u32>,
}

impl Manual {
    /// Upstream forgets on a clock of its own. Between two decisions nobody looks at the map, so
    /// doing it at the first decision after the clock has struck comes to the same.
    fn forget(&mut self, now: u64) {
        if self.interval == 0 || self.max_idle == 0 || now < self.next_eviction {
            return;
        }
        let struck = now / self.interval * self.interval;
        let (max_idle, keys) = (self.max_idle, &mut self.keys);
        self.map.retain(|_, node| {
            let stays = struck.saturating_sub(node.last) < max_idle;
            if !stays {
                keys[usize::from(node.at)] -= 1;
            }
            stays
        });
        self.next_eviction = struck.saturating_add(self.interval);
    }

    /// Keys with requests in flight there, as far as a rule can know: no more than were last sent
    /// there, and no more than there are requests.
    fn group(&self, outstanding: &[u32], replica: ReplicaIx) -> u32 {
        cell(&self.keys, replica).min(cell(outstanding, replica))
    }

    fn assign(&self, ask: &mut Ask<'_, '_>) -> Option<(ReplicaIx, Why, u32)> {
        let (routable, outstanding) = (ask.fleet.routable, ask.fleet.outstanding);
        let (least, by) = match self.assignment {
            Assignment::Random => {
                let at = ask.draw.stream.below(routable.len() as u64) as usize;
                return routable.get(at).map(|to| (*to, Why::Drawn, 1));
            }
            Assignment::MinLoad => {
                let count = |replica| cell(outstanding, replica);
                (ask.draw.smallest(routable, OwnTie::Random, count), By::Outstanding)
            }
            Assignment::MinGroup => {
                let keys = |replica| self.group(outstanding, replica);
                (ask.draw.smallest(routable, OwnTie::Random, keys), By::Keys)
            }
        };
        least.map(|(to, tied)| (to, Why::Least { by }, tied))
    }

    /// The first of a known key's replicas that is up.
    fn known(&self, key: u64, routable: &[ReplicaIx]) -> Option<(ReplicaIx, Why, u32)> {
        let candidates = &self.map.get(&key)?.candidates;
        let up = candidates.iter().position(|to| routable.binary_search(to).is_ok())?;
        let why = if up == 0 { Why::Owner } else { Why::Fallback { step: up as u16 } };
        Some((candidates[up], why, 1))
    }

    /// Remembers where a key's request goes; a new replica pushes the oldest out.
    fn remember(&mut self, key: u64, to: ReplicaIx, now: u64) {
        let at = usize::from(to);
        if self.keys.len() <= at {
            self.keys.resize(at + 1, 0);
        }
        self.keys[at] += 1;
        match self.map.get_mut(&key) {
            Some(node) => {
                self.keys[usize::from(node.at)] -= 1;
                (node.at, node.last) = (to, now);
                if !node.candidates.contains(&to) {
                    if node.candidates.len() == MOST_CANDIDATES {
                        node.candidates.remove(0);
                    }
                    node.candidates.push(to);
                }
            }
            None => {
                self.map.insert(key, Node { candidates: vec![to], at: to, last: now });
            }
        }
    }
}

impl Rule for Manual {
    fn signals(&self) -> Signals {
        self.key.signals().and(Signals::OUTSTANDING)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        self.forget(fleet.now);
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let load = f64::from(cell(fleet.outstanding, replica));
                ask.explain.row(replica, &[load, f64::from(cell(&self.keys, replica))]);
            }
        }
        let key = self.key.of(&ask.request);
        let known = key.and_then(|key| self.known(key, fleet.routable));
        let Some((to, why, tied)) = known.or_else(|| self.assign(ask)) else { return Choice::Nobody };
        if let Some(key) = key {
            self.remember(key, to, fleet.now);
        }
        Choice::Send { to, why, tied }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    /// Counts of keys follow from the map, but for how many replicas they are kept.
    fn digest(&self, into: &mut Digest) {
        into.u64(self.next_eviction);
        into.u32s(&self.keys);
        into.u64(self.map.len() as u64);
        for (key, node) in &self.map {
            let ends = [*key, u64::from(node.at), node.last, node.candidates.len() as u64];
            ends.into_iter().for_each(|v| into.u64(v));
            node.candidates.iter().for_each(|r| into.u64(u64::from(*r)));
        }
    }
}
