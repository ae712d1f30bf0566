//! What is done to an engine, and what it answers.

use tokenyard_fleet::chain::Chain;
use tokenyard_fleet::engine::types::{EngineEvent, EngineSettings, Look, Sequence};
use tokenyard_fleet::time::Ps;

use super::Engine;

/// A call from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Enqueue(Sequence),
    Abort(u32),
    Fail,
    Speed(u32),
    Look,
    Hits(Chain),
}

/// What a question is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Look(Look),
    Hits(u32),
}

/// An engine and everything that is done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scenario {
    pub(crate) seed: u64,
    pub(crate) settings: EngineSettings,
    /// Calls, in order of time.
    pub(crate) ops: Vec<(Ps, Op)>,
    /// When to stop, work or not; none: when the engine is idle.
    pub(crate) end: Option<Ps>,
}

impl Op {
    /// Makes the call.
    pub(crate) fn call<E: Engine>(
        &self,
        engine: &mut E,
        at: Ps,
        out: &mut Vec<EngineEvent>,
    ) -> Option<Answer> {
        match self {
            Self::Enqueue(sequence) => engine.enqueue(at, sequence.clone(), out),
            Self::Abort(id) => engine.abort(at, *id, out),
            Self::Fail => engine.fail(at, out),
            Self::Speed(per_mille) => engine.set_speed(at, *per_mille),
            Self::Look => return Some(Answer::Look(engine.look(at))),
            Self::Hits(chain) => return Some(Answer::Hits(engine.hits(at, chain))),
        }
        None
    }
}

impl Scenario {
    /// A scenario that still fails and of which every call is needed, times as they are.
    pub(crate) fn smallest_that(mut self, fails: impl Fn(&Self) -> bool) -> Self {
        let mut place = self.ops.len();
        while place > 0 {
            place -= 1;
            let mut shorter = self.clone();
            shorter.ops.remove(place);
            if fails(&shorter) {
                // What was needed before may not be any more.
                place = shorter.ops.len();
                self = shorter;
            }
        }
        self
    }
}
