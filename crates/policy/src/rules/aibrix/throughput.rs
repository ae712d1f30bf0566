//! `aibrix-throughput`: the fewest tokens in a mean request, prompt tokens counted twice; a random draw
//! among equals. Upstream's documents call it throughput; it prefers who was sent short requests.

use tokenyard_det::Digest;
use tokenyard_param::Values;

use super::means::{self, Known};
use crate::draw::OwnTie;
use crate::rule::{Age, Ask, By, Choice, Knowledge, Rule, RuleSpec};
use crate::view::{Means, Signals};

/// The declaration. A replica that has finished nothing is passed over.
pub(in crate::rules) static SPEC: RuleSpec = RuleSpec {
    id: "aibrix-throughput",
    params: &[],
    upstream: &[],
    presets: &[],
    terms: &["finished", "prompt_tokens", "generated_tokens", "tokens"],
    knowledge: Knowledge::None,
    signals_age: Age::Polled { ms: 50 },
    source: "vllm-project/aibrix e3e10f9e, pkg/plugins/gateway/algorithms/throughput.go",
    build: |_: &Values| Box::new(Throughput(Known::default())),
};

/// Keeps nothing from one decision to the next.
#[derive(Clone, Debug)]
struct Throughput(Known);

impl Rule for Throughput {
    fn signals(&self) -> Signals {
        Signals::MEANS
    }

    fn choose(&mut self, ask: &mut Ask<'_, '_>) -> Choice {
        self.0.least(ask, OwnTie::Random, By::MeanTokens, |means| {
            let Means { requests, prompt_tokens, generated_tokens, .. } = means;
            [requests as f64, prompt_tokens, generated_tokens, means::tokens(means)]
        })
    }

    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }

    fn digest(&self, _into: &mut Digest) {}
}
