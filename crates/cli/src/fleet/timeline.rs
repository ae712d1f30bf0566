//! Runs a scenario for the sake of one request: what was decided about it, and what became of it.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use tokenyard_fleet::metrics::{Outcome, Status};
use tokenyard_fleet::record::Decision;
use tokenyard_fleet::run::Progress as Reached;
use tokenyard_fleet::time::in_ms;
use tokenyard_fleet::trace_file::Trace;
use tokenyard_fleet::world::Step;
use tokenyard_fleet::{Ps, Scenario, World};

use super::figures;
use super::progress::{EVERY, Progress};

/// One request's story.
#[derive(Debug)]
pub(super) struct Story {
    /// When it arrived.
    pub(super) arrival: Ps,
    /// Every decision about it, in order: the first attempt, retries, hedges.
    pub(super) decisions: Vec<Arc<Decision>>,
    /// How it ended; none if the run was over before.
    pub(super) outcome: Option<Outcome>,
}

impl Story {
    /// Runs once up to the request's arrival, and again with records from there until it ends; only
    /// the decisions about it are kept. If there is no such request, the answer is
    /// how many there are.
    pub(super) fn of(
        scenario: &Scenario,
        trace: Option<&Trace>,
        number: u64,
        progress: Progress,
    ) -> Result<Self, u64> {
        let mut scout = World::new(scenario, trace.cloned());
        let mut event = 0;
        let over = |world: &mut World| world.arrived() > number;
        walk(&mut scout, progress, scenario, &mut event, over);
        if scout.arrived() <= number {
            progress.clear();
            return Err(scout.arrived());
        }
        let arrival = scout.now();
        drop(scout);
        let mut world = World::new(scenario, trace.cloned());
        walk(&mut world, progress, scenario, &mut 0, |world| world.events() == event);
        world.record();
        let mut seen = world.outcomes().all().len();
        let (mut decisions, mut outcome) = (Vec::new(), None);
        walk(&mut world, progress, scenario, &mut 0, |world| {
            let about = |decision: &Arc<Decision>| u64::from(decision.request) == number;
            decisions.extend(world.take_decisions().into_iter().filter(about));
            let new = &world.outcomes().all()[seen..];
            seen += new.len();
            outcome = new.iter().find(|o| u64::from(o.number) == number).copied();
            outcome.is_some()
        });
        progress.clear();
        Ok(Self { arrival, decisions, outcome })
    }

    /// Times from the start of the run and counts, in the order in which they happen.
    pub(super) fn json(&self) -> Json {
        let at = |since: Ps| in_ms(self.arrival + since);
        let ended = self.outcome.as_ref();
        let after = |since: Ps, happened: bool| happened.then(|| at(since));
        json!({
            "arrival_ms": in_ms(self.arrival),
            "routed_ms": self.decisions.iter().map(|d| in_ms(d.at)).collect::<Vec<f64>>(),
            // Whoever has a first token was admitted, also without a wait.
            "admitted_ms": ended.and_then(|o| after(o.queue, o.queue > 0 || o.status == Status::Served)),
            "first_token_ms": ended.and_then(|o| after(o.ttft, o.ttft > 0)),
            "end_ms": ended.map(|o| at(o.e2e)),
            "status": ended.map_or("not ended", |o| figures::status(o.status)),
            "replica": ended.and_then(|o| o.replica),
            "attempts": ended.map(|o| o.attempts),
            "prompt_tokens": ended.map(|o| o.prompt),
            "cached_tokens": ended.map(|o| o.cached),
            "output_tokens": ended.map(|o| o.output),
            "longest_gap_ms": ended.map(|o| in_ms(o.longest_gap)),
            "preemptions": ended.map(|o| o.preemptions),
            "recomputed_tokens": ended.map(|o| o.recomputed),
        })
    }
}

/// Steps until `over` says so before a step, or nothing is left. `event` is the number of events
/// before the last step.
fn walk(
    world: &mut World,
    progress: Progress,
    scenario: &Scenario,
    event: &mut u64,
    mut over: impl FnMut(&mut World) -> bool,
) {
    while !over(world) {
        *event = world.events();
        if let Step::Ended(_) = world.step() {
            return;
        }
        if world.events().is_multiple_of(EVERY) {
            let (events, ended, now) = (world.events(), world.outcomes().len(), world.now());
            progress.tell(scenario.router.rule.id, Reached { events, ended, now });
        }
    }
}
