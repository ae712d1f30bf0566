//! JSON for the command line, by the oracle's names.

use serde_json::{Value as Json, json};
use tokenyard_models::prefix_affinity::{self, Params, Step};
use tokenyard_param::Values;

pub(super) fn results(values: &Values, steps: bool) -> Vec<Json> {
    let run = prefix_affinity::run(&Params::from_values(values));
    let mut result = json!({
        "baseline_hits": run.baseline_hits,
        "aware_hits": run.aware_hits,
        "cumulative_baseline": run.baseline_prefill,
        "cumulative_aware": run.aware_prefill,
        "escapes": run.escapes,
        "aware_loads": run.aware_loads,
    });
    if steps {
        result["steps"] = run.steps.iter().map(step).collect();
    }
    vec![result]
}

fn step(s: &Step) -> Json {
    json!({
        "prefix": s.prefix,
        "baseline": s.baseline,
        "baseline_hit": s.baseline_hit,
        "baseline_prefill": s.baseline_prefill,
        "aware": s.aware,
        "aware_hit": s.aware_hit,
        "aware_prefill": s.aware_prefill,
        "reason": s.reason.id(),
        "baseline_loads": s.baseline_loads,
        "aware_loads": s.aware_loads,
        "baseline_caches": s.baseline_caches,
        "aware_caches": s.aware_caches,
        "cumulative_baseline": s.cumulative_baseline,
        "cumulative_aware": s.cumulative_aware,
    })
}
