//! What a sweep's rows say so far: two charts and each rule's knee.

use tokenyard_det::stat;
use tokenyard_lab::{Arg, Axis, Figure, Guide, Msg, Pin, Series, msg};

use super::{FIGURES, ITEMS, LOADS, Load, item, load, loads};
use crate::run::{Label, labels};
use crate::setup::Study;

/// Charts of a sweep.
pub const CHARTS: usize = 2;
/// Share of requests within both objectives below which a rule counts as broken.
const ENOUGH: f64 = 0.9;

/// Up to which load a rule holds: at least nine in ten requests within both objectives, as a median
/// over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Knee {
    /// Not even at the lightest load.
    Below(f64),
    /// Up to here, on the straight line between two loads.
    At(f64),
    /// Beyond the heaviest load that is there.
    Beyond(f64),
}

/// A figure of a lane at one load, over the seeds that are there.
#[derive(Clone, Copy, Debug)]
struct Point {
    load: f64,
    low: f64,
    median: f64,
    high: f64,
}

/// The lane's figures by load; loads without a row are left out. Equal loads are one.
fn points(study: &Study, rows: &[Vec<f64>], (lane, figure): (usize, usize)) -> Vec<Point> {
    let mut by_load: Vec<(f64, Vec<f64>)> = Vec::new();
    for (at, load) in loads(study).into_iter().enumerate() {
        let here = rows.iter().filter(|row| item(row[0] as u32).0 == at as u32 % LOADS);
        let values = here.filter_map(|row| row.get(1 + lane * FIGURES + figure).copied());
        match by_load.last_mut() {
            Some((last, all)) if *last == load => all.extend(values),
            _ => by_load.push((load, values.collect())),
        }
    }
    let point = |(load, mut values): (f64, Vec<f64>)| {
        stat::sort(&mut values);
        let at = |q| stat::quantile(&values, q);
        Some(Point { load, low: at(0.05)?, median: at(0.5)?, high: at(0.95)? })
    };
    by_load.into_iter().filter_map(point).collect()
}

/// The knee of every lane, from the rows so far; none for a lane without rows.
#[must_use]
pub fn knees(study: &Study, rows: &[Vec<f64>]) -> Vec<Option<Knee>> {
    (0..study.lanes().len()).map(|lane| knee(&points(study, rows, (lane, 1)))).collect()
}

fn knee(shares: &[Point]) -> Option<Knee> {
    let first = shares.iter().position(|point| point.median < ENOUGH);
    Some(match first {
        None => Knee::Beyond(shares.last()?.load),
        Some(0) => Knee::Below(shares.first()?.load),
        Some(at) => {
            let (before, after) = (shares[at - 1], shares[at]);
            let part = (before.median - ENOUGH) / (before.median - after.median);
            Knee::At(before.load + (after.load - before.load) * part)
        }
    })
}

/// Requests a second within both objectives, and their share, by load, from the rows so far.
#[must_use]
pub fn figures(study: &Study, rows: &[Vec<f64>]) -> [Figure; CHARTS] {
    let lanes = labels(study);
    let knees = knees(study, rows);
    let Load { field, digits } = load(study);
    let summary = summary(&lanes, &knees, field);
    let axis = || {
        let label = match field {
            "concurrency" => "axis.concurrency",
            "trace_speed" => "axis.speed",
            _ => "axis.rate",
        };
        let mut axis = Axis::exact(msg(label), 0.0, loads(study).last().copied().unwrap_or(1.0));
        axis.digits = axis.digits.max(if digits == 0 { 0 } else { 1 });
        axis
    };
    let series = |figure: usize, scale: f64| -> Vec<Series> {
        let one = |(lane, side): (usize, &Label)| {
            let points = points(study, rows, (lane, figure));
            let medians = points.iter().map(|p| (p.load, p.median * scale)).collect();
            let band = points.iter().map(|p| (p.low * scale, p.high * scale)).collect();
            Series { band, ..Series::line(side.name(), side.short(), side.style, medians) }
        };
        lanes.iter().enumerate().map(one).collect()
    };
    let rate = series(0, 1.0);
    let top = rate.iter().flat_map(|s| &s.band).map(|band| band.1).fold(1.0, f64::max);
    let pin = |(side, knee): (&Label, &Option<Knee>)| match knee {
        Some(Knee::At(x)) => {
            Some(Pin { x: *x, y: ENOUGH * 100.0, label: number(*x), style: side.style, answers: false })
        }
        _ => None,
    };
    let chart = |id, x, y, series| Figure {
        id,
        x,
        y,
        series,
        guides: Vec::new(),
        pins: Vec::new(),
        cursor: None,
        summary: summary.clone(),
    };
    let share = chart("share", axis(), Axis::new(msg("axis.share"), 0.0, 100.0), series(1, 100.0));
    [
        Figure {
            guides: vec![Guide { y: ENOUGH * 100.0, label: msg("guide.enough") }],
            pins: lanes.iter().zip(&knees).filter_map(pin).collect(),
            ..share
        },
        Figure {
            summary: seeds(rows),
            ..chart("goodput", axis(), Axis::new(msg("axis.goodput"), 0.0, top), rate)
        },
    ]
}

/// A load in as many digits as a sweep can tell: three.
fn number(load: f64) -> Msg {
    msg("knee.number").with("n", Arg::Fixed(load, if load < 10.0 { 2 } else { 1 }))
}

fn seeds(rows: &[Vec<f64>]) -> Msg {
    msg("figure.goodput.summary").with("n", rows.len()).with("of", ITEMS)
}

fn summary(lanes: &[Label], knees: &[Option<Knee>], field: &'static str) -> Msg {
    let one = |(side, knee): (&Label, &Option<Knee>)| {
        let (key, load) = match (*knee)? {
            Knee::Below(load) => ("knee.below", load),
            Knee::At(load) => ("knee.at", load),
            Knee::Beyond(load) => ("knee.beyond", load),
        };
        let unit = match field {
            "concurrency" => "knee.concurrency",
            "trace_speed" => "knee.speed",
            _ => "knee.rate",
        };
        let load = Arg::Msg(msg(unit).with("n", Arg::Msg(number(load))));
        Some(Arg::Msg(msg(key).with("rule", side.name()).with("load", load)))
    };
    let told: Vec<Arg> = lanes.iter().zip(knees).filter_map(one).collect();
    let knees =
        if told.is_empty() { msg("knee.none") } else { msg("knee.all").with("rules", Arg::List(told)) };
    msg("figure.share.summary").with("knees", Arg::Msg(knees))
}
