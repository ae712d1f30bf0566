//! JSON for the command line.
//!
//! One result for each curve, in the order of the page's table: `variant` (`free`, `fixed`,
//! `exponential`, `long-tail`), `cv2`, `crossing` (utilisation at which the mean wait meets the
//! limit), `wait` (mean wait at the utilisation that is set, in service times), `inside` (mean
//! requests in the pool, by Little's law), `traced_wait` (mean wait of the traced customers),
//! `exact` (whether the closed form is exact here), `little_capacity` (requests per second), and
//! `ways`: what alone would keep the limit, `utilisation`, `cv2` (null: nothing would) and `slots`
//! (null: more than 4 096).
//! With steps each result has `steps`, the traced customers: `arrival`, `service`, `start`,
//! `finish`, `wait`, `present`, `queue`, `mean_so_far`; times in mean service times.

use serde_json::{Value as Json, json};
use tokenyard_models::queueing_knee::theory::{Pool, little_capacity};
use tokenyard_models::queueing_knee::{Params, Step, curve_cv2, trace};
use tokenyard_param::Values;

use super::{ORDER, approximate, id};

pub(super) fn results(values: &Values, steps: bool) -> Vec<Json> {
    let params = Params::from_values(values);
    ORDER.iter().map(|curve| result(&params, *curve, steps)).collect()
}

fn result(params: &Params, curve: usize, steps: bool) -> Json {
    let (pool, cv2) = (Pool::of(params), curve_cv2(params, curve));
    let (lane, ways) = (trace::lane(params, curve), pool.ways(params.utilisation, cv2, params.limit));
    let mut result = json!({
        "variant": id(curve),
        "cv2": cv2,
        "crossing": ways.utilisation,
        "wait": ways.wait,
        "inside": params.utilisation * f64::from(pool.slots) * (1.0 + ways.wait),
        "traced_wait": lane.steps.last().map(|s| s.mean_so_far),
        "exact": !approximate(params, curve),
        "little_capacity": little_capacity(f64::from(params.little_concurrency), params.little_time),
        "ways": { "utilisation": ways.utilisation, "cv2": ways.cv2, "slots": ways.slots },
    });
    if steps {
        result["steps"] = lane.steps.iter().map(step).collect();
    }
    result
}

fn step(step: &Step) -> Json {
    json!({
        "arrival": step.arrival,
        "service": step.service,
        "start": step.start,
        "finish": step.finish,
        "wait": step.wait,
        "present": step.present,
        "queue": step.queue,
        "mean_so_far": step.mean_so_far,
    })
}
