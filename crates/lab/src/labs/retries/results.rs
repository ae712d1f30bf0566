//! JSON for the command line.
//!
//! One result for each variant, in the order of the page's table:
//! `variant` (`all`, `only`, `all-budget`, `only-budget`), `worst` (most upstream calls of one
//! click), `sum` (of the attempts), `expected_calls` and `success` at the failure probability
//! that is set, `outage_calls` (expected while every call fails), `click_calls` and
//! `click_succeeded` (the click of the seed), `cumulative` (the product of the attempts down to
//! each layer, outermost first), `budget` (percent or null), and `layers`: for each one `name`,
//! `attempts`, `attempt_fails`, `retries` (expected for each first attempt), `fails`, `calls`
//! (expected attempts in one click).
//! With steps each result has `steps`, the recorded calls of the seed's click: `path` (number of
//! the attempt in each layer), `failed`, `retried_by` (the layer that tries again, from 1, or
//! null), `made` (attempts of each layer so far). For a click in an outage set the failure
//! probability to 1.

use serde_json::{Value as Json, json};
use tokenyard_models::retries::{Call, LayerExpectation, Params, walk};
use tokenyard_param::Values;

use super::variant::{VARIANTS, Variant};

pub(super) fn results(values: &Values, steps: bool) -> Vec<Json> {
    let params = Params::from_values(values);
    VARIANTS.iter().map(|variant| result(&params, *variant, steps)).collect()
}

fn result(params: &Params, variant: Variant, steps: bool) -> Json {
    let plan = variant.plan(params);
    let expected = plan.expect(params.failure);
    let click = walk(&plan, params.failure, params.seed);
    let mut result = json!({
        "variant": variant.id(),
        "worst": expected.worst,
        "sum": expected.sum,
        "expected_calls": expected.calls,
        "success": expected.success,
        "outage_calls": expected.outage_calls,
        "click_calls": click.total,
        "click_succeeded": click.succeeded,
        "cumulative": expected.layers.iter().map(|l| l.worst).collect::<Vec<_>>(),
        "budget": variant.budget.then(|| Variant::share(params)),
        "layers": params.layers.iter().zip(&expected.layers).map(|(l, e)| layer(&l.name, e)).collect::<Vec<_>>(),
    });
    if steps {
        let depth = plan.attempts().len();
        result["steps"] = click.calls.iter().map(|c| call(c, depth)).collect();
    }
    result
}

fn layer(name: &str, expected: &LayerExpectation) -> Json {
    json!({
        "name": name,
        "attempts": expected.attempts,
        "attempt_fails": expected.attempt_fails,
        "retries": expected.retries,
        "fails": expected.fails,
        "calls": expected.calls,
    })
}

fn call(call: &Call, depth: usize) -> Json {
    json!({
        "path": call.path[..depth],
        "failed": call.failed,
        "retried_by": call.retried_by().map(|l| l + 1),
        "made": call.made[..depth],
    })
}
