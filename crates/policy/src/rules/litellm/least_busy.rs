//! `litellm-least-busy`: the fewest requests in flight, by a counter that expires under the requests.

use tokenyard_det::Digest;
use tokenyard_param::{Kind, ParamSpec, Values};

use super::cooldown::{self, Cooldown};
use super::met::Met;
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::load;
use crate::rules::param::PS_PER_S;
use crate::view::{FleetView, ReplicaIx, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "litellm-least-busy",
    params: PARAMS,
    upstream: &["default_in_memory_ttl", "", cooldown::UPSTREAM, cooldown::ALLOWED_UPSTREAM],
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
            stale: false,
            met: Met::default(),
            forgotten: Vec::new(),
            ended: Vec::new(),
            cooldown: Cooldown::new(values),
        })
    },
};

/// How long counters live that the end of a request begins: the way by which upstream writes these
/// does not look at the option, and the cache's own default holds.
const BEGUN_BY_AN_END: u64 = 600 * PS_PER_S;

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
    cooldown::ALLOWED,
];

#[derive(Clone, Debug)]
struct LeastBusy {
    ttl: Option<u64>,
    all_ids: bool,
    /// When the counters expire; `None` while there are none, or if they never do.
    expires: Option<u64>,
    /// Whether counters have expired since the latest decision.
    stale: bool,
    /// Who is among the counters, in the order in which they were written: the first of equals is
    /// the first here.
    met: Met,
    /// Requests in flight that the counters have forgotten. The count is what the router believes
    /// in flight less this.
    forgotten: Vec<i64>,
    /// Ends since the counters expired and before the next decision: they were in flight then.
    ended: Vec<i64>,
    cooldown: Cooldown,
}

impl LeastBusy {
    fn expire(&mut self, now: u64) {
        if self.expires.is_some_and(|at| now > at) {
            self.stale = true;
            self.met.clear();
            self.ended.fill(0);
            self.expires = None;
        }
    }

    /// Writes a counter, which begins the entry of the cache if there is none.
    fn meet(&mut self, replica: ReplicaIx, now: u64, ttl: Option<u64>) {
        if self.met.is_empty() {
            self.expires = ttl.map(|ttl| now.saturating_add(ttl));
        }
        self.met.meet(replica);
    }

    /// Lets the counters expire, and adds those of the candidates to them if there are any.
    fn read(&mut self, fleet: &FleetView<'_>, left: &[ReplicaIx]) {
        load::room(&mut self.forgotten, fleet.replicas);
        load::room(&mut self.ended, fleet.replicas);
        self.expire(fleet.now);
        if self.stale {
            let now = fleet.outstanding.iter().zip(&self.ended);
            self.forgotten = now.map(|(outstanding, ended)| i64::from(*outstanding) + ended).collect();
            self.forgotten.resize(self.ended.len(), 0);
            // Ends are counted while counters are stale only.
            self.stale = false;
            self.ended.fill(0);
        }
        if !self.met.is_empty() {
            self.met.meet_all(left);
        }
    }

    fn count(&self, fleet: &FleetView<'_>, replica: ReplicaIx) -> i64 {
        i64::from(cell(fleet.outstanding, replica)) - cell(&self.forgotten, replica)
    }

    /// The choice among those left, which it puts into another order.
    fn decide(&self, ask: &mut Ask<'_, '_>, left: &mut Vec<ReplicaIx>) -> Option<Choice> {
        let fleet = ask.fleet;
        let count = |replica| self.count(&fleet, replica);
        // Without counters nobody but the candidates is looked at, in their own order.
        if !self.met.is_empty() {
            // With everybody left, whoever is asked for is among them.
            if self.all_ids && left.len() < self.met.order().len() {
                let counted = self.met.order();
                let least = counted.iter().copied().map(count).min()?;
                // The first of the least is asked for, whoever it is.
                let named = counted.iter().find(|replica| count(**replica) == least)?;
                if left.binary_search(named).is_err() {
                    let at = ask.draw.stream.below(left.len() as u64) as usize;
                    return left.get(at).map(|to| Choice::Send { to: *to, why: Why::Drawn, tied: 1 });
                }
            }
            self.met.sort(left);
        }
        let (to, tied) = ask.draw.smallest(left, OwnTie::First, count)?;
        Some(Choice::Send { to, why: Why::Least { by: By::Counted }, tied })
    }
}

impl Rule for LeastBusy {
    fn signals(&self) -> Signals {
        Signals::OUTSTANDING
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        let mut left = self.cooldown.left(&fleet);
        self.read(&fleet, &left);
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                ask.explain.row(replica, &[self.count(&fleet, replica) as f64]);
            }
        }
        let choice = self.decide(ask, &mut left);
        if let Some(Choice::Send { to, .. }) = choice {
            self.meet(to, fleet.now, self.ttl);
        }
        self.cooldown.done(left);
        choice.unwrap_or(if fleet.routable.is_empty() { Choice::Nobody } else { Choice::Refused })
    }

    fn learn(&mut self, fact: &Fact) {
        self.cooldown.learn(fact);
        let Fact::Ended { by, at, .. } = *fact else { return };
        self.expire(at);
        self.meet(by, at, self.ttl.map(|_| BEGUN_BY_AN_END));
        load::room(&mut self.ended, by.saturating_add(1));
        if let Some(ended) = self.ended.get_mut(usize::from(by)).filter(|_| self.stale) {
            *ended += 1;
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(u64::from(self.expires.is_some()));
        into.u64(self.expires.unwrap_or(0));
        into.u64(u64::from(self.stale));
        self.met.digest(into);
        for list in [&self.forgotten, &self.ended] {
            into.u64(list.len() as u64);
            list.iter().for_each(|count| into.u64(count.cast_unsigned()));
        }
        self.cooldown.digest(into);
    }
}
