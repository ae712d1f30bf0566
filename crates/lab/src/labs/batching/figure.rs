//! The strip chart: output tokens so far, all three modes, the same cursor.

use tokenyard_models::batching::Run;

use super::{Trio, lanes, name, short, style};
use crate::figure::{Axis, Figure, Series};
use crate::msg::msg;

pub(super) fn tokens(trio: &Trio, step: u32) -> Figure {
    let series = lanes(trio.view).map(|mode| Series { answers: mode != trio.view, ..line(trio.of(mode)) });
    let seen = trio.in_view();
    Figure {
        id: "tokens",
        x: Axis::exact(msg("axis.iteration"), 0.0, f64::from(trio.length())),
        y: Axis::new(msg("axis.tokens"), 0.0, f64::from(seen.total_tokens)),
        series: series.into(),
        guides: Vec::new(),
        pins: Vec::new(),
        cursor: Some(f64::from(step + 1)),
        summary: msg("figure.tokens.summary")
            .with("mode", msg(name(trio.view)))
            .with("tokens", seen.total_tokens)
            .with("iterations", seen.iterations_to_drain)
            .with("zero", seen.zero_output_iterations),
    }
}

/// Tokens written by the end of each iteration, up to the one in which the run drains.
fn line(run: &Run) -> Series {
    let mut points = vec![(0.0, 0.0)];
    let mut sum = 0;
    for (i, iteration) in run.iterations.iter().enumerate() {
        sum += iteration.tokens;
        points.push((i as f64 + 1.0, f64::from(sum)));
    }
    Series::line(msg(name(run.mode)), msg(short(run.mode)), style(run.mode), points)
}
