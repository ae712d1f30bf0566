//! Simulated points: the mean of independent runs, with a band from their spread.

use super::simulate::{RunMean, run_mean};
use super::theory::Pool;
use super::{CURVES, Params, curve_cv2, student};
use tokenyard_det::{Digest, stat};

/// Utilisations at which curves are simulated.
///
/// They end at 0.9: beyond it the pool takes longer to fill than the warm-up lasts (at CV² 4 the
/// time constant is about 900 service times at 0.9 and four times that at 0.95), and a point
/// would be low for that reason alone.
pub const GRID: [f64; 8] = [0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9];

/// Independent runs behind one point.
pub const RUNS: usize = 20;

/// Probability that at least one band of a whole set of points misses its true mean.
pub const JOINT_TAIL: f64 = 0.001;

/// One simulated point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Number of the curve.
    pub curve: usize,
    /// Utilisation.
    pub utilisation: f64,
    /// Mean wait over the runs, in service times.
    pub mean: f64,
    /// Half the width of the band: `mean ± half` holds the true means of all points of a set
    /// with probability 99.9%.
    pub half: f64,
    /// The closed form at the same utilisation.
    pub closed_form: f64,
    /// In some run nobody waited at all: waits are too rare for the spread of the runs to give a
    /// band, and `half` says nothing. Happens with many slots at low load.
    pub rare: bool,
}

impl Point {
    /// Whether a mean wait lies in the band.
    #[must_use]
    pub fn holds(&self, wait: f64) -> bool {
        (self.mean - wait).abs() <= self.half
    }
}

/// Corrected mean wait of one run (see [`RunMean::corrected`]); `point` indexes [`GRID`].
/// Indices beyond the last curve, point or run count as the last.
#[must_use]
pub fn simulate_run(params: &Params, curve: usize, point: usize, run: usize) -> f64 {
    simulate_both(params, curve, point, run).corrected
}

/// As [`simulate_run`], with the uncorrected mean beside it.
#[must_use]
pub fn simulate_both(params: &Params, curve: usize, point: usize, run: usize) -> RunMean {
    let (curve, point, run) = (curve.min(CURVES - 1), point.min(GRID.len() - 1), run.min(RUNS - 1));
    run_mean(params, curve, point, run, GRID[point])
}

/// Number of runs behind all points.
pub const ALL_RUNS: usize = CURVES * GRID.len() * RUNS;

/// Curve, point and run of a position in the order in which [`points`] wants the means: runs of
/// a point together, points of a curve together.
#[must_use]
pub fn place(position: usize) -> (usize, usize, usize) {
    let point = position / RUNS;
    (point / GRID.len() % CURVES, point % GRID.len(), position % RUNS)
}

/// Assembles points from the means of runs, in the order of [`place`]. Points whose runs are
/// not all there yet are left out, so a worker's progress can be drawn.
///
/// Bands: Student's t with 19 degrees of freedom, at 99.9% for all points together (Bonferroni
/// over the full number of points, also while some are missing). With one slot and under
/// processor sharing the closed form is exact and lies in the bands; with more slots in order of
/// arrival it is an approximation except at CV² 1, and the points show by how much it is off.
#[must_use]
pub fn points(params: &Params, means: &[f64]) -> Vec<Point> {
    let tail = JOINT_TAIL / (CURVES * GRID.len()) as f64;
    let t = student::two_sided_quantile(tail, RUNS as u32 - 1);
    let pool = Pool::of(params);
    let point = |(number, runs): (usize, &[f64])| {
        let (curve, at, _) = place(number * RUNS);
        let mean = stat::sum(runs) / RUNS as f64;
        let squares = runs.iter().fold(0.0, |total, x| total + (x - mean) * (x - mean));
        let error = (squares / (RUNS * (RUNS - 1)) as f64).sqrt();
        let closed_form = pool.wait(GRID[at], curve_cv2(params, curve));
        let rare = runs.contains(&0.0);
        Point { curve, utilisation: GRID[at], mean, half: t * error, closed_form, rare }
    };
    means.chunks_exact(RUNS).take(CURVES * GRID.len()).enumerate().map(point).collect()
}

/// All points at once. Cost: [`ALL_RUNS`] runs, about a second.
#[must_use]
pub fn all_points(params: &Params) -> Vec<Point> {
    let mean = |position| {
        let (curve, point, run) = place(position);
        simulate_run(params, curve, point, run)
    };
    points(params, &(0..ALL_RUNS).map(mean).collect::<Vec<f64>>())
}

/// Feeds points in order.
pub fn digest_points(points: &[Point], digest: &mut Digest) {
    digest.u64(points.len() as u64);
    for p in points {
        digest.u64(p.curve as u64);
        [p.utilisation, p.mean, p.half, p.closed_form].iter().for_each(|v| digest.f64(*v));
        digest.u32(u32::from(p.rare));
    }
}
