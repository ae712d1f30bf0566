//! `power-of-two`: two draws, the one with fewer requests in flight.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::load;
use crate::view::{Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "power-of-two",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &["outstanding"],
    knowledge: Knowledge::None,
    signals_age: Age::Current,
    source: "Mitzenmacher 2001; draws with replacement as in the routing lab and in Envoy's least_request",
    build: |_: &Values| Box::new(PowerOfTwo),
};

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
struct PowerOfTwo;

impl Rule for PowerOfTwo {
    fn signals(&self) -> Signals {
        Signals::OUTSTANDING
    }

    /// Two draws a decision with replacement, also when there is one candidate only. The second
    /// is taken only if it has strictly fewer.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let candidates = ask.fleet.routable;
        let count = candidates.len() as u64;
        let draws = [ask.draw.stream.below(count), ask.draw.stream.below(count)];
        let [Some(&first), Some(&second)] = draws.map(|at| candidates.get(at as usize)) else {
            return Choice::Nobody;
        };
        load::explain_outstanding(ask);
        let [a, b] = [first, second].map(|replica| cell(ask.fleet.outstanding, replica));
        let tied = 1 + u32::from(a == b && first != second);
        let takes_second = b < a || (tied == 2 && ask.draw.among(tied, OwnTie::First) == 1);
        let to = if takes_second { second } else { first };
        Choice::Send { to, why: Why::Sampled { of: [first, second], by: By::Outstanding }, tied }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, _into: &mut Digest) {}
}
