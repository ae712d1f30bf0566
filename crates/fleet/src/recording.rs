//! A finished run that can be looked at from any moment, and forked there.
//!
//! Snapshots are kept at a bounded number of events; any event is reached by replay from the
//! nearest one before it. The logs (ended requests, decisions) are kept once and cut to length.

use std::sync::Arc;

use crate::metrics::Outcome;
use crate::record::Decision;
use crate::scenario::{Problem, Scenario};
use crate::trace_file::Trace;
use crate::world::{End, Step, World};

/// Most snapshots. Twice as far apart from then on, so that a run of any length fits.
const MOST_SNAPSHOTS: usize = 128;
/// Events between the first snapshots.
const FIRST_INTERVAL: u64 = 64;

/// The state after some event, its logs cut off.
#[derive(Clone, Debug)]
struct Snapshot {
    event: u64,
    world: World,
    outcomes: usize,
    decisions: usize,
}

/// A recorded run.
#[derive(Clone, Debug)]
pub struct Recording {
    snapshots: Vec<Snapshot>,
    interval: u64,
    outcomes: Vec<Outcome>,
    decisions: Vec<Arc<Decision>>,
    /// The event of each decision.
    moments: Vec<u64>,
    events: u64,
    end: End,
    last: World,
}

impl Recording {
    /// Runs a scenario and records it.
    #[must_use]
    pub fn of(scenario: &Scenario, trace: Option<Trace>) -> Self {
        Self::from(World::new(scenario, trace))
    }

    /// Records a run that goes on from a world.
    #[must_use]
    pub fn from(mut world: World) -> Self {
        world.record();
        let start = world.events();
        let (mut snapshots, mut interval) = (vec![Snapshot::of(&mut world)], FIRST_INTERVAL);
        let mut moments = Vec::new();
        let end = loop {
            match world.step() {
                Step::Ended(end) => break end,
                Step::Did(_) => {
                    moments.resize(world.decisions().len(), world.events());
                    if (world.events() - start).is_multiple_of(interval) {
                        snapshots.push(Snapshot::of(&mut world));
                        if snapshots.len() == MOST_SNAPSHOTS {
                            interval *= 2;
                            let mut place = 0;
                            snapshots.retain(|_| {
                                place += 1;
                                place % 2 == 1
                            });
                        }
                    }
                }
            }
        };
        let (outcomes, decisions) = (world.outcomes().all().to_vec(), world.decisions().to_vec());
        let events = world.events();
        Self { snapshots, interval, outcomes, decisions, moments, events, end, last: world }
    }

    /// Events of the run.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// How the run ended.
    #[must_use]
    pub fn end(&self) -> End {
        self.end
    }

    /// The state after the last event.
    #[must_use]
    pub fn last(&self) -> &World {
        &self.last
    }

    /// Every decision, in order.
    #[must_use]
    pub fn decisions(&self) -> &[Arc<Decision>] {
        &self.decisions
    }

    /// The event at which a decision was made; the last event for a decision there is not.
    #[must_use]
    pub fn moment(&self, decision: usize) -> u64 {
        self.moments.get(decision).copied().unwrap_or(self.events)
    }

    /// Most events that a seek replays.
    #[must_use]
    pub fn interval(&self) -> u64 {
        self.interval
    }

    /// The state after an event; after the last one for a number behind it. What the world knows
    /// of requests and decisions ends there too.
    #[must_use]
    pub fn at(&self, event: u64) -> World {
        let after = self.snapshots.partition_point(|snapshot| snapshot.event <= event);
        // The first snapshot is at the first event that can be asked for.
        let snapshot = &self.snapshots[after.saturating_sub(1)];
        let mut world = snapshot.world.clone();
        world.attach(
            self.outcomes[..snapshot.outcomes].to_vec(),
            self.decisions[..snapshot.decisions].to_vec(),
        );
        while world.events() < event && matches!(world.step(), Step::Did(_)) {}
        world
    }

    /// The run as it goes on from an event under other settings of router, client, gateway, limits
    /// or objectives. Arrivals do not change by it.
    ///
    /// # Errors
    /// The section that cannot change in the middle of a run.
    pub fn fork(&self, event: u64, scenario: &Scenario) -> Result<Self, Problem> {
        let mut world = self.at(event);
        world.change_to(scenario)?;
        Ok(Self::from(world))
    }
}

impl Snapshot {
    fn of(world: &mut World) -> Self {
        let event = world.events();
        let (outcomes, decisions) = world.detach();
        let snapshot =
            Self { event, outcomes: outcomes.len(), decisions: decisions.len(), world: world.clone() };
        world.attach(outcomes, decisions);
        snapshot
    }
}
