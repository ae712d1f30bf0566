//! JSON for the command line, by the oracle's names.

use serde_json::{Value as Json, json};
use tokenyard_models::batching::{self, Iteration, Mode, Params};
use tokenyard_param::Values;

pub(super) fn results(values: &Values, steps: bool) -> Vec<Json> {
    let params = Params::from_values(values);
    Mode::ALL
        .iter()
        .map(|mode| {
            let run = batching::run(&params, *mode);
            let mut result = json!({
                "mode": mode.id(),
                "iterations_to_drain": run.iterations_to_drain,
                "zero_output_iterations": run.zero_output_iterations,
                "total_tokens": run.total_tokens,
                "slot_fill": run.slot_fill,
            });
            if steps {
                result["steps"] = run.iterations.iter().map(iteration).collect();
            }
            result
        })
        .collect()
}

fn iteration(i: &Iteration) -> Json {
    let slots: Vec<Json> = i.slots.iter().map(|s| json!([s.job, s.state.id()])).collect();
    json!({ "slots": slots, "waiting": i.waiting, "completed": i.completed, "tokens": i.tokens })
}
