//! The strip chart: skew over time, both lanes, the same cursor.

use tokenyard_models::herding::Run;

use super::{Duel, name, short, style};
use crate::figure::{Axis, Figure, Guide, Series};
use crate::msg::msg;

pub(super) fn skew(duel: &Duel, step: u32) -> Figure {
    let mut series = vec![line(&duel.lanes[0], false), line(&duel.lanes[1], false)];
    series[1].answers = true;
    for (i, ghost) in duel.ghosts.iter().flatten().enumerate() {
        let mut pale = line(ghost, true);
        pale.answers = i > 0;
        series.push(pale);
    }
    let p = &duel.lanes[0].params;
    // An estimate, not a bound: it is drawn beside the data so that nobody takes it for one.
    let guide = p.arrivals_per_tick * p.scrape_interval.min(p.service_ticks);
    let top = series.iter().flat_map(|s| s.points.iter().map(|q| q.1)).fold(f64::from(guide), f64::max);
    let peak = |run: &Run| run.ticks.iter().map(|t| t.skew).max().unwrap_or(0);
    Figure {
        id: "skew",
        x: Axis::exact(msg("axis.tick"), 1.0, f64::from(p.horizon)),
        y: Axis::new(msg("axis.skew"), 0.0, top),
        series,
        guides: vec![Guide { y: f64::from(guide), label: msg("guide.amplitude") }],
        pins: Vec::new(),
        cursor: Some(f64::from(step + 1)),
        summary: msg("figure.skew.summary")
            .with("a", msg(name(duel.lanes[0].rule)))
            .with("peak", peak(&duel.lanes[0]))
            .with("interval", p.scrape_interval),
    }
}

fn line(run: &Run, ghost: bool) -> Series {
    let points = run.ticks.iter().enumerate().map(|(t, tick)| (t as f64 + 1.0, f64::from(tick.skew)));
    let (title, label) = (msg(name(run.rule)), msg(short(run.rule)));
    Series { ghost, ..Series::line(title, label, style(run.rule), points.collect()) }
}
