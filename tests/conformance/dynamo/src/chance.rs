//! Pearson's test of counts against probabilities.

/// Upper limits of chi-square for 1 to 7 degrees of freedom that chance passes once in a million.
const LIMITS: [f64; 7] = [23.928, 27.631, 30.665, 33.377, 35.888, 38.258, 40.522];

/// A statistic and its degrees of freedom.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChiSquare {
    /// Sum over the cells of the squared deviation over the expectation.
    pub statistic: f64,
    /// Cells less one.
    pub freedom: usize,
}

impl ChiSquare {
    /// Of counts against probabilities in the same order. Cells that expect fewer than 5 are one
    /// cell together; if even that one expects fewer, it joins the largest.
    #[must_use]
    pub fn of(counts: &[u32], probabilities: &[f64]) -> Self {
        let total = f64::from(counts.iter().sum::<u32>());
        let all = counts.iter().zip(probabilities).map(|(n, p)| (f64::from(*n), p * total));
        let (mut cells, small): (Vec<_>, Vec<_>) = all.partition(|(_, expected)| *expected >= 5.0);
        let rest = small.iter().fold((0.0, 0.0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
        if rest.1 >= 5.0 {
            cells.push(rest);
        } else if let Some(largest) = cells.iter_mut().max_by(|a, b| a.1.total_cmp(&b.1)) {
            *largest = (largest.0 + rest.0, largest.1 + rest.1);
        }
        let statistic = cells.iter().map(|(n, expected)| (n - expected) * (n - expected) / expected).sum();
        Self { statistic, freedom: cells.len().saturating_sub(1) }
    }

    /// Whether chance gets this far more often than once in a million. One cell always fits.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.freedom == 0 || LIMITS.get(self.freedom - 1).is_some_and(|limit| self.statistic < *limit)
    }

    /// Adds an independent statistic.
    pub fn add(&mut self, other: Self) {
        self.statistic += other.statistic;
        self.freedom += other.freedom;
    }

    /// Deviations from the mean in standard deviations; near a normal one where there is much freedom.
    #[must_use]
    pub fn score(&self) -> f64 {
        let freedom = self.freedom as f64;
        (self.statistic - freedom) / (2.0 * freedom).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fair_coin_fits_and_a_bent_one_does_not() {
        let half = [0.5, 0.5];
        assert_eq!(ChiSquare::of(&[60, 40], &half), ChiSquare { statistic: 4.0, freedom: 1 });
        assert!(ChiSquare::of(&[5_100, 4_900], &half).fits());
        assert!(!ChiSquare::of(&[5_500, 4_500], &half).fits());
    }

    #[test]
    fn rare_cells_are_one_cell() {
        let pooled = ChiSquare::of(&[90, 4, 6], &[0.9, 0.04, 0.06]);
        assert_eq!(pooled.freedom, 1);
        let joined = ChiSquare::of(&[97, 3, 0], &[0.97, 0.02, 0.01]);
        assert_eq!(joined, ChiSquare { statistic: 0.0, freedom: 0 });
        assert!(joined.fits());
    }
}
