//! Closed forms: wait over utilisation, its inverse, Little's law.
//!
//! First come, first served: mean wait / mean service = (1 + CV²) / 2 · C / (k (1 − ρ)), where C
//! is Erlang's probability of waiting. With one slot C = ρ and this is the Pollaczek-Khinchine
//! formula, exact. With more slots it is the Allen-Cunneen approximation with Poisson arrivals,
//! exact at CV² = 1.
//!
//! Processor sharing: the extra time in the pool is C / (k (1 − ρ)) service times for *every*
//! distribution of service times (the discipline is insensitive); with one slot that is
//! ρ / (1 − ρ), so the mean stay is 1 / (1 − ρ). "Wait" means this extra time then: nobody
//! queues, everybody is slowed down.

use super::{Discipline, Params};
use tokenyard_det::Digest;

/// Most slots that [`Pool::ways`] considers.
const MOST_SLOTS: u32 = 4_096;

/// A pool of slots and its order of service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Customers served at full speed at the same time; 0 counts as 1.
    pub slots: u32,
    /// Order of service.
    pub discipline: Discipline,
}

/// Three ways to bring the mean wait down to a limit, each alone, all else unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ways {
    /// Mean wait now, in service times.
    pub wait: f64,
    /// Utilisation at which the wait meets the limit: send less, where this is under the
    /// utilisation now.
    pub utilisation: f64,
    /// Largest CV² with which the wait stays in the limit at the utilisation now. `None`: even
    /// constant service times wait too long, or the discipline does not care.
    pub cv2: Option<f64>,
    /// Fewest slots that keep the limit with the arrivals of now; at least the slots of now.
    /// `None`: more than 4 096.
    pub slots: Option<u32>,
}

/// Erlang's B: probability that all `slots` are busy when nobody may wait, at `load` offered
/// (arrivals times service time), by the recursion over slots, which loses no digits.
#[must_use]
pub fn erlang_b(slots: u32, load: f64) -> f64 {
    (1..=slots).fold(1.0, |b, n| load * b / (f64::from(n) + load * b))
}

/// Erlang's C: probability that an arrival must wait, at `utilisation` in 0..=1. It is the
/// utilisation itself with one slot, and 1 at full use. 0 slots count as 1.
#[must_use]
pub fn erlang_c(slots: u32, utilisation: f64) -> f64 {
    if slots <= 1 {
        return utilisation;
    }
    let b = erlang_b(slots, utilisation * f64::from(slots));
    b / (1.0 - utilisation * (1.0 - b))
}

/// Little's law: arrivals per second that keep `concurrency` requests inside when each stays
/// `seconds`. No time: infinite.
#[must_use]
pub fn little_capacity(concurrency: f64, seconds: f64) -> f64 {
    concurrency / seconds
}

impl Pool {
    /// The pool of a run.
    #[must_use]
    pub fn of(params: &Params) -> Self {
        Self { slots: params.slots.max(1), discipline: params.discipline }
    }

    /// Mean wait in mean service times; infinite from utilisation 1 on.
    #[must_use]
    pub fn wait(self, utilisation: f64, cv2: f64) -> f64 {
        if utilisation >= 1.0 {
            return f64::INFINITY;
        }
        self.spread(cv2) * self.wait_exponential(utilisation)
    }

    /// Utilisation at which the wait meets `limit` (above 0): the largest that keeps it.
    ///
    /// With one slot 2L / (2L + 1 + CV²), or L / (1 + L) under processor sharing; otherwise by
    /// bisection to the last bit.
    #[must_use]
    pub fn crossing(self, limit: f64, cv2: f64) -> f64 {
        if self.slots <= 1 {
            return limit / (limit + self.spread(cv2));
        }
        let (mut low, mut high) = (0.0, 1.0);
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return low;
            }
            if self.wait(middle, cv2) <= limit {
                low = middle;
            } else {
                high = middle;
            }
        }
    }

    /// Lower load, lower variance, more slots: what each alone must become.
    #[must_use]
    pub fn ways(self, utilisation: f64, cv2: f64, limit: f64) -> Ways {
        let load = utilisation * f64::from(self.slots.max(1));
        let enough =
            |slots: &u32| Self { slots: *slots, ..self }.wait(load / f64::from(*slots), cv2) <= limit;
        let largest = 2.0 * limit / self.wait_exponential(utilisation) - 1.0;
        let cares = self.discipline == Discipline::Fifo && largest >= 0.0;
        Ways {
            wait: self.wait(utilisation, cv2),
            utilisation: self.crossing(limit, cv2),
            cv2: cares.then_some(largest),
            slots: (self.slots.max(1)..=MOST_SLOTS).find(enough),
        }
    }

    /// Factor over the wait of exponential service times.
    fn spread(self, cv2: f64) -> f64 {
        match self.discipline {
            Discipline::Fifo => 0.5 * (1.0 + cv2),
            Discipline::ProcessorSharing => 1.0,
        }
    }

    /// Mean wait at CV² 1, below utilisation 1: exact for any number of slots.
    fn wait_exponential(self, utilisation: f64) -> f64 {
        let slots = self.slots.max(1);
        erlang_c(slots, utilisation) / (f64::from(slots) * (1.0 - utilisation))
    }
}

impl Ways {
    /// Feeds all four answers; NaN stands for none.
    pub fn digest(&self, digest: &mut Digest) {
        let slots = self.slots.map_or(f64::NAN, f64::from);
        let all = [self.wait, self.utilisation, self.cv2.unwrap_or(f64::NAN), slots];
        all.iter().for_each(|v| digest.f64(*v));
    }
}
