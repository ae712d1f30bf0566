//! The strip charts: the fullest replica and the time to first token, by arrival.

use tokenyard_models::routing_lab::Run;

use super::{Race, fleet, name, short, style};
use crate::figure::{Axis, Figure, Guide, Series};
use crate::msg::{Msg, msg};

/// Outstanding requests of the fullest replica at each arrival.
pub(super) fn fullest(race: &Race, step: u32) -> Figure {
    let heights: Vec<Vec<u32>> = race.lanes.iter().map(fleet::fullest).collect();
    let peak = |lane: &[u32]| lane.iter().max().copied().unwrap_or(0);
    let series = race.lanes.iter().zip(&heights).enumerate().map(|(lane, (run, heights))| {
        let points = heights.iter().enumerate().map(|(i, h)| (i as f64 + 1.0, f64::from(*h)));
        line(run, lane, points.collect())
    });
    let top = heights.iter().map(|h| peak(h)).max().unwrap_or(0);
    let summary = msg("figure.fullest.summary")
        .with("a", msg(name(race.lanes[0].rule)))
        .with("peak", peak(&heights[0]));
    figure(race, step, "fullest", series.collect(), (msg("axis.fullest"), f64::from(top), summary))
}

/// Time to first token of each request; none for a request that a cut run left without one.
pub(super) fn ttft(race: &Race, step: u32) -> Figure {
    let times = |run: &Run| -> Vec<(f64, f64)> {
        let all = run.requests().iter().enumerate();
        all.filter_map(|(i, r)| Some((i as f64 + 1.0, f64::from(r.ttft?)))).collect()
    };
    let series: Vec<Series> =
        race.lanes.iter().enumerate().map(|(lane, run)| line(run, lane, times(run))).collect();
    let slo = f64::from(race.params.ttft_slo);
    let top = series.iter().flat_map(|s| &s.points).map(|p| p.1).fold(slo, f64::max);
    let first = race.lanes[0].requests().iter().filter_map(|r| r.ttft);
    let late = first.clone().filter(|t| *t > race.params.ttft_slo).count();
    let summary = msg("figure.ttft.summary")
        .with("a", msg(name(race.lanes[0].rule)))
        .with("late", late)
        .with("n", first.clone().count())
        .with("slo", race.params.ttft_slo)
        .with("longest", first.max().unwrap_or(0));
    let mut figure = figure(race, step, "ttft", series, (msg("axis.ttft"), top, summary));
    figure.guides.push(Guide { y: slo, label: msg("guide.slo") });
    figure
}

fn line(run: &Run, lane: usize, points: Vec<(f64, f64)>) -> Series {
    let (title, label) = (msg(name(run.rule)), msg(short(run.rule)));
    Series { answers: lane > 0, ..Series::line(title, label, style(run.rule), points) }
}

fn figure(
    race: &Race,
    step: u32,
    id: &'static str,
    series: Vec<Series>,
    (label, top, summary): (Msg, f64, Msg),
) -> Figure {
    let last = race.lanes[0].decisions().len() as f64;
    Figure {
        id,
        x: Axis::exact(msg("axis.arrival"), 1.0, last),
        y: Axis::new(label, 0.0, top),
        series,
        guides: Vec::new(),
        pins: Vec::new(),
        cursor: Some(f64::from(step + 1)),
        summary,
    }
}
