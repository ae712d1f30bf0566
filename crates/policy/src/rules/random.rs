//! `random`: a uniform draw.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::view::Signals;

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "random",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &[],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "every load balancer; the baseline of Mitzenmacher 2001",
    build: |_: &Values| Box::new(Random),
};

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
struct Random;

impl Rule for Random {
    fn signals(&self) -> Signals {
        Signals::NONE
    }

    /// One draw a decision, also when there is one candidate only.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let candidates = ask.fleet.routable;
        let at = ask.draw.stream.below(candidates.len() as u64) as usize;
        match candidates.get(at) {
            Some(&to) => Choice::Send { to, why: Why::Drawn, tied: 1 },
            None => Choice::Nobody,
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, _into: &mut Digest) {}
}
