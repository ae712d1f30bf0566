//! `least-kv`: the replica with the fewest KV blocks in use; requests in flight decide among
//! equals, and then the first.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec};
use crate::rules::load;
use crate::view::{Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "least-kv",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &["kv_used", "outstanding"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 0 },
    source: "the routing lab's rule of the same name: 1000 x blocks in use + outstanding",
    build: |_: &Values| Box::new(LeastKv),
};

/// How many outstanding requests one block outweighs.
const BLOCK_WEIGHT: u64 = 1_000;

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
struct LeastKv;

impl Rule for LeastKv {
    fn signals(&self) -> Signals {
        Signals::KV.and(Signals::OUTSTANDING)
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let fleet = ask.fleet;
        if ask.explain.is_on() {
            for &replica in fleet.routable {
                let terms = [cell(fleet.kv_used, replica), cell(fleet.outstanding, replica)];
                ask.explain.row(replica, &terms.map(f64::from));
            }
        }
        // One sum and not a pair: 1 000 requests in flight weigh as much as a block.
        load::least(ask, OwnTie::First, By::KvBlocks, |replica| {
            BLOCK_WEIGHT * u64::from(cell(fleet.kv_used, replica))
                + u64::from(cell(fleet.outstanding, replica))
        })
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, _into: &mut Digest) {}
}
