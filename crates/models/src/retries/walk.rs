//! One click played call by call, and many clicks counted.

use super::{MAX_LAYERS, Plan, RECORDED_CALLS};
use tokenyard_det::{Digest, Mulberry32};

/// What a layer decides after a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Not asked: a layer inside it tries again, or there is no such layer.
    #[default]
    NotAsked,
    /// The call succeeded; the answer passes outwards.
    Returned,
    /// Tries again.
    Retry,
    /// Has used all its attempts; the failure passes outwards.
    Exhausted,
    /// Would try again, but the budget refuses; the failure passes outwards.
    Refused,
}

/// One upstream call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Number of the attempt in each layer, from 1, outermost first; 0 beyond the last layer.
    pub path: [u8; MAX_LAYERS],
    /// Whether the upstream call failed.
    pub failed: bool,
    /// What each layer decides next, outermost first. They are asked from the inside out.
    pub verdicts: [Verdict; MAX_LAYERS],
    /// Attempts each layer has made in this click so far, this one included; the entry of the
    /// innermost layer is the number of the call.
    pub made: [u32; MAX_LAYERS],
}

/// One click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The calls in order, at most the first [`RECORDED_CALLS`].
    pub calls: Vec<Call>,
    /// Number of calls, recorded or not.
    pub total: u32,
    /// Whether the click succeeded.
    pub succeeded: bool,
    /// Attempts each layer made, outermost first; 0 beyond the last layer.
    pub made: [u32; MAX_LAYERS],
}

/// Counts over many clicks.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Clicks played.
    pub clicks: u32,
    /// Mean upstream calls of a click; 0 without clicks.
    pub calls: f64,
    /// Variance of the calls of a click (division by n); 0 without clicks.
    pub variance: f64,
    /// Share of clicks that succeeded; 0 without clicks.
    pub success: f64,
    /// Mean attempts per click and layer, outermost first; 0 beyond the last layer.
    pub made: [f64; MAX_LAYERS],
}

/// The draws of a click. Outcomes and budget have a stream each, so that a budget does not move
/// the outcomes of the calls that are made under it.
struct Draws {
    outcomes: Mulberry32,
    budget: Mulberry32,
}

/// What one draw adds to the state of [`Mulberry32`].
const MULBERRY_STEP: u32 = 0x6D2B_79F5;

/// Draws between the starts of the two streams: almost half of the generator's cycle, and odd,
/// so that no bits of the two states stay equal.
const BUDGET_STARTS_AFTER: u32 = 2_000_000_011;

impl Draws {
    fn new(seed: u32) -> Self {
        Self {
            outcomes: Mulberry32::new(seed),
            budget: Mulberry32::new(seed.wrapping_add(MULBERRY_STEP.wrapping_mul(BUDGET_STARTS_AFTER))),
        }
    }
}

/// Plays one click whose upstream calls fail with probability `failure`.
#[must_use]
pub fn walk(plan: &Plan, failure: f64, seed: u32) -> Walk {
    let mut calls = Vec::new();
    let allowed = allowances(plan, failure);
    let mut walk = click(plan, failure, &allowed, &mut Draws::new(seed), |call| {
        if calls.len() < RECORDED_CALLS {
            calls.push(*call);
        }
    });
    walk.calls = calls;
    walk
}

/// Plays `clicks` clicks on one pair of streams. Cost: as many draws as there are calls.
#[must_use]
pub fn simulate(plan: &Plan, failure: f64, seed: u32, clicks: u32) -> Simulated {
    let allowed = allowances(plan, failure);
    let mut draws = Draws::new(seed);
    let (mut squares, mut successes, mut made) = (0.0, 0_u32, [0.0; MAX_LAYERS]);
    for _ in 0..clicks {
        let walk = click(plan, failure, &allowed, &mut draws, |_| ());
        squares += f64::from(walk.total) * f64::from(walk.total);
        successes += u32::from(walk.succeeded);
        made.iter_mut().zip(walk.made).for_each(|(sum, m)| *sum += f64::from(m));
    }
    let n = f64::from(clicks.max(1));
    let made = made.map(|sum| sum / n);
    let calls = made[plan.attempts().len().clamp(1, MAX_LAYERS) - 1];
    let variance = (squares / n - calls * calls).max(0.0);
    Simulated { clicks, calls, variance, success: f64::from(successes) / n, made }
}

