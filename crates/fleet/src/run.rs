//! Runs from beginning to end, with progress and a way to stop.

use crate::time::Ps;
use crate::world::{End, Step, World};

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Events handled.
    pub events: u64,
    /// Requests that have ended.
    pub ended: u32,
    /// Simulated time.
    pub now: Ps,
}

/// Runs to the end. `tell` is asked every so many events (at least 1) and stops the run by
/// saying `false`; then the answer is `None`, and the world is whole and can go on.
pub fn run(world: &mut World, every: u64, mut tell: impl FnMut(Progress) -> bool) -> Option<End> {
    let every = every.max(1);
    loop {
        for _ in 0..every {
            if let Step::Ended(end) = world.step() {
                return Some(end);
            }
        }
        let (events, ended, now) = (world.events(), world.outcomes().len(), world.now());
        if !tell(Progress { events, ended, now }) {
            return None;
        }
    }
}

/// Runs to the end without a look.
pub fn run_to_end(world: &mut World) -> End {
    loop {
        if let Step::Ended(end) = world.step() {
            return end;
        }
    }
}
