//! JSON for the command line, by the oracle's names.

use serde_json::{Value as Json, json};
use tokenyard_models::herding::{self, Decision, Params, Rule, Tick};
use tokenyard_param::Values;

pub(super) fn results(values: &Values, steps: bool) -> Vec<Json> {
    let params = Params::from_values(values);
    Rule::ALL
        .iter()
        .map(|rule| {
            let run = herding::run(&params, *rule, None);
            let s = herding::summary(&run);
            let mut result = json!({
                "rule": rule.id(),
                "max_spread": s.max_spread,
                "mean_spread": s.mean_spread,
                "oscillation": s.oscillation,
                "concentration": s.concentration,
            });
            if steps {
                result["steps"] = run.ticks.iter().map(tick).collect();
            }
            result
        })
        .collect()
}

fn tick(tick: &Tick) -> Json {
    let each = |f: &dyn Fn(&Decision) -> Json| -> Json { tick.decisions.iter().map(f).collect() };
    json!({
        "true_loads": tick.loads,
        "views": each(&|d| json!(d.view)),
        "routers": each(&|d| json!(d.router)),
        "probes": each(&|d| json!(d.probes)),
        "scraped": tick.scraped,
        "placements": each(&|d| json!(d.placed)),
        "spread": tick.skew,
    })
}
