//! One worker's share of a sweep, cut into slices.

use std::sync::Arc;

use tokenyard_fleet::metrics::Report;
use tokenyard_fleet::scenario::Problem;
use tokenyard_fleet::trace_file::Trace;
use tokenyard_fleet::world::Step;
use tokenyard_fleet::{Scenario, World};

use super::{ITEMS, LOADS, at_load, item, loads};
use crate::setup::Study;

/// Events of a slice: about a millisecond in a browser, as nothing is recorded.
const SLICE: u32 = 1_024;

/// What a slice gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A run goes on.
    Progress,
    /// An item is done: its number, then [`super::FIGURES`] numbers for each lane.
    Item(Vec<f64>),
    /// Nothing is left of this share.
    Done,
}

/// A share of a sweep at work.
#[derive(Debug)]
pub struct Sweep {
    /// Lane by lane, load by load.
    scenarios: Vec<Vec<Scenario>>,
    trace: Option<Arc<Trace>>,
    world: Option<World>,
    lane: usize,
    item: u32,
    /// Items from one of this share to the next.
    step: u32,
    row: Vec<f64>,
}

impl Sweep {
    /// Begins the share `(which, of)` of a study's sweep: every `of`-th item, from item `which` on.
    ///
    /// # Errors
    /// What keeps the study from being run at one of the loads.
    pub fn new(study: &Study, trace: Option<Arc<Trace>>, share: (u32, u32)) -> Result<Self, Vec<Problem>> {
        let at = |load: f64| {
            let study = at_load(study, load);
            let lanes = (0..study.lanes().len()).map(|lane| study.draft(lane).build(trace.as_deref()));
            lanes.collect::<Result<Vec<_>, _>>()
        };
        let scenarios = loads(study).into_iter().map(at).collect::<Result<Vec<_>, _>>()?;
        let (item, step) = (share.0, share.1.max(1));
        Ok(Self { scenarios, trace, world: None, lane: 0, item, step, row: Vec::new() })
    }

    /// Does one slice.
    pub fn slice(&mut self) -> Part {
        if self.item >= ITEMS {
            return Part::Done;
        }
        let (load, seed) = item(self.item);
        let lanes = &self.scenarios[load as usize % LOADS as usize];
        let Some(scenario) = lanes.get(self.lane) else {
            return self.next();
        };
        let world = self.world.get_or_insert_with(|| {
            let mut scenario = scenario.clone();
            scenario.seed += u64::from(seed);
            World::new(&scenario, self.trace.as_deref().cloned())
        });
        for _ in 0..SLICE {
            if let Step::Ended(_) = world.step() {
                let report = Report::of(world);
                self.row.extend([report.goodput_rps, report.slo_attainment]);
                self.world = None;
                self.lane += 1;
                return if self.lane < lanes.len() { Part::Progress } else { self.next() };
            }
        }
        Part::Progress
    }

    fn next(&mut self) -> Part {
        let row = std::iter::once(f64::from(self.item)).chain(self.row.drain(..)).collect();
        self.lane = 0;
        self.item += self.step;
        Part::Item(row)
    }
}
