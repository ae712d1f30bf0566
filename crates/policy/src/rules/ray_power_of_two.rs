//! `ray-power-of-two`: two different replicas at random, the one with the shorter queue.

use tokenyard_det::{Digest, Stream};
use tokenyard_param::{ParamSpec, Values};

use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec, Why};
use crate::rules::load;
use crate::view::{ReplicaIx, Signals, cell};

/// The declaration.
pub(super) static SPEC: RuleSpec = RuleSpec {
    id: "ray-power-of-two",
    params: PARAMS,
    upstream: &["max_ongoing_requests"],
    presets: &[],
    terms: &["outstanding"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 10_000 },
    source: "ray-project/ray 04287e4b, serve/_private/request_router/pow_2_router.py, request_router.py",
    build: |values: &Values| Box::new(RayPowerOfTwo { max_ongoing: values.opt_u32(load::MAX_ONGOING.key) }),
};

static PARAMS: &[ParamSpec] = &[load::MAX_ONGOING];

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
struct RayPowerOfTwo {
    max_ongoing: Option<u32>,
}

/// Two different candidates of two or more, every ordered pair equally likely. Of two it is their
/// order that is drawn.
fn pair(candidates: &[ReplicaIx], stream: &mut Stream) -> Option<[ReplicaIx; 2]> {
    let count = candidates.len() as u64;
    if count == 2 {
        let first = stream.below(2) as usize;
        return Some([*candidates.get(first)?, *candidates.get(1 - first)?]);
    }
    let first = stream.below(count);
    let other = stream.below(count.saturating_sub(1));
    let second = if other >= first { other + 1 } else { other };
    Some([*candidates.get(first as usize)?, *candidates.get(second as usize)?])
}

impl Rule for RayPowerOfTwo {
    fn signals(&self) -> Signals {
        Signals::OUTSTANDING
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        load::explain_outstanding(ask);
        let outstanding = ask.fleet.outstanding;
        let candidates = match ask.fleet.routable {
            [] => return Choice::Nobody,
            [only] => return Choice::Send { to: *only, why: Why::Only, tied: 1 },
            candidates => candidates,
        };
        let queue = |replica| cell(outstanding, replica);
        let full = |replica| self.max_ongoing.is_some_and(|most| queue(replica) >= most);
        let Some(mut of) = pair(candidates, ask.draw.stream) else { return Choice::Nobody };
        if full(of[0]) && full(of[1]) {
            // The first new attempt is at once. Upstream waits before further ones; a rule cannot,
            // so the request waits in the line of the second pair's shorter queue.
            let Some(again) = pair(candidates, ask.draw.stream) else { return Choice::Nobody };
            of = again;
        }
        let [a, b] = of.map(queue);
        let tied = 1 + u32::from(a == b);
        let takes_second = b < a || (tied == 2 && ask.draw.among(tied, OwnTie::First) == 1);
        let to = if takes_second { of[1] } else { of[0] };
        Choice::Send { to, why: Why::Sampled { of, by: By::Outstanding }, tied }
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(*self)
    }

    fn digest(&self, _into: &mut Digest) {}
}
