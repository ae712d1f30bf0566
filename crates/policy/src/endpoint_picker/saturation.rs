//! Saturation detectors: how full a pool is. 1 and more is saturated.

/// `utilization-detector`, which is a filter too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utilization {
    /// Waiting requests that fill a replica, at least 1.
    pub queue_depth: u32,
    /// KV usage that fills it, above 0.
    pub kv_usage: f64,
    /// Share of both that the filter allows beyond; the detector does not read it.
    pub headroom: f64,
}

impl Utilization {
    /// Saturation of one replica, not held to 1; a replica without a fresh report counts as 1.
    #[must_use]
    pub fn of(&self, report: Option<(u32, f64)>) -> f64 {
        let Some((waiting, usage)) = report else { return 1.0 };
        (f64::from(waiting) / f64::from(self.queue_depth.max(1))).max(usage / self.kv_usage)
    }

    /// Saturation of a pool: the mean over replicas, 1 for none.
    #[must_use]
    pub fn saturation(&self, reports: impl ExactSizeIterator<Item = Option<(u32, f64)>>) -> f64 {
        let count = reports.len();
        if count == 0 {
            return 1.0;
        }
        reports.map(|report| self.of(report)).sum::<f64>() / count as f64
    }

    /// Whether the filter keeps a replica. Where it would keep none, it keeps all.
    #[must_use]
    pub fn keeps(&self, report: Option<(u32, f64)>) -> bool {
        let room = 1.0 + self.headroom;
        report.is_some_and(|(waiting, usage)| {
            f64::from(waiting) < f64::from(self.queue_depth) * room && usage < self.kv_usage * room
        })
    }
}

/// `concurrency-detector`: requests or tokens in flight, over as many times `most` as there are
/// replicas; 1 for none.
#[must_use]
pub fn concurrency(in_flight: impl ExactSizeIterator<Item = u64>, most: u64) -> f64 {
    let capacity = most.saturating_mul(in_flight.len() as u64);
    if capacity == 0 {
        return 1.0;
    }
    in_flight.fold(0_u64, u64::saturating_add) as f64 / capacity as f64
}
