//! Closed form of calls and success, by recursion from the innermost layer outwards.
//!
//! Let one attempt of a layer fail with probability `f`, and let the layer make at most `a`
//! attempts. Without a budget it makes `r = f + f² + … + f^(a−1)` retries for each first
//! attempt and fails with probability `f^a`. A budget of share `b` limits `r` to `min(r, b)`.
//!
//! Attempts stop at the first success, so the number of attempts is a stopping time and Wald's
//! identity holds: calls below = (1 + r) × calls per attempt, and success = (1 + r) × (1 − f),
//! in whatever way the budget picks the retries that it refuses. The next layer out sees
//! `f' = 1 − (1 − f)(1 + r)`.
//!
//! The play needs a definite way: each wished retry is allowed with probability `q`, the largest
//! in 0..=1 with `fq + (fq)² + … + (fq)^(a−1) ≤ b`.

use super::{MAX_LAYERS, Params};
use tokenyard_det::Digest;

/// Who may retry, and how often.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    attempts: Vec<u32>,
    budget: Option<f64>,
}

/// What one layer does, per click.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerExpectation {
    /// Attempts it makes at most for one call from outside.
    pub attempts: u32,
    /// Attempts it makes at most in one click: the product of the attempts down to here.
    pub worst: u64,
    /// Probability that one attempt of this layer fails.
    pub attempt_fails: f64,
    /// Expected retries for each first attempt.
    pub retries: f64,
    /// Probability `q` with which the budget allows a wished retry; 1 where it does not bind.
    pub allowed: f64,
    /// Probability that the layer reports a failure outwards.
    pub fails: f64,
    /// Expected attempts of this layer in one click.
    pub calls: f64,
}

/// Worst case, expectation and success of one click under a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Layer by layer, outermost first.
    pub layers: Vec<LayerExpectation>,
    /// Most upstream calls one click can make: the product of the attempts. A budget above 0
    /// limits the mean, not the single click, so it leaves this number alone.
    pub worst: u64,
    /// Sum of the attempts, which is what the worst case is often taken for.
    pub sum: u32,
    /// Expected upstream calls of one click.
    pub calls: f64,
    /// Probability that the click succeeds.
    pub success: f64,
    /// Expected upstream calls of one click while every upstream call fails.
    pub outage_calls: f64,
}

/// Worst case of two nested retriers with `retries` retries each: (1 + N)², at most `u64::MAX`.
#[must_use]
pub fn nested_retriers(retries: u32) -> u64 {
    (1 + u64::from(retries)).saturating_pow(2)
}

impl Plan {
    /// Every layer retries, no budget. Without layers: one that makes a single attempt.
    #[must_use]
    pub fn all(params: &Params) -> Self {
        let mut attempts: Vec<u32> =
            params.layers.iter().take(MAX_LAYERS).map(|l| l.attempts.clamp(1, 10)).collect();
        if attempts.is_empty() {
            attempts.push(1);
        }
        Self { attempts, budget: None }
    }

    /// What the switches of the parameters say.
    #[must_use]
    pub fn chosen(params: &Params) -> Self {
        let all = Self::all(params);
        let plan = match params.only_one_layer {
            Some(layer) => all.only((layer.max(1) as usize).min(all.attempts.len()) - 1),
            None => all,
        };
        plan.with_budget(params.budget)
    }

    /// The same plan in which the layer at `index` (0 outermost) alone retries.
    #[must_use]
    pub fn only(&self, index: usize) -> Self {
        let keep = |(i, a): (usize, &u32)| if i == index { *a } else { 1 };
        Self { attempts: self.attempts.iter().enumerate().map(keep).collect(), budget: self.budget }
    }

    /// The same plan under a budget in percent of the first attempts of each layer. At 0 nobody
    /// retries.
    #[must_use]
    pub fn with_budget(mut self, percent: Option<u32>) -> Self {
        self.budget = percent.map(|p| f64::from(p) / 100.0);
        if percent == Some(0) {
            self.attempts.fill(1);
        }
        self
    }

    /// Attempts per layer, outermost first; 1 for a layer that may not retry.
    #[must_use]
    pub fn attempts(&self) -> &[u32] {
        &self.attempts
    }

    /// The closed form for upstream calls that fail with probability `failure`, each on its own.
    #[must_use]
    pub fn expect(&self, failure: f64) -> Expectation {
        let layers = self.layers(failure);
        let last = layers.last();
        let calls = |layers: &[LayerExpectation]| layers.last().map_or(0.0, |l| l.calls);
        Expectation {
            worst: last.map_or(1, |l| l.worst),
            sum: self.attempts.iter().sum(),
            calls: calls(&layers),
            success: 1.0 - layers.first().map_or(0.0, |l| l.fails),
            outage_calls: calls(&self.layers(1.0)),
            layers,
        }
    }

    fn layers(&self, failure: f64) -> Vec<LayerExpectation> {
        let mut below = failure.clamp(0.0, 1.0);
        let mut layers: Vec<LayerExpectation> = Vec::with_capacity(self.attempts.len());
        for &attempts in self.attempts.iter().rev() {
            layers.push(one_layer(attempts, below, self.budget));
            below = layers.last().map_or(below, |l| l.fails);
        }
        layers.reverse();
        let (mut worst, mut calls) = (1, 1.0);
        for layer in &mut layers {
            worst *= u64::from(layer.attempts);
            calls *= 1.0 + layer.retries;
            (layer.worst, layer.calls) = (worst, calls);
        }
        layers
    }
}

/// One layer over attempts that fail with probability `f`; `worst` and `calls` come later.
fn one_layer(attempts: u32, f: f64, budget: Option<f64>) -> LayerExpectation {
    let wished = retries(attempts, f);
    let mut layer = LayerExpectation {
        attempts,
        worst: 0,
        attempt_fails: f,
        retries: wished,
        allowed: 1.0,
        fails: (0..attempts).fold(1.0, |product, _| product * f),
        calls: 0.0,
    };
    if let Some(share) = budget.filter(|share| *share < wished) {
        layer.retries = share;
        layer.allowed = allowance(attempts, f, share);
        layer.fails = f - share * (1.0 - f);
    }
    layer
}

/// `x + x² + … + x^(attempts − 1)`, from the smallest power up.
fn retries(attempts: u32, x: f64) -> f64 {
    (1..attempts).fold(0.0, |inner, _| x * (1.0 + inner))
}

/// The largest `q` in 0..=1 with `retries(attempts, f·q) ≤ share`, by bisection to one bit.
fn allowance(attempts: u32, f: f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return low;
        }
        if retries(attempts, f * middle) <= share {
            low = middle;
        } else {
            high = middle;
        }
    }
}

impl Expectation {
    /// Feeds every figure.
    pub fn digest(&self, digest: &mut Digest) {
        digest.u64(self.layers.len() as u64);
        for l in &self.layers {
            digest.u32(l.attempts);
            digest.u64(l.worst);
            [l.attempt_fails, l.retries, l.allowed, l.fails, l.calls].iter().for_each(|v| digest.f64(*v));
        }
        digest.u64(self.worst);
        digest.u32(self.sum);
        [self.calls, self.success, self.outage_calls].iter().for_each(|v| digest.f64(*v));
    }
}
