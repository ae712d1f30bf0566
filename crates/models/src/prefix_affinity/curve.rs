//! The whole curve over the threshold, because a single setting hides that it is not monotone.

use super::trace::REQUESTS;
use super::{Params, replay::run};

/// The prefix-aware router at one threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// The load-gap threshold; `None`: affinity always.
    pub threshold: Option<u32>,
    /// Requests that hit.
    pub hits: u32,
    /// Tokens prefilled.
    pub prefill: u32,
    /// Requests for which affinity was given up.
    pub escapes: u32,
    /// Final loads, by replica.
    pub loads: Vec<u32>,
}

/// The prefix-aware router at thresholds 0, 1, … up to and including the first at which it never
/// escapes, and then without a threshold. All settings but the threshold are taken from `params`.
///
/// A larger threshold than the last number changes nothing: no gap was above it. At most
/// [`REQUESTS`] + 2 points, each one run.
#[must_use]
pub fn curve(params: &Params) -> Vec<CurvePoint> {
    let mut points = Vec::new();
    for threshold in 0..=REQUESTS as u32 {
        let point = at(params, Some(threshold));
        let free = point.escapes == 0;
        points.push(point);
        if free {
            break;
        }
    }
    points.push(at(params, None));
    points
}

fn at(params: &Params, threshold: Option<u32>) -> CurvePoint {
    let run = run(&Params { load_gap_threshold: threshold, ..params.clone() });
    CurvePoint {
        threshold,
        hits: run.aware_hits,
        prefill: run.aware_prefill,
        escapes: run.escapes,
        loads: run.aware_loads,
    }
}
