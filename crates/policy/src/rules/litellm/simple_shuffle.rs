//! `litellm-simple-shuffle`: a weighted draw, by whatever the first candidate has written down.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use super::cooldown::{self, Cooldown};
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::view::{FleetView, ReplicaConfig, ReplicaIx, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "litellm-simple-shuffle",
    params: &[cooldown::PARAM, cooldown::ALLOWED],
    upstream: &[cooldown::UPSTREAM, cooldown::ALLOWED_UPSTREAM],
    presets: &[],
    terms: &["weight"],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "BerriAI/litellm, router_strategy/simple_shuffle.py: the router's default",
    build: |values: &Values| Box::new(SimpleShuffle { cooldown: Cooldown::new(values) }),
};

#[derive(Clone, Debug)]
struct SimpleShuffle {
    cooldown: Cooldown,
}

/// What is drawn by: the first of weight, requests and tokens a minute that the *first* candidate
/// has. What others have and it has not is not looked at; what it has and others have not is 0.
fn measure(fleet: &FleetView<'_>, left: &[ReplicaIx]) -> Option<fn(ReplicaConfig) -> Option<u32>> {
    let measures: [fn(ReplicaConfig) -> Option<u32>; 3] = [|c| c.weight, |c| c.rpm, |c| c.tpm];
    let first = cell(fleet.config, *left.first()?);
    measures.into_iter().find(|measure| measure(first).is_some())
}

impl Rule for SimpleShuffle {
    fn signals(&self) -> Signals {
        Signals::CONFIG
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        let left = self.cooldown.left(&fleet);
        let measure = measure(&fleet, &left);
        let of = |replica: ReplicaIx| {
            measure.map_or(1, |measure| u64::from(measure(cell(fleet.config, replica)).unwrap_or(0)))
        };
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                // Candidates ascend, and so do those that are left.
                let weight = if left.binary_search(&replica).is_ok() { of(replica) } else { 0 };
                ask.explain.row(replica, &[weight as f64]);
            }
        }
        let sum: u64 = match measure {
            Some(_) => left.iter().map(|replica| of(*replica)).sum(),
            None => left.len() as u64,
        };
        // Upstream fails where all weights are 0; here everybody is as likely then.
        let to = if sum == 0 {
            left.get(ask.draw.stream.below(left.len() as u64) as usize).copied()
        } else {
            let mut at = ask.draw.stream.below(sum);
            let alike = measure.is_none().then(|| left.get(at as usize).copied());
            alike.unwrap_or_else(|| {
                left.iter().copied().find(|replica| {
                    let weight = of(*replica);
                    let hit = at < weight;
                    at = at.saturating_sub(weight);
                    hit
                })
            })
        };
        self.cooldown.done(left);
        match to {
            Some(to) => Choice::Send { to, why: Why::Drawn, tied: 1 },
            None if fleet.routable.is_empty() => Choice::Nobody,
            None => Choice::Refused,
        }
    }

    fn learn(&mut self, fact: &Fact) {
        self.cooldown.learn(fact);
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        self.cooldown.digest(into);
    }
}
