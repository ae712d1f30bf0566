//! JSON for the command line, by the oracle's names.

use serde_json::{Value as Json, json};
use tokenyard_models::routing_lab::{self as model, Params, Rule, Run, Workload};
use tokenyard_param::Values;

pub(super) fn results(values: &Values, steps: bool) -> Vec<Json> {
    let params = Params::from_values(values);
    let workload = Workload::generate(&params);
    Rule::ALL.iter().map(|rule| result(&model::run(&params, &workload, *rule), steps)).collect()
}

fn result(run: &Run, steps: bool) -> Json {
    let s = model::summary(run);
    let mut result = json!({
        "rule": run.rule.id(),
        "completed": s.completed,
        "ttft_p50": s.ttft_p50,
        "ttft_p95": s.ttft_p95,
        "ttft_mean": s.ttft_mean,
        "e2e_p50": s.e2e_p50,
        "e2e_p95": s.e2e_p95,
        "slo_attainment": s.slo_attainment,
        "output_tokens_per_tick": s.output_tokens_per_tick,
        "cache_hit_rate": s.cache_hit_rate,
        "makespan": s.makespan,
        "assigned": s.assigned,
        "served": s.served,
        "prefill_ticks": s.prefill_ticks,
        "decode_ticks": s.decode_ticks,
        "assigned_spread": s.assigned_spread,
        "load_fairness": s.load_fairness,
    });
    if run.cut {
        result["cut"] = json!(true);
    }
    if steps {
        let step = |(at, d): (usize, &model::Decision)| json!({ "tick": d.tick, "replica": d.replica, "outstanding": run.loads(at) });
        result["steps"] = run.decisions().iter().enumerate().map(step).collect();
    }
    result
}
