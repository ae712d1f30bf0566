//! The engine, written once more and as plainly as possible from `docs/design/fleet.md`, sections
//! 2 and 3: one boundary after the other, every sequence a struct, every cached block an entry.
//!
//! It shares `chain`, `time`, `engine::types` and `engine::cost` with the engine proper and
//! nothing else (`tests/fence.rs`). Beside it live the scenarios that both engines are driven
//! through, and the faults that the comparison has to notice.

pub(crate) mod admission;
pub(crate) mod boundary;
pub(crate) mod cache;
pub(crate) mod calls;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod dice;
pub(crate) mod drive;
pub(crate) mod generate;
pub(crate) mod histogram;
pub(crate) mod member;
pub(crate) mod mutation;
pub(crate) mod prompts;
pub(crate) mod scenario;
pub(crate) mod settings;

mod cache_cases;
mod laws;
mod timelines;
mod timelines_cache;
mod timelines_calls;

use tokenyard_fleet::chain::Chain;
use tokenyard_fleet::engine::types::{EngineEvent, EngineSettings, Look, Sequence};
use tokenyard_fleet::time::Ps;

pub(crate) use calls::Reference;
pub(crate) use mutation::Mutation;

/// What a driver asks of an engine. Calls come in order of time; before a call at `at` the driver
/// has handled every boundary with `next() < at`, so at one instant calls come before boundaries.
pub(crate) trait Engine {
    /// An idle engine at full speed with an empty cache.
    fn new(settings: &EngineSettings) -> Self;
    /// A sequence arrives.
    fn enqueue(&mut self, at: Ps, sequence: Sequence, out: &mut Vec<EngineEvent>);
    /// Whoever sent the sequence no longer wants it. An unknown id does nothing.
    fn abort(&mut self, at: Ps, id: u32, out: &mut Vec<EngineEvent>);
    /// Everything inside is lost, and the cache with it.
    fn fail(&mut self, at: Ps, out: &mut Vec<EngineEvent>);
    /// The speed from the next iteration on, in per mille of full speed.
    fn set_speed(&mut self, at: Ps, per_mille: u32);
    /// The next boundary at which something may happen; none if the engine is idle.
    fn next(&self) -> Option<Ps>;
    /// Handles the boundary at `next()`; does nothing if there is none.
    fn run(&mut self, out: &mut Vec<EngineEvent>);
    /// The state after the last boundary before `at` and after all calls so far. An engine that
    /// advances in closed form catches up inside.
    fn look(&mut self, at: Ps) -> Look;
    /// How many leading blocks of `chain` are in the cache, as of `at` in the sense of `look`.
    fn hits(&mut self, at: Ps, chain: &Chain) -> u32;
    /// Every gap between two tokens of one sequence, and how often it occurred, sorted. An engine
    /// that keeps a histogram returns `histogram::smallest` of each bucket that is not empty.
    fn gaps(&self) -> Vec<(Ps, u64)>;
}
