//! "Is it luck?": one seed against 200.

use tokenyard_det::stat;

use crate::spec::{LabSpec, Setup};

/// How many seeds the panel compares with, from the lab's base seed on.
pub const SEEDS: u32 = 200;

/// The summary table of one seed, row by row: a sample. Cost: one table.
#[must_use]
pub fn sample(lab: &LabSpec, setup: &Setup, seed: u32) -> Vec<f64> {
    let table = lab.table(&setup.clone().with_seed(seed));
    table.rows.into_iter().flat_map(|r| r.cells).collect()
}

/// One figure of one row over many seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// 5th percentile.
    pub low: f64,
    /// Median.
    pub median: f64,
    /// 95th percentile.
    pub high: f64,
    /// Smallest.
    pub least: f64,
    /// Largest.
    pub most: f64,
    /// Where the present run lies among the seeds, 0 to 1, ties counting half.
    pub rank: f64,
}

/// The spread of the figure at `at` of every sample; `None` without samples.
#[must_use]
pub fn spread(samples: &[Vec<f64>], at: usize, present: f64) -> Option<Spread> {
    let mut values: Vec<f64> = samples.iter().filter_map(|s| s.get(at).copied()).collect();
    stat::sort(&mut values);
    Some(Spread {
        low: stat::quantile(&values, 0.05)?,
        median: stat::quantile(&values, 0.5)?,
        high: stat::quantile(&values, 0.95)?,
        least: *values.first()?,
        most: *values.last()?,
        rank: stat::rank(&values, present)?,
    })
}

impl Spread {
    /// Whether a run at this rank is one that should not be shown as typical: outside the
    /// middle 80 percent of the seeds.
    #[must_use]
    pub fn untypical(&self) -> bool {
        !(0.1..=0.9).contains(&self.rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_ranks_the_present_run() {
        let samples: Vec<Vec<f64>> = (0..101).map(|i| vec![f64::from(i)]).collect();
        let s = spread(&samples, 0, 96.0).unwrap();
        assert_eq!((s.low, s.median, s.high), (5.0, 50.0, 95.0));
        assert!(s.untypical());
        assert!(!spread(&samples, 0, 50.0).unwrap().untypical());
        assert_eq!(spread(&[], 0, 1.0), None);
        assert_eq!(spread(&samples, 5, 1.0), None);
    }
}
