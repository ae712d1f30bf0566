//! Nested retry layers: how many upstream calls one click can become, and how many it does.
//!
//! Layers are listed outermost first. A layer that is called makes one attempt at the layer
//! inside it (the innermost one calls upstream); after a failed attempt it may try again until
//! its attempts are used up, and then it reports the failure outwards. An upstream call fails
//! with probability `p`, independently of all others. The worst case multiplies, the expectation
//! does not: [`expect`] has the closed form, [`mod@walk`] plays one click call by call.

pub mod expect;
mod params;
pub mod walk;

pub use expect::{Expectation, LayerExpectation, Plan, nested_retriers};
pub use params::{Layer, PARAMS, Params};
pub use walk::{Call, Simulated, Verdict, Walk, simulate, walk};

use tokenyard_det::Digest;

/// Most layers a tree can have.
pub const MAX_LAYERS: usize = 6;

/// Most calls of one click that are kept step by step; the rest are only counted.
pub const RECORDED_CALLS: usize = 2_000;

/// Share in percent that the budget row of the summary uses while no budget is set.
pub const USUAL_BUDGET: u32 = 10;

/// Points of [`Run::curve`]: failure probabilities 0, 0.01, …, 1.
const CURVE_POINTS: u32 = 101;

/// Expected calls at one failure probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Probability that one upstream call fails.
    pub failure: f64,
    /// Expected calls of one click when every layer retries without a budget.
    pub plain: f64,
    /// Expected calls of one click under the switches that are set.
    pub chosen: f64,
}

/// Everything the lab shows for one set of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Every layer retries, no budget.
    pub plain: Expectation,
    /// For each layer, outermost first: it alone retries, no budget.
    pub only_one: Vec<Expectation>,
    /// Every layer retries under the budget that is set, or [`USUAL_BUDGET`] if none is.
    pub budgeted: Expectation,
    /// Share of `budgeted`, in percent.
    pub budget_percent: u32,
    /// What the switches say: one layer alone, a budget, both or neither.
    pub chosen: Expectation,
    /// One click under `chosen`, with independent failures.
    pub click: Walk,
    /// The same click in an outage: every upstream call fails.
    pub outage: Walk,
    /// Expected calls over the failure probability.
    pub curve: Vec<CurvePoint>,
}

/// Plays the parameters. Cost: at most 2·10^6 draws (two clicks of six layers of ten attempts).
#[must_use]
pub fn run(params: &Params) -> Run {
    let all = Plan::all(params);
    let chosen = Plan::chosen(params);
    let budget_percent = params.budget.unwrap_or(USUAL_BUDGET);
    let budgeted = all.clone().with_budget(Some(budget_percent));
    let curve = (0..CURVE_POINTS).map(|i| {
        let failure = f64::from(i) / f64::from(CURVE_POINTS - 1);
        CurvePoint { failure, plain: all.expect(failure).calls, chosen: chosen.expect(failure).calls }
    });
    Run {
        plain: all.expect(params.failure),
        only_one: (0..all.attempts().len()).map(|i| all.only(i).expect(params.failure)).collect(),
        budgeted: budgeted.expect(params.failure),
        budget_percent,
        click: walk(&chosen, params.failure, params.seed),
        outage: walk(&chosen, 1.0, params.seed),
        chosen: chosen.expect(params.failure),
        curve: curve.collect(),
    }
}

impl Run {
    /// The recorded calls of the click with independent failures, in order.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.click.calls
    }

    /// Feeds the whole run: expectations, curve, and both clicks call by call.
    pub fn digest(&self, digest: &mut Digest) {
        digest.u32(self.budget_percent);
        for e in [&self.plain, &self.budgeted, &self.chosen].into_iter().chain(&self.only_one) {
            e.digest(digest);
        }
        digest.u64(self.curve.len() as u64);
        for point in &self.curve {
            [point.failure, point.plain, point.chosen].iter().for_each(|v| digest.f64(*v));
        }
        self.click.digest(digest);
        self.outage.digest(digest);
    }
}
