//! Figures that show a symptom.

use tokenyard_fleet::metrics::{Report, Status};
use tokenyard_fleet::world::Step;
use tokenyard_fleet::{Scenario, World};

/// One figure of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Mean time to first token of served requests, in ms.
    TtftMean,
    /// Its 95th percentile, in ms.
    Ttft95,
    /// 95th percentile of the time per output token after the first, in ms.
    TpotP95,
    /// Mean time from the first admission to the first token, in ms.
    PrefillMean,
    /// Cached share of the prompt tokens of served requests, 0 to 1.
    HitRate,
    /// Share of served requests at the replica that served most, 0 to 1.
    LargestShare,
    /// Share of served requests at the replica that served fewest, 0 to 1.
    SmallestShare,
    /// Share of served requests at replica 0, 0 to 1.
    ShareAtFirst,
    /// Share of requests that were served, 0 to 1.
    Served,
    /// Largest number of requests that were at one replica at once.
    PeakOutstanding,
    /// Attempts a request.
    Amplification,
    /// Times that a breaker opened.
    BreakerOpens,
    /// Tokens computed again after preemptions.
    Recomputed,
    /// Mean of blocks that were cached at the chosen replica and not believed to be.
    UnseenBlocks,
}

impl Measure {
    /// Decimal digits that it is shown with, and whether it is a share (shown in per cent).
    #[must_use]
    pub fn shown(self) -> (u8, bool) {
        match self {
            Self::HitRate | Self::LargestShare | Self::SmallestShare | Self::ShareAtFirst | Self::Served => {
                (1, true)
            }
            Self::TpotP95 | Self::UnseenBlocks => (1, false),
            Self::Amplification => (2, false),
            _ => (0, false),
        }
    }

    /// Runs a scenario to its end. Cost: the run, and a look at every replica an event.
    pub(super) fn of_run(self, scenario: &Scenario) -> f64 {
        let mut world = World::new(scenario, None);
        if self == Self::UnseenBlocks {
            world.record();
        }
        let mut peak = 0;
        loop {
            let step = world.step();
            peak = world.outstanding().iter().copied().max().unwrap_or(0).max(peak);
            if let Step::Ended(_) = step {
                return self.of(&Report::of(&world), peak);
            }
        }
    }

    fn of(self, report: &Report, peak: u32) -> f64 {
        let served = report.assigned.iter().sum::<u64>();
        let share = |n: Option<u64>| n.map_or(0.0, |n| n as f64 / served.max(1) as f64);
        let assigned = || report.assigned.iter().copied();
        match self {
            Self::TtftMean => report.ttft.mean,
            Self::Ttft95 => report.ttft.p95,
            Self::TpotP95 => report.tpot.p95,
            Self::PrefillMean => report.prefill.mean,
            Self::HitRate => report.token_hit_rate,
            Self::LargestShare => share(assigned().max()),
            Self::SmallestShare => share(assigned().min()),
            Self::ShareAtFirst => share(assigned().next()),
            Self::Served => {
                let served = report.ended.get(&Status::Served).copied().unwrap_or(0);
                served as f64 / report.requests.max(1) as f64
            }
            Self::PeakOutstanding => f64::from(peak),
            Self::Amplification => report.amplification,
            Self::BreakerOpens => report.client[4] as f64,
            Self::Recomputed => report.recomputed_tokens as f64,
            Self::UnseenBlocks => report.regret.false_misses,
        }
    }
}
