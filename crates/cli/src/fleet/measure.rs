//! One run from beginning to end, and what is worth saying about it.

use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::presets::Preset;
use tokenyard_fleet::run::{Progress as Reached, run};
use tokenyard_fleet::trace_file::Trace;
use tokenyard_fleet::world::End;
use tokenyard_fleet::{Scenario, World};

use super::progress::{EVERY, Progress};
use crate::refusal::Refusal;

/// Most candidates of recorded decisions: about a gigabyte.
const MOST_CANDIDATES: u64 = 8_000_000;

/// One finished run.
#[derive(Debug)]
pub(super) struct Measured {
    /// Id of the rule.
    pub(super) rule: &'static str,
    /// Seed of the run.
    pub(super) seed: u64,
    /// Where its milliseconds come from.
    pub(super) preset: &'static Preset,
    /// How it ended.
    pub(super) end: End,
    /// The figures.
    pub(super) report: Report,
    /// Whether decisions were recorded, so that the report's regret means something.
    pub(super) regret: bool,
}

impl Measured {
    /// Runs a scenario. `regret` records every decision beside what fresh data would have chosen.
    pub(super) fn of(scenario: &Scenario, trace: Option<&Trace>, progress: Progress, regret: bool) -> Self {
        let mut world = World::new(scenario, trace.cloned());
        if regret {
            world.record();
        }
        let rule = scenario.router.rule.id;
        let end = loop {
            let ended = run(&mut world, EVERY, |reached| {
                progress.tell(rule, reached);
                true
            });
            if let Some(end) = ended {
                break end;
            }
        };
        let (events, ended, now) = (world.events(), world.outcomes().len(), world.now());
        progress.tell(rule, Reached { events, ended, now });
        progress.clear();
        let preset = scenario.fleet.preset;
        Self { rule, seed: scenario.seed, preset, end, report: Report::of(&world), regret }
    }

    /// Why the figures are of a part of the run, if they are.
    pub(super) fn cut(&self) -> Option<String> {
        let why = match self.end {
            End::Drained => return None,
            End::Events => "stopped at limits.events",
            End::Time => "stopped at limits.simulated_s",
            End::Stuck => "requests wait that nothing can ever serve",
        };
        let (rule, seed) = (self.rule, self.seed);
        Some(format!("{rule}, seed {seed}: {why}; the figures are of the requests that ended"))
    }
}

/// What everybody who reads a millisecond should know.
pub(super) fn disclaimer(preset: &Preset) -> String {
    let Preset { id, name, .. } = preset;
    let named = if id == name { String::new() } else { format!(" ({name})") };
    format!("milliseconds come from preset {id}{named}; TTFT was not validated against real servers")
}

/// Refuses `--regret` where the record would not fit into memory.
pub(super) fn check_regret(scenario: &Scenario, trace: Option<&Trace>) -> Result<(), Refusal> {
    let most = World::new(scenario, trace.cloned()).most_requests();
    let candidates = u64::from(most) * u64::from(scenario.fleet.replicas);
    if candidates <= MOST_CANDIDATES {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "--regret is given for {most} requests and {} replicas; allowed: at most {MOST_CANDIDATES} \
         candidates in all",
        scenario.fleet.replicas
    )))
}

/// The word for how a run ended.
pub(super) fn end(end: End) -> &'static str {
    match end {
        End::Drained => "drained",
        End::Events => "events",
        End::Time => "time",
        End::Stuck => "stuck",
    }
}
