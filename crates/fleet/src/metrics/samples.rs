//! Measurements over time, bounded whatever the run's length.

use tokenyard_det::stat;

use crate::time::{Ps, SECOND};

/// Most points of a series.
const MOST: usize = 2_048;

/// Attempts at each replica, and how unevenly active blocks are spread, every half second. When
/// the series would grow past its bound, every second point is dropped.
#[derive(Clone, Debug)]
pub struct Samples {
    replicas: usize,
    stride: u64,
    taken: u64,
    times: Vec<Ps>,
    outstanding: Vec<u32>,
    scratch: Vec<f64>,
    /// Sum of the coefficients of variation of active blocks over replicas, and how many there were.
    uneven: (f64, u64),
}

impl Samples {
    /// Time between two measurements.
    pub const EVERY: Ps = SECOND / 2;

    pub(crate) fn new(replicas: usize) -> Self {
        Self {
            replicas,
            stride: 1,
            taken: 0,
            times: Vec::new(),
            outstanding: Vec::new(),
            scratch: Vec::new(),
            uneven: (0.0, 0),
        }
    }

    pub(crate) fn take(&mut self, at: Ps, blocks: impl Iterator<Item = u32>, outstanding: &[u32]) {
        self.scratch.clear();
        self.scratch.extend(blocks.map(f64::from));
        if let Some(cv) = stat::cv(&self.scratch) {
            self.uneven = (self.uneven.0 + cv, self.uneven.1 + 1);
        }
        if self.taken.is_multiple_of(self.stride) {
            if self.times.len() == MOST {
                self.thin();
            }
            if self.taken.is_multiple_of(self.stride) {
                self.times.push(at);
                self.outstanding.extend_from_slice(outstanding);
            }
        }
        self.taken += 1;
    }

    /// Keeps every second point.
    fn thin(&mut self) {
        self.stride *= 2;
        let n = self.replicas;
        for i in 0..MOST / 2 {
            self.times[i] = self.times[2 * i];
            self.outstanding.copy_within(2 * i * n..(2 * i + 1) * n, i * n);
        }
        self.times.truncate(MOST / 2);
        self.outstanding.truncate(MOST / 2 * n);
    }

    /// Time and attempts at each replica, for each point.
    pub fn points(&self) -> impl Iterator<Item = (Ps, &[u32])> {
        let rows = self.outstanding.chunks_exact(self.replicas.max(1));
        self.times.iter().copied().zip(rows)
    }

    /// Mean coefficient of variation of active blocks over replicas, over the moments at which
    /// there were any; `None` without such a moment.
    #[must_use]
    pub fn block_cv(&self) -> Option<f64> {
        (self.uneven.1 > 0).then(|| self.uneven.0 / self.uneven.1 as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_evenly_spaced_points_and_every_cv() {
        let mut samples = Samples::new(2);
        for i in 0..50_000_u32 {
            let blocks = [i % 2, 2 * (i % 2)];
            samples.take(Ps::from(i), blocks.into_iter(), &[i, i + 1]);
        }
        let points: Vec<_> = samples.points().collect();
        assert!(points.len() <= MOST && points.len() >= MOST / 2, "{}", points.len());
        let step = points[1].0 - points[0].0;
        for (i, (at, outstanding)) in points.iter().enumerate() {
            assert_eq!(*at, i as Ps * step);
            assert_eq!(**outstanding, [*at as u32, *at as u32 + 1]);
        }
        let cv = samples.block_cv().unwrap();
        assert!((cv - 1.0 / 3.0).abs() < 1e-9, "{cv}");
        assert_eq!(samples.uneven.1, 25_000, "moments without active blocks do not count");
    }
}
