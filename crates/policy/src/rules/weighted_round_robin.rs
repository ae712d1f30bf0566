//! `weighted-round-robin`: turns in proportion to weights, as evenly spread as they can be.

use std::cmp::Reverse;

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::rules::load;
use crate::view::{Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "weighted-round-robin",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &["weight", "current"],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "nginx ngx_http_upstream_round_robin.c: smooth weighted round robin",
    build: |_: &Values| Box::new(WeightedRoundRobin { turns: 0, current: Vec::new() }),
};

/// At each turn every candidate's number grows by its weight; the largest is taken, and falls by
/// the sum of the weights.
#[derive(Clone, Debug)]
struct WeightedRoundRobin {
    turns: u64,
    /// By replica, in per mille of the weight 1.
    current: Vec<i64>,
}

impl Rule for WeightedRoundRobin {
    fn signals(&self) -> Signals {
        Signals::CONFIG
    }

    /// A replica that is no candidate keeps its number and neither gains nor gives.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        load::room(&mut self.current, fleet.replicas);
        let mut sum = 0;
        for &replica in fleet.routable {
            let weight = i64::from(load::weight(&fleet, replica));
            sum += weight;
            if let Some(current) = self.current.get_mut(usize::from(replica)) {
                *current += weight;
            }
            let now = cell(&self.current, replica);
            ask.explain.row(replica, &[weight as f64 / 1e3, now as f64 / 1e3]);
        }
        let current = &self.current;
        let picked = ask.draw.smallest(fleet.routable, OwnTie::First, |r| Reverse(cell(current, r)));
        let Some((to, tied)) = picked else { return Choice::Nobody };
        if let Some(current) = self.current.get_mut(usize::from(to)) {
            *current -= sum;
        }
        let cursor = self.turns;
        self.turns = cursor.wrapping_add(1);
        Choice::Send { to, why: Why::Turn { cursor }, tied }
    }

    /// Who comes back begins anew.
    fn learn(&mut self, fact: &Fact) {
        if let Fact::Left(replica) = fact
            && let Some(current) = self.current.get_mut(usize::from(*replica))
        {
            *current = 0;
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.turns);
        into.u64(self.current.len() as u64);
        self.current.iter().for_each(|current| into.u64(current.cast_unsigned()));
    }
}
