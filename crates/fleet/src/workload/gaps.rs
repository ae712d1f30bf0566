//! Times between the sessions of an open loop.

use tokenyard_det::Stream;

use crate::scenario::workload::{Arrivals, WorkloadSettings};
use crate::time::{Ps, from_s};

/// When the next session of an open loop starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gaps {
    stream: Stream,
    kind: Kind,
    /// Mean gap in seconds: between batches, where sessions come in batches.
    mean: f64,
    now: Ps,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Poisson,
    Gamma { shape: f64 },
    Batch { size: u32, left: u32 },
}

impl Gaps {
    /// Sessions of `calls` requests, so that requests come at `rate_rps` in the long run. None for
    /// arrivals that are no open loop.
    pub(super) fn new(seed: u64, settings: &WorkloadSettings, calls: u32) -> Option<Self> {
        let mean = f64::from(calls) / settings.rate_rps;
        let (kind, mean) = match settings.arrivals {
            Arrivals::Poisson => (Kind::Poisson, mean),
            Arrivals::Gamma => (Kind::Gamma { shape: settings.burstiness }, mean),
            Arrivals::Batch => {
                let size = settings.batch_size;
                (Kind::Batch { size, left: 0 }, mean * f64::from(size))
            }
            Arrivals::Closed | Arrivals::Trace => return None,
        };
        Some(Self { stream: Stream::new(seed, "arrivals", 0), kind, mean, now: 0 })
    }

    /// The next start; never before the one before it. Each gap is rounded half up once.
    pub(super) fn next(&mut self) -> Ps {
        let gap = match &mut self.kind {
            Kind::Poisson => self.stream.exponential(),
            // Shape b and scale 1/b: mean 1, coefficient of variation 1/√b.
            Kind::Gamma { shape } => self.stream.gamma(*shape) / *shape,
            Kind::Batch { left, .. } if *left > 0 => {
                *left -= 1;
                return self.now;
            }
            Kind::Batch { size, left } => {
                *left = *size - 1;
                self.stream.exponential()
            }
        };
        self.now = self.now.saturating_add(from_s(gap * self.mean));
        self.now
    }
}
