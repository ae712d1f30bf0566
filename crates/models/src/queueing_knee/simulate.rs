//! One run of the pool, reduced to its mean wait.

use super::serve::{Served, serve};
use super::service::Service;
use super::streams::{Arrival, Source};
use super::{Discipline, Params, curve_cv2};

/// Customers before those that count: the pool starts empty and must fill.
pub const WARM_UP: usize = 2_000;

/// Customers whose wait counts.
pub const MEASURED: usize = 20_000;

/// Mean wait of one run in service times, as it is and corrected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunMean {
    /// Mean of the waits that were seen (under processor sharing: of the extra time).
    pub raw: f64,
    /// The same with some of the run's luck taken out by a control variate that knows the
    /// means of gaps and service times and nothing of their variance (see the source).
    pub corrected: f64,
}

/// A control variate: something with mean 0 that is large when the waits are.
///
/// Customer `i` finds a backlog, brings work `S` and is followed by a gap `A`. The pool loses
/// `S/k − A` more ground than it should by `X = S/k − A − E[S/k − A]`, and everybody behind waits
/// `X` longer until the backlog is gone, which takes about `backlog / (E[A] − E[S]/k)` customers.
/// So `X` times the number of *measured* customers in that stretch is about what the luck of
/// customer `i` adds to the sum of the waits. The number depends on the past alone and `X` is
/// independent of the past, so the product has mean 0 whatever the distributions, and
/// subtracting it leaves the mean of the estimate as it was.
///
/// Only the means 1 of the service times and 1/(ρk) of the gaps are taken as known, never their
/// variance, which is what the points test: a simulation with another CV² comes out elsewhere.
/// (Under processor sharing CV² sets the constant `height`; any constant leaves the mean alone.)
struct Control {
    slots: f64,
    /// E\[A\] − E\[S\]/k, positive.
    slack: f64,
    /// Waits added by one unit of work (in order: 1; sharing: customers per unit of work).
    height: f64,
    total: f64,
}

impl Control {
    fn add(&mut self, customer: &Served) {
        let Arrival { service, gap, .. } = customer.arrival;
        let next = (customer.index + 1) as f64;
        let reach = next + customer.backlog / (self.height * self.slack);
        let measured = reach.min((WARM_UP + MEASURED) as f64) - next.max(WARM_UP as f64);
        self.total += measured.max(0.0) * self.height * (service / self.slots - gap + self.slack);
    }
}

/// Simulates run `run` of a curve at a utilisation; `point` only picks the streams.
///
/// Cost: about a millisecond, two under processor sharing. The same arguments give the same
/// bits, in any order of calls.
#[must_use]
pub fn run_mean(params: &Params, curve: usize, point: usize, run: usize, utilisation: f64) -> RunMean {
    let cv2 = curve_cv2(params, curve);
    let slots = f64::from(params.slots.max(1));
    let mean_gap = 1.0 / (utilisation * slots);
    let source = Source::new((params.seed, curve, point, run), Service::with_cv2(cv2), mean_gap);
    let height = match params.discipline {
        Discipline::Fifo => 1.0,
        // A customer found in service has (1 + CV²)/2 left on average.
        Discipline::ProcessorSharing => 2.0 / (1.0 + cv2),
    };
    let mut control = Control { slots, slack: mean_gap - 1.0 / slots, height, total: 0.0 };
    let mut waits = 0.0;
    serve(params, source, WARM_UP + MEASURED, |customer| {
        control.add(customer);
        if customer.index >= WARM_UP {
            waits += customer.wait(params.discipline);
        }
    });
    let n = MEASURED as f64;
    RunMean { raw: waits / n, corrected: (waits - control.total) / n }
}
