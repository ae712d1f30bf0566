//! Two charts: expected calls over the failure probability, and how attempts multiply from
//! layer to layer.

use tokenyard_models::retries::LayerExpectation;

use super::variant::{VARIANTS, Variant};
use super::{Click, Lane};
use crate::figure::{Axis, Figure, Guide, Series};
use crate::msg::{Arg, msg};

/// Style of the sum, which is not a variant.
const SUM_STYLE: u8 = 5;
/// Style of the expected attempts per layer.
const EXPECTED_STYLE: u8 = 6;

pub(super) fn expected(click: &Click) -> Figure {
    let params = &click.params;
    let lanes = Variant::lanes(params);
    // One layer alone under a budget lies on the axis; it is drawn when it stands in a lane.
    let drawn = |v: &Variant| !(v.only && v.budget) || lanes.contains(v);
    let series: Vec<Series> = VARIANTS
        .iter()
        .zip(&click.curves)
        .filter(|(variant, _)| drawn(variant))
        .map(|(variant, curve)| Series {
            answers: variant.answers(params),
            ..Series::line(variant.name(params), variant.short(), variant.style(), curve.clone())
        })
        .collect();
    let sum = click.lanes[0].expected.sum;
    let top = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).fold(f64::from(sum), f64::max);
    let mine = &click.lanes[0].expected;
    Figure {
        id: "expected",
        x: Axis::exact(msg("axis.failure"), 0.0, 1.0),
        y: Axis::new(msg("axis.calls"), 0.0, top),
        series,
        guides: vec![Guide { y: f64::from(sum), label: msg("guide.sum").with("sum", sum) }],
        pins: Vec::new(),
        cursor: Some(params.failure),
        summary: msg("figure.expected.summary")
            .with("variant", click.lanes[0].variant.name(params))
            .with("failure", Arg::Fixed(params.failure, 2))
            .with("expected", Arg::Fixed(mine.calls, 2))
            .with("outage", Arg::Fixed(mine.outage_calls, 2)),
    }
}

pub(super) fn product(click: &Click) -> Figure {
    let [first, second] = &click.lanes;
    let params = &click.params;
    let layers = first.plan.attempts().len();
    let over = |f: &dyn Fn(usize, &LayerExpectation) -> f64, lane: &Lane| -> Vec<(f64, f64)> {
        lane.expected.layers.iter().enumerate().map(|(i, l)| (i as f64 + 1.0, f(i, l))).collect()
    };
    let worst = |_: usize, l: &LayerExpectation| l.worst as f64;
    let sums = |i: usize, _: &LayerExpectation| f64::from(first.plan.attempts()[..=i].iter().sum::<u32>());
    let line = |lane: &Lane| {
        let variant = lane.variant;
        let name = msg("series.product").with("variant", variant.name(params));
        Series::line(name, variant.short(), variant.style(), over(&worst, lane))
    };
    let expected = over(&|_, l| l.calls, first);
    let series = vec![
        line(first),
        Series { answers: true, ..line(second) },
        Series::line(msg("series.sum"), msg("short.sum"), SUM_STYLE, over(&sums, first)),
        Series::line(msg("series.expected"), msg("short.expected"), EXPECTED_STYLE, expected),
    ];
    let top = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).fold(1.0, f64::max);
    let mut x = Axis::exact(msg("axis.layer"), 1.0, layers as f64);
    x.ticks = (1..=layers).map(|i| i as f64).collect();
    x.digits = 0;
    let products = first.expected.layers.iter().map(|l| Arg::Int(i64::try_from(l.worst).unwrap_or(i64::MAX)));
    Figure {
        id: "product",
        x,
        y: Axis::new(msg("axis.attempts"), 0.0, top),
        series,
        guides: Vec::new(),
        pins: Vec::new(),
        cursor: None,
        summary: msg("figure.product.summary")
            .with("products", Arg::List(products.collect()))
            .with("sum", first.expected.sum),
    }
}
