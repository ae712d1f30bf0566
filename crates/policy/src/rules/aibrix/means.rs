//! What two strategies, and the one that adds strategies up, make of the engines' lifetime means.

use crate::draw::OwnTie;
use crate::rule::{Ask, By, Choice, Why};
use crate::view::{FleetView, Means, ReplicaIx, cell};

/// Tokens that a request is taken to have where no engine has finished one.
const PROMPT: f64 = 10.0;
const GENERATED: f64 = 100.0;

/// Weight of prompt tokens over generated ones.
const PROMPT_WEIGHT: f64 = 2.0;

/// The means of a replica that has finished a request, which the others have not.
pub(super) fn of(fleet: &FleetView<'_>, replica: ReplicaIx) -> Option<Means> {
    Some(cell(fleet.means, replica)).filter(|means| means.requests > 0)
}

/// Prompt and generated tokens that a request is taken to have: the means of the candidates' means
/// above 0.
pub(super) fn guess(fleet: &FleetView<'_>) -> [f64; 2] {
    let mut sums = [(0.0, 0.0); 2];
    for means in fleet.routable.iter().filter_map(|replica| of(fleet, *replica)) {
        for ((sum, count), mean) in sums.iter_mut().zip([means.prompt_tokens, means.generated_tokens]) {
            if mean > 0.0 {
                *sum += mean;
                *count += 1.0;
            }
        }
    }
    let mean = |(sum, count): (f64, f64), none: f64| if count > 0.0 { sum / count } else { none };
    [mean(sums[0], PROMPT), mean(sums[1], GENERATED)]
}

/// Seconds that a request of the guessed size is expected to take: queue, prefill, decode.
pub(super) fn latency(means: Means, [prompt, generated]: [f64; 2]) -> [f64; 3] {
    let scaled = |seconds: f64, tokens: f64, guessed: f64| {
        if tokens > 0.0 { seconds / tokens * guessed } else { 0.0 }
    };
    [
        means.queue_s,
        scaled(means.prefill_s, means.prompt_tokens, prompt),
        scaled(means.decode_s, means.generated_tokens, generated),
    ]
}

/// Weighted tokens of a replica's mean request. It is neither a load nor a throughput.
pub(super) fn tokens(means: Means) -> f64 {
    PROMPT_WEIGHT * means.prompt_tokens + means.generated_tokens
}

/// Room for the decision that is being made; nothing between decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    replicas: Vec<ReplicaIx>,
    scores: Vec<f64>,
}

impl Known {
    /// The candidate whose last term is the smallest, among those that have finished a request.
    /// Where nobody has, a draw among all. The terms of one that has not are 0.
    pub(super) fn least<const TERMS: usize>(
        &mut self,
        ask: &mut Ask<'_, '_>,
        own: OwnTie,
        by: By,
        terms: impl Fn(Means) -> [f64; TERMS],
    ) -> Choice {
        let fleet = ask.fleet;
        for &replica in fleet.routable {
            let Some(means) = of(&fleet, replica) else {
                ask.explain.row(replica, &[0.0; TERMS]);
                continue;
            };
            let terms = terms(means);
            ask.explain.row(replica, &terms);
            self.replicas.push(replica);
            self.scores.extend(terms.last());
        }
        let picked = ask.draw.smallest_score(&self.replicas, own, &self.scores);
        self.replicas.clear();
        self.scores.clear();
        match picked {
            Some((to, tied)) => Choice::Send { to, why: Why::Least { by }, tied },
            None => anybody(ask),
        }
    }
}

/// A draw among all candidates.
fn anybody(ask: &mut Ask<'_, '_>) -> Choice {
    match ask.draw.smallest(ask.fleet.routable, OwnTie::Random, |_| 0) {
        Some((to, tied)) => Choice::Send { to, why: Why::Drawn, tied },
        None => Choice::Nobody,
    }
}