/// Probability per layer that the budget allows a wished retry.
fn allowances(plan: &Plan, failure: f64) -> [f64; MAX_LAYERS] {
    let mut allowed = [1.0; MAX_LAYERS];
    let layers = plan.expect(failure).layers;
    allowed.iter_mut().zip(layers).for_each(|(q, layer)| *q = layer.allowed);
    allowed
}

/// The loop: one upstream call, then the layers decide from the inside out.
fn click(
    plan: &Plan,
    failure: f64,
    allowed: &[f64; MAX_LAYERS],
    draws: &mut Draws,
    mut record: impl FnMut(&Call),
) -> Walk {
    let attempts = plan.attempts();
    let depth = attempts.len().min(MAX_LAYERS);
    let (mut path, mut made) = ([0; MAX_LAYERS], [0; MAX_LAYERS]);
    path[..depth].fill(1);
    made[..depth].fill(1);
    loop {
        let failed = draws.outcomes.draw() < failure;
        let mut call = Call { path, failed, verdicts: [Verdict::NotAsked; MAX_LAYERS], made };
        let mut again = None;
        if failed {
            for layer in (0..depth).rev() {
                let spent = u32::from(path[layer]) >= attempts[layer];
                call.verdicts[layer] = decide(spent, allowed[layer], &mut draws.budget);
                if call.verdicts[layer] == Verdict::Retry {
                    again = Some(layer);
                    break;
                }
            }
        } else {
            call.verdicts[..depth].fill(Verdict::Returned);
        }
        record(&call);
        let Some(layer) = again else {
            let total = made[depth.max(1) - 1];
            return Walk { calls: Vec::new(), total, succeeded: !failed, made };
        };
        path[layer] += 1;
        path[layer + 1..depth].fill(1);
        made[layer..depth].iter_mut().for_each(|m| *m += 1);
    }
}

fn decide(spent: bool, allowed: f64, budget: &mut Mulberry32) -> Verdict {
    if spent {
        Verdict::Exhausted
    } else if allowed >= 1.0 || budget.draw() < allowed {
        Verdict::Retry
    } else {
        Verdict::Refused
    }
}

impl Call {
    /// The layer that tries again after this call, 0 outermost. `None`: the click is over.
    #[must_use]
    pub fn retried_by(&self) -> Option<usize> {
        self.verdicts.iter().position(|v| *v == Verdict::Retry)
    }
}

impl Walk {
    /// Whether the click made more calls than were recorded.
    #[must_use]
    pub fn cut(&self) -> bool {
        (self.total as usize) > self.calls.len()
    }

    /// Index of the first recorded call after which `layer` (0 outermost) passes a failure on,
    /// spent or refused: the moment at which the next layer out begins to multiply.
    #[must_use]
    pub fn first_give_up(&self, layer: usize) -> Option<usize> {
        let gives_up = |v: &Verdict| matches!(v, Verdict::Exhausted | Verdict::Refused);
        self.calls.iter().position(|c| c.verdicts.get(layer).is_some_and(gives_up))
    }

    /// Feeds every recorded call and the totals.
    pub fn digest(&self, digest: &mut Digest) {
        digest.u64(self.calls.len() as u64);
        for call in &self.calls {
            digest.bytes(&call.path);
            digest.u32(u32::from(call.failed));
            digest.bytes(&call.verdicts.map(|v| v as u8));
            call.made.iter().for_each(|m| digest.u32(*m));
        }
        digest.u32(self.total);
        digest.u32(u32::from(self.succeeded));
        self.made.iter().for_each(|m| digest.u32(*m));
    }
}
