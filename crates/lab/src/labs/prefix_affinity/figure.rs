//! Prefill so far with the linked cursor; hits, fullest replica and prefill against the knob.

use tokenyard_models::prefix_affinity::{CurvePoint, REQUESTS};

use super::Duel;
use super::side::Router;
use crate::figure::{Axis, Figure, Series};
use crate::msg::{Arg, msg};

/// Tokens prefilled so far, request by request, in thousands.
pub(super) fn prefill(duel: &Duel, step: u32) -> Figure {
    let line = |router: Router| {
        let so_far = |s: &tokenyard_models::prefix_affinity::Step| match router {
            Router::Baseline => s.cumulative_baseline,
            Router::Aware => s.cumulative_aware,
        };
        let steps = duel.run.steps.iter().enumerate();
        let points = steps.map(|(i, s)| (i as f64 + 1.0, thousands(so_far(s)))).collect();
        let answers = router == Router::Aware && super::answers(&duel.run);
        Series { answers, ..Series::line(msg(router.name()), msg(router.short()), router.style(), points) }
    };
    let series = Router::LANES.map(line);
    let top = thousands(duel.run.aware_prefill.max(duel.run.baseline_prefill));
    Figure {
        id: "prefill",
        x: Axis::exact(msg("axis.request"), 1.0, REQUESTS as f64),
        y: Axis::new(msg("axis.prefill"), 0.0, top),
        series: series.into(),
        guides: Vec::new(),
        pins: Vec::new(),
        cursor: Some(f64::from(step + 1)),
        summary: msg("figure.prefill.summary")
            .with("baseline", duel.run.baseline_prefill)
            .with("aware", duel.run.aware_prefill),
    }
}

/// Hits and the load of the fullest replica, both in requests, against the threshold.
pub(super) fn trade(duel: &Duel) -> Figure {
    let fullest = |p: &CurvePoint| f64::from(p.loads.iter().max().copied().unwrap_or(0));
    let hits = |p: &CurvePoint| f64::from(p.hits);
    let (hits, mut loads) = (line(duel, "hits", 2, &hits), line(duel, "fullest", 6, &fullest));
    loads.answers = true;
    let (first, last) = ends(duel);
    Figure {
        id: "trade",
        x: thresholds(duel),
        y: Axis::exact(msg("axis.requests"), 0.0, REQUESTS as f64),
        series: vec![hits, loads],
        guides: Vec::new(),
        pins: Vec::new(),
        cursor: Some(present(duel)),
        summary: msg("figure.trade.summary")
            .with("first", first.map_or(0, |p| p.hits))
            .with("last", last.map_or(0, |p| p.hits)),
    }
}

/// Tokens prefilled by the aware router against the threshold, in thousands.
pub(super) fn cost(duel: &Duel) -> Figure {
    let prefill = |p: &CurvePoint| thousands(p.prefill);
    let top = duel.curve.iter().map(prefill).fold(thousands(duel.run.baseline_prefill), f64::max);
    let level = thousands(duel.run.baseline_prefill);
    let flat = (0..duel.curve.len()).map(|i| (i as f64, level)).collect();
    let base = Series::line(msg(Router::Baseline.name()), msg(Router::Baseline.short()), 1, flat);
    // Along the knob, prefill can rise again: the sentence counts how often it does.
    let rises = duel.curve.windows(2).filter(|w| w[1].prefill > w[0].prefill).count();
    let key = if rises > 0 { "figure.cost.summary" } else { "figure.cost.summary-falls" };
    let (first, last) = ends(duel);
    Figure {
        id: "cost",
        x: thresholds(duel),
        y: Axis::new(msg("axis.total"), 0.0, top),
        series: vec![line(duel, "prefill", 2, &prefill), base],
        guides: Vec::new(),
        pins: Vec::new(),
        cursor: Some(present(duel)),
        summary: msg(key)
            .with("first", first.map_or(0, |p| p.prefill))
            .with("last", last.map_or(0, |p| p.prefill))
            .with("rises", rises),
    }
}

fn ends(duel: &Duel) -> (Option<&CurvePoint>, Option<&CurvePoint>) {
    (duel.curve.first(), duel.curve.last())
}

fn thousands(tokens: u32) -> f64 {
    f64::from(tokens) / 1000.0
}

fn line(duel: &Duel, key: &'static str, style: u8, value: &dyn Fn(&CurvePoint) -> f64) -> Series {
    let points = duel.curve.iter().enumerate().map(|(i, p)| (i as f64, value(p))).collect();
    let (name, short) = match key {
        "hits" => ("series.hits", "short.hits"),
        "fullest" => ("series.fullest", "short.fullest"),
        _ => (Router::Aware.name(), Router::Aware.short()),
    };
    Series::line(msg(name), msg(short), style, points)
}

/// The thresholds of the curve: all numbers up to the one from which nothing changes any more,
/// and a last place for no threshold at all.
fn thresholds(duel: &Duel) -> Axis {
    let last = duel.curve.len().saturating_sub(1);
    let widest = last.saturating_sub(1);
    // A long curve numbers every second place, and always its last two.
    let every = if last > 7 { 2 } else { 1 };
    let numbered = (0..widest.saturating_sub(every - 1)).step_by(every);
    Axis {
        ticks: numbered.chain([widest, last]).map(|i| i as f64).collect(),
        digits: 0,
        named: vec![
            (widest as f64, msg("axis.from").with("n", Arg::from(widest))),
            (last as f64, msg("axis.none")),
        ],
        ..Axis::exact(msg("axis.threshold"), 0.0, last as f64)
    }
}

/// Where the present threshold stands on the axis of [`thresholds`].
fn present(duel: &Duel) -> f64 {
    let last = duel.curve.len().saturating_sub(1);
    let widest = last.saturating_sub(1) as f64;
    duel.params.load_gap_threshold.map_or(last as f64, |t| f64::from(t).min(widest))
}
