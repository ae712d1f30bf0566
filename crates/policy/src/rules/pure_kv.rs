//! `pure-kv`: the longest prefix match, whatever the load; the first replica on a tie, so the
//! first of all when nothing matches.

use core::cmp::Reverse;

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::view::{Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "pure-kv",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &["overlap"],
    knowledge: Knowledge::True,
    signals_age: Age::Polled { ms: 0 },
    source: "the limit of affinity: the score of kv-aware rules with every load term at 0",
    build: |_: &Values| Box::new(PureKv),
};

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
struct PureKv;

impl Rule for PureKv {
    fn signals(&self) -> Signals {
        Signals::OVERLAP
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                ask.explain.row(replica, &[f64::from(cell(fleet.overlap, replica))]);
            }
        }
        let longest =
            ask.draw.smallest(fleet.routable, OwnTie::First, |replica| Reverse(cell(fleet.overlap, replica)));
        match longest {
            Some((to, tied)) => {
                Choice::Send { to, why: Why::Longest { blocks: cell(fleet.overlap, to) }, tied }
            }
            None => Choice::Nobody,
        }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, _into: &mut Digest) {}
}
