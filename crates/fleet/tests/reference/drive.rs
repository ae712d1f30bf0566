//! Drives an engine through a scenario and writes down everything it says.

use tokenyard_fleet::engine::types::EngineEvent;
use tokenyard_fleet::time::Ps;

use super::Engine;
use super::histogram::in_buckets;
use super::scenario::{Answer, Op, Scenario};

/// Far more boundaries than any scenario has.
const ENDLESS: u32 = 1_000_000;

/// How an engine is driven. It must not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Nothing but the scenario.
    Plain,
    /// The state and the cache are read before every boundary and every call, and in between.
    Nosy,
}

/// What an engine said from one call to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// Events of the boundaries before the call, then those of the call.
    pub(crate) events: Vec<EngineEvent>,
    /// The answer to a question.
    pub(crate) answer: Option<Answer>,
}

/// Everything an engine said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// One for each call; then one for what happened after the last, answered by a look.
    pub(crate) steps: Vec<Step>,
    /// Gaps between tokens, by bucket.
    pub(crate) gaps: Vec<(u64, u64)>,
}

/// Drives an engine through a scenario. An engine whose clock runs backwards, or that comes to no
/// end, is an error.
pub(crate) fn drive<E: Engine>(engine: E, scenario: &Scenario, manner: Manner) -> Result<Trace, String> {
    let mut drive = Drive { engine, scenario, manner, now: 0, boundaries: 0 };
    let mut trace = Trace::default();
    for (at, op) in &scenario.ops {
        let mut step = Step::default();
        drive.boundaries_before(*at, &mut step.events)?;
        drive.pry(*at);
        step.answer = op.call(&mut drive.engine, *at, &mut step.events);
        drive.now = *at;
        trace.steps.push(step);
    }
    let mut last = Step::default();
    drive.boundaries_before(scenario.end.unwrap_or(Ps::MAX), &mut last.events)?;
    let end = scenario.end.unwrap_or(drive.now + 1);
    last.answer = Op::Look.call(&mut drive.engine, end, &mut last.events);
    trace.steps.push(last);
    trace.gaps = in_buckets(&drive.engine.gaps());
    Ok(trace)
}

struct Drive<'a, E> {
    engine: E,
    scenario: &'a Scenario,
    manner: Manner,
    /// The last boundary or call.
    now: Ps,
    boundaries: u32,
}

impl<E: Engine> Drive<'_, E> {
    fn boundaries_before(&mut self, at: Ps, out: &mut Vec<EngineEvent>) -> Result<(), String> {
        while let Some(next) = self.engine.next().filter(|next| *next < at) {
            if next < self.now {
                return Err(format!("the next boundary is at {next}, but it is {} already", self.now));
            }
            self.pry(next);
            let before = out.len();
            self.engine.run(out);
            if let Some(event) = out[before..].iter().find(|event| event.at != next) {
                return Err(format!("{event:?} came with the boundary at {next}"));
            }
            self.now = next;
            self.boundaries += 1;
            if self.boundaries > ENDLESS {
                return Err("it comes to no end".into());
            }
        }
        Ok(())
    }

    /// Reads half way to a time, and at it. What is read is thrown away.
    fn pry(&mut self, until: Ps) {
        if self.manner == Manner::Plain {
            return;
        }
        for at in [self.now + (until - self.now) / 2, until] {
            if at > self.now {
                self.engine.look(at);
                for (_, op) in &self.scenario.ops {
                    if let Op::Enqueue(sequence) = op {
                        self.engine.hits(at, &sequence.chain);
                    }
                }
            }
        }
    }
}
