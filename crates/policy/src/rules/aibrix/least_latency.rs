//! `aibrix-least-latency`: the shortest time that queue, prefill and decode would take at the means of
//! the engines' whole lives, the last among equals.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use super::means::{self, Known};
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec};
use crate::view::Signals;

/// The declaration. A replica that has finished nothing is passed over, so one that comes back is
/// given nothing as long as another has finished something.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "aibrix-least-latency",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &["finished", "queue_s", "prefill_s", "decode_s", "latency_s"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 50 },
    source: "vllm-project/aibrix e3e10f9e, pkg/plugins/gateway/algorithms/least_latency.go",
    build: |_: &Values| Box::new(LeastLatency(Known::default())),
};

/// Keeps nothing from one decision to the next.
#[derive(Clone, Debug)]
struct LeastLatency(Known);

impl Rule for LeastLatency {
    fn signals(&self) -> Signals {
        Signals::MEANS
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        let guess = means::guess(&ask.fleet);
        self.0.least(ask, OwnTie::Last, By::ExpectedLatency, |means| {
            let [queue, prefill, decode] = means::latency(means, guess);
            [means.requests as f64, queue, prefill, decode, queue + prefill + decode]
        })
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, _into: &mut Digest) {}
}
