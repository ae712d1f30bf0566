//! The work of a study, cut into slices: a worker does one after another, and so does the page
//! where workers are refused.

use std::sync::Arc;

use tokenyard_fleet::scenario::Problem;
use tokenyard_fleet::trace_file::Trace;
use tokenyard_fleet::world::Step;
use tokenyard_fleet::{Scenario, World};

use crate::lane::pack;
use crate::setup::Study;
use crate::{LaneRun, columns};

/// Events of a slice: about a millisecond in a browser.
const SLICE: u32 = 512;

/// What a slice gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// So many requests of a lane have ended.
    Progress {
        /// Which lane.
        lane: u32,
        /// Ended so far, over all lanes.
        ended: u32,
    },
    /// A lane is done; see [`LaneRun::read`].
    Lane(Vec<f64>),
    /// One seed is done: the figures of all lanes, one after another.
    Seed(Vec<f64>),
    /// Nothing is left.
    Done,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Every lane, recorded.
    Lanes,
    /// Every lane without its decisions, for who wants figures only: several times faster.
    Bare,
    /// The summary alone, for so many seeds from the study's own on.
    Seeds(u32),
}

/// A study at work.
#[derive(Debug)]
pub struct Work {
    scenarios: Vec<Scenario>,
    trace: Option<Arc<Trace>>,
    ask: Ask,
    world: Option<World>,
    lane: usize,
    seed: u32,
    ended: u32,
    cells: Vec<f64>,
}

impl Work {
    /// Begins.
    ///
    /// # Errors
    /// What keeps the study from being run.
    pub fn new(study: &Study, trace: Option<Arc<Trace>>, ask: Ask) -> Result<Self, Vec<Problem>> {
        let scenarios = (0..study.lanes().len()).map(|lane| study.scenario(lane, trace.as_deref()));
        let scenarios = scenarios.collect::<Result<_, _>>()?;
        Ok(Self { scenarios, trace, ask, world: None, lane: 0, seed: 0, ended: 0, cells: Vec::new() })
    }

    /// Does one slice.
    pub fn slice(&mut self) -> Part {
        let Some(scenario) = self.scenarios.get(self.lane) else {
            return Part::Done;
        };
        let world = self.world.get_or_insert_with(|| {
            let mut scenario = scenario.clone();
            scenario.seed += u64::from(self.seed);
            let mut world = World::new(&scenario, self.trace.as_deref().cloned());
            // Seeds are compared by figures of which one is about what fresh data would have done.
            if self.ask != Ask::Bare {
                world.record();
            }
            world
        });
        for _ in 0..SLICE {
            if let Step::Ended(end) = world.step() {
                let row = pack(world, end);
                self.ended += world.outcomes().len();
                return self.finish(row);
            }
        }
        Part::Progress { lane: self.lane as u32, ended: self.ended + world.outcomes().len() }
    }

    fn finish(&mut self, row: Vec<f64>) -> Part {
        self.world = None;
        self.lane += 1;
        let Ask::Seeds(seeds) = self.ask else {
            return Part::Lane(row);
        };
        let cells = LaneRun::read(row).map_or_else(Vec::new, |run| run.cells().to_vec());
        self.cells.extend(cells);
        if self.lane < self.scenarios.len() {
            return Part::Progress { lane: self.lane as u32, ended: self.ended };
        }
        self.seed += 1;
        if self.seed < seeds {
            self.lane = 0;
        }
        debug_assert_eq!(self.cells.len(), self.scenarios.len() * columns::COLUMNS.len());
        Part::Seed(std::mem::take(&mut self.cells))
    }
}

/// Runs every lane to its end.
///
/// # Errors
/// What keeps the study from being run.
pub fn run(study: &Study, trace: Option<Trace>) -> Result<Vec<LaneRun>, Vec<Problem>> {
    let mut work = Work::new(study, trace.map(Arc::new), Ask::Lanes)?;
    let mut lanes = Vec::new();
    loop {
        match work.slice() {
            Part::Lane(row) => lanes.extend(LaneRun::read(row)),
            Part::Done => return Ok(lanes),
            Part::Progress { .. } | Part::Seed(_) => {}
        }
    }
}
