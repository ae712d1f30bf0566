//! The simulated points: 640 runs, one a work item.

use tokenyard_models::queueing_knee::points::{ALL_RUNS, place};
use tokenyard_models::queueing_knee::{Params, Point, points, simulate_run};

use super::{ORDER, answers, figure, name, short, style};
use crate::figure::{Series, Shape};
use crate::msg::msg;
use crate::spec::Setup;
use crate::sweep::Sweep;

/// Each item is one run of 20 000 customers; a point is drawn when its 20 runs are there.
pub(super) const SWEEP: Sweep = Sweep { items: ALL_RUNS as u32, item, figure: "knee", series };

/// The corrected mean wait of one run.
fn item(setup: &Setup, item: u32) -> Vec<f64> {
    let (curve, point, run) = place(item as usize);
    vec![simulate_run(&Params::from_values(&setup.values), curve, point, run)]
}

/// One series a curve: means with their joint bands, as far as they lie on the chart. Points
/// where waits are too rare for a band are left out.
fn series(setup: &Setup, rows: &[Vec<f64>]) -> Vec<Series> {
    let params = Params::from_values(&setup.values);
    let means: Vec<f64> = rows.iter().filter_map(|row| row.first().copied()).collect();
    let top = figure::top(&params);
    let all: Vec<Point> = points(&params, &means).into_iter().filter(|p| !p.rare && p.mean <= top).collect();
    let of = |curve: usize| {
        let mine: Vec<&Point> = all.iter().filter(|p| p.curve == curve).collect();
        let title = msg("series.simulated").with("variant", name(&params, curve));
        Series {
            shape: Shape::Points,
            band: mine.iter().map(|p| ((p.mean - p.half).max(0.0), p.mean + p.half)).collect(),
            answers: answers(&params, curve),
            ..Series::line(
                title,
                short(&params, curve),
                style(curve),
                mine.iter().map(|p| (p.utilisation, p.mean)).collect(),
            )
        }
    };
    ORDER.into_iter().map(of).filter(|s| !s.points.is_empty()).collect()
}
