//! `least-outstanding`: the replica with the fewest requests in flight, the first among equals.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::load;
use crate::view::Signals;

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "least-outstanding",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &["outstanding"],
    knowledge: Knowledge::None,
    signals_age: Age::Current,
    source: "the routing lab's rule of the same name: join the shortest queue",
    build: |_: &Values| Box::new(LeastOutstanding),
};

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
struct LeastOutstanding;

impl Rule for LeastOutstanding {
    fn signals(&self) -> Signals {
        Signals::OUTSTANDING.and(Signals::FEWEST)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        load::explain_outstanding(ask);
        let fleet = ask.fleet;
        let picked =
            match fleet.fewest.filter(|index| index.tied() > 0 && index.replicas() == fleet.routable.len()) {
                Some(index) => ask.draw.fewest(fleet.routable, OwnTie::First, index),
                None => ask.draw.smallest_cell(fleet.routable, OwnTie::First, fleet.outstanding),
            };
        match picked {
            Some((to, tied)) => Choice::Send { to, why: Why::Least { by: By::Outstanding }, tied },
            None => Choice::Nobody,
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, _into: &mut Digest) {}
}
