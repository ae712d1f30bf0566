//! One stream of draws for each (seed, curve, point, run, purpose).

use super::points::{GRID, RUNS};
use super::service::{Service, exponential};
use tokenyard_det::Mulberry32;

/// What one draw adds to the state of [`Mulberry32`].
const MULBERRY_STEP: u32 = 0x6D2B_79F5;

/// Draws between the starts of neighbouring streams of one seed; no run takes as many from one.
pub(super) const SPACING: u32 = 100_003;

/// What a stream is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Gaps between arrivals.
    Arrivals,
    /// Exponential parts of service times.
    Sizes,
    /// Short or long.
    Phases,
}

/// Number of purposes.
const PURPOSES: usize = 3;

/// A stream by its numbers.
///
/// Mulberry32 walks one cycle of 2^32 states by adding a constant. A seed picks a place on the
/// cycle through a mixing hash (a bijection, so different seeds start at different places); the
/// streams of that seed start [`SPACING`] draws apart from there, so no two of them share a
/// state. There are fewer than 2 000 of them, and the cycle has room for 42 000.
pub(super) fn stream(seed: u32, curve: usize, point: usize, run: usize, purpose: Purpose) -> Mulberry32 {
    // The traced lanes take the number after the last point, on curve 0, run 0.
    let number = ((curve * (GRID.len() + 1) + point) * RUNS + run) * PURPOSES + purpose as usize;
    let draws = SPACING.wrapping_mul(number as u32);
    Mulberry32::new(mix(seed).wrapping_add(MULBERRY_STEP.wrapping_mul(draws)))
}

/// The 32-bit finaliser of MurmurHash3: a bijection in which every input bit moves about half
/// of the output bits.
fn mix(seed: u32) -> u32 {
    let mut h = seed.wrapping_add(0x9E37_79B9);
    h = (h ^ (h >> 16)).wrapping_mul(0x85EB_CA6B);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

/// Customers of one run, one after the other.
pub(super) struct Source {
    arrivals: Mulberry32,
    sizes: Mulberry32,
    phases: Mulberry32,
    service: Service,
    mean_gap: f64,
    clock: f64,
}

/// A customer before it is served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// Time of arrival.
    pub(super) at: f64,
    /// Service time.
    pub(super) service: f64,
    /// Time from this arrival to the next.
    pub(super) gap: f64,
}

impl Source {
    /// The first customer arrives at time 0; later gaps are exponential with `mean_gap`.
    pub(super) fn new(place: (u32, usize, usize, usize), service: Service, mean_gap: f64) -> Self {
        let (seed, curve, point, run) = place;
        let stream = |purpose| stream(seed, curve, point, run, purpose);
        Self {
            arrivals: stream(Purpose::Arrivals),
            sizes: stream(Purpose::Sizes),
            phases: stream(Purpose::Phases),
            service,
            mean_gap,
            clock: 0.0,
        }
    }

    /// The next customer.
    pub(super) fn next(&mut self) -> Arrival {
        let gap = self.mean_gap * exponential(&mut self.arrivals);
        let at = self.clock;
        self.clock += gap;
        Arrival { at, service: self.service.draw(&mut self.sizes, &mut self.phases), gap }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_streams_of_a_seed_share_a_state() {
        // Position on the cycle: the state times the inverse of the step, modulo 2^32.
        let mut inverse = MULBERRY_STEP;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2_u32.wrapping_sub(MULBERRY_STEP.wrapping_mul(inverse)));
        }
        assert_eq!(inverse.wrapping_mul(MULBERRY_STEP), 1);
        for seed in [0, 1, 77, u32::MAX] {
            let mut starts = Vec::new();
            for curve in 0..super::super::CURVES {
                for point in 0..=GRID.len() {
                    for run in 0..RUNS {
                        for purpose in [Purpose::Arrivals, Purpose::Sizes, Purpose::Phases] {
                            let state = stream(seed, curve, point, run, purpose).state();
                            starts.push(state.wrapping_mul(inverse));
                        }
                    }
                }
            }
            starts.sort_unstable();
            let around = starts[0].wrapping_sub(starts[starts.len() - 1]);
            assert!(starts.windows(2).all(|w| w[1] - w[0] >= SPACING) && around >= SPACING);
        }
    }
}
