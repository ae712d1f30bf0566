//! `litellm-simple-shuffle`: a weighted draw, by whatever the first candidate has written down.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use super::cooldown::{self, Cooldown};
use crate::rule::{Age, Ask, Choice, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::view::{FleetView, ReplicaConfig, ReplicaIx, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "litellm-simple-shuffle",
    params: &[cooldown::PARAM],
    upstream: &[cooldown::UPSTREAM],
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
        // Candidates ascend, and so do those that are left.
        let stays = |replica: ReplicaIx| left.binary_search(&replica).is_ok();
        let of = |replica: ReplicaIx| match measure {
            Some(measure) if stays(replica) => u64::from(measure(cell(fleet.config, replica)).unwrap_or(0)),
            Some(_) => 0,
            None => u64::from(stays(replica)),
        };
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                ask.explain.row(replica, &[of(replica) as f64]);
            }
        }
        let sum: u64 = left.iter().map(|replica| of(*replica)).sum();
        // Upstream fails where all weights are 0; here everybody is as likely then.
        let to = if sum == 0 {
            left.get(ask.draw.stream.below(left.len() as u64) as usize).copied()
        } else {
            let mut at = ask.draw.stream.below(sum);
            left.iter().copied().find(|replica| {
                let weight = of(*replica);
                let hit = at < weight;
                at = at.saturating_sub(weight);
                hit
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
