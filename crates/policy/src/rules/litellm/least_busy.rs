//! `litellm-least-busy`: the fewest requests in flight, by a counter that expires under the requests.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use super::cooldown::{self, Cooldown};
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::load;
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "litellm-least-busy",
    params: PARAMS,
    upstream: &["default_in_memory_ttl", "", cooldown::UPSTREAM],
    presets: &[],
    terms: &["count"],
    knowledge: Knowledge::None,
    signals_age: Age::Current,
    source: "BerriAI/litellm, router_strategy/least_busy.py and caching/in_memory_cache.py",
    build: |values: &Values| {
        Box::new(LeastBusy {
            ttl: values.opt_u32("counter_ttl_s").map(|seconds| u64::from(seconds) * PS_PER_S),
            all_ids: values.choice("among") == 0,
            expires: None,
            cached: Vec::new(),
            forgotten: Vec::new(),
            ended: Vec::new(),
            cooldown: Cooldown::new(values),
        })
    },
};

const PS_PER_S: u64 = 1_000_000_000_000;

/// The counters of all replicas are one entry of a cache and expire together, `counter_ttl_s` after
/// the first of them was written; none never. Requests in flight are forgotten then and still
/// counted off when they end, so counts fall below 0 where most were in flight. `among` is who is
/// compared: upstream compares every replica it has counted, also those that may not be chosen,
/// and draws where one of these is the least busy.
static PARAMS: &[ParamSpec] = &[
    ParamSpec {
        key: "counter_ttl_s",
        link: "ttl",
        kind: Kind::OptInt { min: 1, max: 86_400, default: Some(600), step: 10, page: 60 },
    },
    crate::rules::param::choice("among", "of", &["counted", "candidates"]),
    cooldown::PARAM,
];

#[derive(Clone, Debug)]
struct LeastBusy {
    ttl: Option<u64>,
    all_ids: bool,
    /// When the counters expire; `None` while there are none.
    expires: Option<u64>,
    /// Who is among the counters.
    cached: Vec<bool>,
    /// Requests in flight that the counters have forgotten. The count is what the router believes
    /// in flight less this.
    forgotten: Vec<i64>,
    /// Ends since the counters expired and before the next decision: they were in flight then.
    ended: Vec<i64>,
    cooldown: Cooldown,
}

impl LeastBusy {
    /// Lets the counters expire, and writes those of the candidates.
    fn read(&mut self, fleet: &FleetView<'_>, left: &[ReplicaIx]) {
        load::room(&mut self.cached, fleet.replicas);
        load::room(&mut self.forgotten, fleet.replicas);
        load::room(&mut self.ended, fleet.replicas);
        if self.expires.is_some_and(|at| fleet.now > at) {
            let now = fleet.outstanding.iter().zip(&self.ended);
            self.forgotten = now.map(|(outstanding, ended)| i64::from(*outstanding) + ended).collect();
            self.forgotten.resize(self.cached.len(), 0);
            self.cached.fill(false);
            self.expires = None;
        }
        self.ended.fill(0);
        for replica in left {
            if let Some(cached) = self.cached.get_mut(usize::from(*replica)) {
                *cached = true;
            }
        }
        if let (None, Some(ttl), false) = (self.expires, self.ttl, left.is_empty()) {
            self.expires = Some(fleet.now.saturating_add(ttl));
        }
    }

    fn count(&self, fleet: &FleetView<'_>, replica: ReplicaIx) -> i64 {
        i64::from(cell(fleet.outstanding, replica)) - cell(&self.forgotten, replica)
    }

    fn decide(&self, ask: &mut Ask<'_, '_>, left: &[ReplicaIx]) -> Option<Choice> {
        let fleet = ask.fleet;
        let count = |replica| self.count(&fleet, replica);
        if self.all_ids {
            let counted = || (0..fleet.replicas).filter(|replica| cell(&self.cached, *replica));
            let least = counted().map(count).min()?;
            let best = left.iter().copied().map(count).min()?;
            // The first of the least is asked for, whoever it is.
            let named = counted().find(|replica| count(*replica) == least)?;
            if best > least || left.binary_search(&named).is_err() {
                let at = ask.draw.stream.below(left.len() as u64) as usize;
                return left.get(at).map(|to| Choice::Send { to: *to, why: Why::Drawn, tied: 1 });
            }
        }
        let (to, tied) = ask.draw.smallest(left, OwnTie::First, count)?;
        Some(Choice::Send { to, why: Why::Least, tied })
    }
}

impl Rule for LeastBusy {
    fn signals(&self) -> Signals {
        Signals::OUTSTANDING
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        let left = self.cooldown.left(&fleet);
        self.read(&fleet, &left);
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                ask.explain.row(replica, &[self.count(&fleet, replica) as f64]);
            }
        }
        let choice = self.decide(ask, &left);
        self.cooldown.done(left);
        choice.unwrap_or(if fleet.routable.is_empty() { Choice::Nobody } else { Choice::Refused })
    }

    fn learn(&mut self, fact: &Fact) {
        self.cooldown.learn(fact);
        match *fact {
            Fact::Ended { by, at, .. } if self.expires.is_some_and(|expires| at > expires) => {
                load::room(&mut self.ended, by.saturating_add(1));
                if let Some(ended) = self.ended.get_mut(usize::from(by)) {
                    *ended += 1;
                }
            }
            _ => {}
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.expires.is_some()));
        into.u64(self.expires.unwrap_or(0));
        into.u64(self.cached.len() as u64);
        self.cached.iter().for_each(|cached| into.u64(u64::from(*cached)));
        for list in [&self.forgotten, &self.ended] {
            into.u64(list.len() as u64);
            list.iter().for_each(|count| into.u64(count.cast_unsigned()));
        }
        self.cooldown.digest(into);
    }
}
