//! `round-robin`: each routable replica in turn.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use crate::rule::{Age, Ask, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::view::Signals;

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "round-robin",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &[],
    knowledge: Knowledge::None,
    signals_age: Age::None,
    source: "lightseekorg/smg 73da68ca, policies/round_robin.rs",
    build: |_: &Values| Box::new(RoundRobin { cursor: 0 }),
};

/// One counter. It is taken modulo the replicas that are routable *now*, so the turn jumps when
/// that list changes, as upstream's does.
#[derive(Clone, Copy, Debug)]
struct RoundRobin {
    cursor: u64,
}

impl Rule for RoundRobin {
    fn signals(&self) -> Signals {
        Signals::NONE
    }

    /// Without candidates the turn is not used up.
    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let candidates = ask.fleet.routable;
        let at = self.cursor.checked_rem(candidates.len() as u64).unwrap_or(0) as usize;
        let Some(&to) = candidates.get(at) else { return Choice::Nobody };
        let cursor = self.cursor;
        self.cursor = cursor.wrapping_add(1);
        Choice::Send { to, why: Why::Turn { cursor }, tied: 1 }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, into: &mut Digest) {
        into.u64(self.cursor);
    }
}
