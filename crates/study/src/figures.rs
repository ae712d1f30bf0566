//! The charts of a study: lines over time, one for each lane.

use tokenyard_lab::{Arg, Axis, Figure, Guide, Msg, Series, msg};

use crate::lane::LaneRun;
use crate::run::{Side, StudyRun};

/// Most points of a series: more than a chart has pixels for is not drawn.
const MOST_POINTS: usize = 400;
/// Stretches of a run over which the time to first token is summed up.
const STRETCHES: usize = 40;

/// All charts, without a cursor. Cost: every decision and every request of every lane.
pub(crate) fn all(run: &StudyRun) -> Vec<Figure> {
    let charts = [
        ("busiest", msg("axis.busiest"), busiest as fn(&LaneRun) -> Vec<(f64, f64)>),
        ("ttft", msg("axis.ttft"), first_tokens),
        ("cached", msg("axis.cached"), cached),
    ];
    charts.into_iter().map(|(id, label, of)| figure(run, (id, label), of)).collect()
}

fn figure(run: &StudyRun, (id, label): (&'static str, Msg), of: fn(&LaneRun) -> Vec<(f64, f64)>) -> Figure {
    let line = |side: &Side| Series::line(side.name(), side.short(), side.style, of(&side.run));
    let series: Vec<Series> = run.sides.iter().map(line).collect();
    let ends = series.iter().filter_map(|s| s.points.last()).map(|p| p.0);
    let last = ends.fold(0.0, f64::max);
    let objective = if id == "ttft" { run.slo_ttft_ms } else { 0.0 };
    let top = series.iter().flat_map(|s| &s.points).map(|p| p.1).fold(objective, f64::max);
    // The objective's words need room under the top.
    let top = if top == objective { top * 1.2 } else { top };
    let summary = summary(run, id, &series);
    let guides =
        if id == "ttft" { vec![Guide { y: run.slo_ttft_ms, label: msg("guide.slo") }] } else { Vec::new() };
    Figure {
        id,
        x: Axis::exact(msg("axis.time"), 0.0, last),
        y: Axis::new(label, 0.0, if id == "cached" { 100.0 } else { top }),
        series,
        guides,
        pins: Vec::new(),
        cursor: None,
        summary,
    }
}

/// The lane with the highest and the one with the lowest peak, or end for what only grows.
fn summary(run: &StudyRun, id: &str, series: &[Series]) -> Msg {
    let key = match id {
        "busiest" => "figure.busiest.summary",
        "ttft" => "figure.ttft.summary",
        _ => "figure.cached.summary",
    };
    let value = |s: &Series| match id {
        "cached" => s.points.last().map_or(0.0, |p| p.1),
        _ => s.points.iter().map(|p| p.1).fold(0.0, f64::max),
    };
    let (mut most, mut least) = ((0, f64::NEG_INFINITY), (0, f64::INFINITY));
    for (i, v) in series.iter().map(value).enumerate() {
        if v > most.1 {
            most = (i, v);
        }
        if v < least.1 {
            least = (i, v);
        }
    }
    let name = |i: usize| run.sides.get(i).map_or(msg("say.nothing"), Side::name);
    let figure = |v: f64| Arg::Fixed(if v.is_finite() { v } else { 0.0 }, 0);
    msg(key)
        .with("most", name(most.0))
        .with("high", figure(most.1))
        .with("least", name(least.0))
        .with("low", figure(least.1))
}

/// Requests at the busiest candidate at each decision; of neighbours the highest stays.
fn busiest(run: &LaneRun) -> Vec<(f64, f64)> {
    let all = (0..run.decisions()).filter_map(|i| run.decision(i));
    let all: Vec<(f64, f64)> = all.map(|c| (c.at_ms / 1e3, f64::from(c.busiest()))).collect();
    let each = all.len().div_ceil(MOST_POINTS).max(1);
    let highest = |points: &[(f64, f64)]| points.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
    all.chunks(each).filter_map(highest).collect()
}

/// P95 of the time to first token of the requests that arrived in each stretch of the run.
fn first_tokens(run: &LaneRun) -> Vec<(f64, f64)> {
    let answers = (0..run.requests()).filter_map(|n| run.answer(n));
    let mut all: Vec<(f64, f64)> =
        answers.filter(|a| a.ending == Some(0)).map(|a| (a.arrival_ms / 1e3, a.ttft_ms)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let each = all.len().div_ceil(STRETCHES).max(1);
    let point = |part: &[(f64, f64)]| {
        let mut times: Vec<f64> = part.iter().map(|p| p.1).collect();
        tokenyard_det::stat::sort(&mut times);
        Some((part.last()?.0, tokenyard_det::stat::quantile(&times, 0.95)?))
    };
    all.chunks(each).filter_map(point).collect()
}

/// Share of all prompt tokens so far that were found in a cache, in percent, by arrival.
fn cached(run: &LaneRun) -> Vec<(f64, f64)> {
    let answers = (0..run.requests()).filter_map(|n| run.answer(n)).filter(|a| a.ending == Some(0));
    let (mut hits, mut tokens) = (0_u64, 0_u64);
    let mut all = Vec::new();
    for answer in answers {
        hits += u64::from(answer.cached);
        tokens += u64::from(answer.prompt);
        all.push((answer.arrival_ms / 1e3, hits as f64 / tokens.max(1) as f64 * 100.0));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let each = all.len().div_ceil(MOST_POINTS).max(1);
    all.chunks(each).filter_map(|part| part.last().copied()).collect()
}
