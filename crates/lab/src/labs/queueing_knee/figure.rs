//! Two charts: the wait of each customer, and the knee: mean wait over utilisation.

use tokenyard_models::queueing_knee::theory::Pool;
use tokenyard_models::queueing_knee::{Params, TRACED, curve_cv2};

use super::{Knee, ORDER, answers, approximate, name, short, style};
use crate::figure::{Axis, Figure, Guide, Pin, Series};
use crate::msg::{Arg, msg};

/// The chart of the knee ends at so many times the limit: above it nobody wants to be.
const HEADROOM: f64 = 3.0;

/// Each customer's wait in every lane, with the linked cursor.
pub(super) fn waits(knee: &Knee, step: u32) -> Figure {
    let line = |curve: usize| {
        let steps = knee.lane(curve).steps.iter().enumerate();
        let points = steps.map(|(i, s)| (i as f64 + 1.0, s.wait)).collect();
        Series::line(name(&knee.params, curve), short(&knee.params, curve), style(curve), points)
    };
    let series: Vec<Series> = ORDER.into_iter().map(line).collect();
    let limit = knee.params.limit;
    let top = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).fold(limit, f64::max);
    let mean = |at: usize| knee.lane(ORDER[at]).steps.last().map_or(0.0, |s| s.mean_so_far);
    Figure {
        id: "waits",
        x: Axis::exact(msg("axis.customer"), 1.0, TRACED as f64),
        y: Axis::new(msg(if knee.sharing() { "axis.delay" } else { "axis.wait" }), 0.0, top),
        series,
        guides: vec![limit_line(&knee.params)],
        pins: Vec::new(),
        cursor: Some(f64::from(step + 1)),
        summary: msg("figure.waits.summary")
            .with("n", TRACED)
            .with("fixed", Arg::Fixed(mean(1), 1))
            .with("exponential", Arg::Fixed(mean(2), 1))
            .with("tail", Arg::Fixed(mean(3), 1))
            .with("free", Arg::Fixed(mean(0), 1))
            .with("cv2", super::cv2(knee.params.cv2)),
    }
}

fn limit_line(params: &Params) -> Guide {
    Guide { y: params.limit, label: msg("guide.limit").with("limit", Arg::Fixed(params.limit, 1)) }
}

/// Height of the knee's chart.
pub(super) fn top(params: &Params) -> f64 {
    Axis::new(msg("axis.mean"), 0.0, HEADROOM * params.limit).max
}

/// Where each curve crosses the limit: the utilisation that the limit allows. Curves that cross at
/// one place share a pin.
fn crossings(knee: &Knee) -> Vec<Pin> {
    let mut pins: Vec<Pin> = Vec::with_capacity(ORDER.len());
    // The published curves first, so that a free one that equals one of them gives way to it.
    for curve in ORDER.into_iter().rev() {
        let (x, answers) = (knee.model.curves[curve].crossing, answers(&knee.params, curve));
        let label = msg("pin.crossing").with("at", Arg::Fixed(x, 2));
        let pin = Pin { x, y: knee.params.limit, label, style: style(curve), answers };
        match pins.iter_mut().find(|other| other.x == x) {
            // What one of them may show is no secret.
            Some(other) if other.answers && !answers => *other = pin,
            Some(_) => {}
            None => pins.push(pin),
        }
    }
    pins
}

/// Mean wait over utilisation, with the limit and a cursor at the utilisation of the lanes.
pub(super) fn knee(knee: &Knee) -> Figure {
    let params = &knee.params;
    let (pool, top) = (Pool::of(params), top(params));
    let line = |curve: usize| {
        let samples = knee.model.curves[curve].samples.iter().copied();
        let mut points: Vec<(f64, f64)> = samples.filter(|p| p.1 < top).collect();
        points.push((pool.crossing(top, curve_cv2(params, curve)), top));
        Series {
            answers: answers(params, curve),
            ..Series::line(name(params, curve), short(params, curve), style(curve), points)
        }
    };
    let crossing = |at: usize| Arg::Fixed(knee.model.curves[ORDER[at]].crossing, 3);
    let key = match (knee.sharing(), ORDER.iter().any(|c| approximate(params, *c))) {
        (true, _) => "figure.knee.summary-sharing",
        (false, true) => "figure.knee.summary-approximate",
        (false, false) => "figure.knee.summary",
    };
    Figure {
        id: "knee",
        x: Axis::exact(msg("axis.utilisation"), 0.0, 1.0),
        y: Axis::new(
            msg(if knee.sharing() { "axis.mean-delay" } else { "axis.mean" }),
            0.0,
            HEADROOM * params.limit,
        ),
        series: ORDER.into_iter().map(line).collect(),
        guides: vec![limit_line(params)],
        pins: crossings(knee),
        cursor: Some(params.utilisation),
        summary: msg(key)
            .with("limit", Arg::Fixed(params.limit, 1))
            .with("fixed", crossing(1))
            .with("exponential", crossing(2))
            .with("free", crossing(0))
            .with("cv2", super::cv2(params.cv2)),
    }
}
