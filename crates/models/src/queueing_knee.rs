//! How busy may a pool be: waiting time over utilisation, in closed form and simulated.
//!
//! Requests arrive at random times (Poisson) at a pool of `k` slots; the mean service time is
//! the unit of time. Utilisation is arrivals per service time and slot. How much the service
//! times vary is their squared coefficient of variation, CV². [`theory`] has the curves,
//! [`mod@points`] the simulated means with their bands, [`trace`] the first customers one by one.

mod params;
pub mod points;
mod serve;
pub mod service;
pub mod simulate;
mod streams;
pub mod student;
pub mod theory;
pub mod trace;

pub use params::{Discipline, PARAMS, Params};
pub use points::{GRID, Point, RUNS, points, simulate_run};
pub use trace::{Lane, Step, TRACED};

use tokenyard_det::Digest;

/// Number of curves: CV² 0, 1, 4 and the free one.
pub const CURVES: usize = 4;

/// Position of the free curve.
pub const FREE: usize = 3;

/// Utilisations at which a curve is drawn: 0, 0.005, …, 0.99.
const SAMPLES: u32 = 199;

/// One curve of wait over utilisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// CV² of the service times.
    pub cv2: f64,
    /// Utilisation and mean wait in service times, from 0 up to 0.99.
    pub samples: Vec<(f64, f64)>,
    /// Utilisation at which the mean wait meets the limit.
    pub crossing: f64,
    /// Mean wait at the chosen utilisation, in service times.
    pub wait: f64,
}

/// Everything the lab shows but the simulated points, which a worker brings later.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// CV² 0, 1, 4 and the free one.
    pub curves: [Curve; CURVES],
    /// Three ways to bring the free curve's wait to the limit, from the chosen utilisation.
    pub ways: theory::Ways,
    /// Little's law: requests per second that a pool can take.
    pub capacity: f64,
    /// The first customers at the chosen utilisation, one lane per curve, on common arrivals.
    pub lanes: [Lane; CURVES],
}

/// CV² of a curve; the free one comes from the parameters, and so does any index beyond it.
#[must_use]
pub fn curve_cv2(params: &Params, curve: usize) -> f64 {
    [0.0, 1.0, 4.0].get(curve).copied().unwrap_or(params.cv2)
}

/// Computes the curves, crossings and lanes. Cost: about 800 values of Erlang's formula.
#[must_use]
pub fn run(params: &Params) -> Run {
    let pool = theory::Pool::of(params);
    let curve = |index| {
        let cv2 = curve_cv2(params, index);
        let samples = (0..SAMPLES).map(|i| {
            let utilisation = f64::from(i) / 200.0;
            (utilisation, pool.wait(utilisation, cv2))
        });
        Curve {
            cv2,
            samples: samples.collect(),
            crossing: pool.crossing(params.limit, cv2),
            wait: pool.wait(params.utilisation, cv2),
        }
    };
    Run {
        curves: [0, 1, 2, FREE].map(curve),
        ways: pool.ways(params.utilisation, params.cv2, params.limit),
        capacity: theory::little_capacity(f64::from(params.little_concurrency), params.little_time),
        lanes: [0, 1, 2, FREE].map(|index| trace::lane(params, index)),
    }
}

impl Run {
    /// Feeds curves, ways, capacity and every traced customer.
    pub fn digest(&self, digest: &mut Digest) {
        for curve in &self.curves {
            [curve.cv2, curve.crossing, curve.wait].iter().for_each(|v| digest.f64(*v));
            digest.u64(curve.samples.len() as u64);
            for (utilisation, wait) in &curve.samples {
                digest.f64(*utilisation);
                digest.f64(*wait);
            }
        }
        self.ways.digest(digest);
        digest.f64(self.capacity);
        self.lanes.iter().for_each(|lane| lane.digest(digest));
    }
}
