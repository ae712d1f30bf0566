//! `litellm-cost-based`: the lowest price, the first among equals, within limits of the minute.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use super::cooldown::{self, Cooldown};
use super::met::Met;
use super::minute::Minutes;
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, Choice, Ending, Fact, Knowledge, Rule, RuleSpec, Why};
use crate::view::{ReplicaConfig, Signals, cell};

/// The declaration.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "litellm-cost-based",
    params: &[cooldown::PARAM, cooldown::ALLOWED],
    upstream: &[cooldown::UPSTREAM, cooldown::ALLOWED_UPSTREAM],
    presets: &[],
    terms: &["price", "tokens", "requests", "fits"],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "BerriAI/litellm, router_strategy/lowest_cost.py",
    build: |values: &Values| {
        Box::new(CostBased {
            minutes: Minutes::default(),
            met: Met::default(),
            expires: 0,
            cooldown: Cooldown::new(values),
        })
    },
};

/// How long the counts live from the first of them on, in picoseconds: the cache's 600 s.
const TTL: u64 = 600_000_000_000_000;

/// Cents of a million tokens in and a million out at upstream's price of what is not known: 5.0 a
/// *token*, each way.
const UNKNOWN: u64 = 2 * 5 * 100 * 1_000_000;

fn price(config: ReplicaConfig) -> u64 {
    // A price of nothing counts as not written down.
    config.price.filter(|price| *price > 0).map_or(UNKNOWN, u64::from)
}

#[derive(Clone, Debug)]
struct CostBased {
    /// Tokens and requests count when a request has been served.
    minutes: Minutes,
    /// Who is in the entry of the cache that the counts are in, in the order in which they came:
    /// the first of equals is the first here. Empty while there is no entry.
    met: Met,
    /// When the entry expires, in picoseconds.
    expires: u64,
    cooldown: Cooldown,
}

impl CostBased {
    fn expire(&mut self, now: u64) {
        if !self.met.is_empty() && now > self.expires {
            self.met.clear();
            self.minutes = Minutes::default();
        }
    }
}

impl Rule for CostBased {
    fn signals(&self) -> Signals {
        Signals::CONFIG
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let (fleet, prompt) = (ask.fleet, ask.request.prompt_tokens);
        self.expire(fleet.now);
        let mut left = self.cooldown.left(&fleet);
        if !self.met.is_empty() {
            self.met.meet_all(&left);
            self.met.sort(&mut left);
        }
        let minute = self.minutes.of(fleet.now);
        let fits = |replica| minute.fits(replica, prompt, fleet.config);
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let (price, used) = (price(cell(fleet.config, replica)), minute.at(replica));
                let fits = f64::from(u8::from(fits(replica)));
                ask.explain.row(replica, &[price as f64, used.tokens as f64, used.requests as f64, fits]);
            }
        }
        left.retain(|replica| fits(*replica));
        let picked = ask.draw.smallest(&left, OwnTie::First, |r| price(cell(fleet.config, r)));
        self.cooldown.done(left);
        match picked {
            Some((to, tied)) => Choice::Send { to, why: Why::Cost, tied },
            None if fleet.routable.is_empty() => Choice::Nobody,
            None => Choice::Refused,
        }
    }

    fn learn(&mut self, fact: &Fact) {
        self.cooldown.learn(fact);
        if let Fact::Ended { by, at, how: Ending::Served, input, output, .. } = *fact {
            self.expire(at);
            if self.met.is_empty() {
                self.expires = at.saturating_add(TTL);
            }
            self.met.meet(by);
            self.minutes.add(by, at, u64::from(input) + u64::from(output), 1);
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, into: &mut Digest) {
        self.minutes.digest(into);
        into.u64(self.expires);
        self.met.digest(into);
        self.cooldown.digest(into);
    }
}
