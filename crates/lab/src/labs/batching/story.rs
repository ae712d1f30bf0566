//! Sentences: the transcript and the key moments of the mode in view.

use tokenyard_models::batching::{Cause, Iteration, Run, SlotState};

use super::name;
use crate::msg::{Arg, Msg, msg};
use crate::run::Moment;

/// Jobs as their letters.
pub(super) fn jobs(ids: &[char]) -> Arg {
    Arg::List(ids.iter().map(|id| Arg::Text(id.to_string())).collect())
}

/// The jobs in slots that do the same.
pub(super) fn doing(iteration: &Iteration, state: SlotState) -> Vec<char> {
    iteration.slots.iter().filter(|slot| slot.state == state).filter_map(|slot| slot.job).collect()
}

/// The empty slots that a static batch keeps empty, and the jobs to blame.
fn held(iteration: &Iteration) -> Option<(usize, &[char])> {
    let mut held = iteration.stalls.iter().filter(|s| s.cause == Cause::StaticBatch);
    let by = held.next()?.by.as_slice();
    Some((1 + held.count(), by))
}

/// The sentence of one iteration.
pub(super) fn say(run: &Run, step: u32) -> Msg {
    let Some(iteration) = run.iterations.get(step as usize) else {
        return msg("say.drained")
            .with("at", step + 1)
            .with("mode", msg(name(run.mode)))
            .with("last", run.iterations_to_drain);
    };
    let readers = doing(iteration, SlotState::Prefill);
    let writers = doing(iteration, SlotState::Decode);
    let stalled = doing(iteration, SlotState::Idle);
    let key = match (readers.is_empty(), writers.is_empty(), stalled.is_empty()) {
        (true, ..) => "say.write",
        (false, false, _) => "say.both",
        (false, true, true) => "say.read",
        (false, true, false) => "say.stall",
    };
    let main = msg(key)
        .with("at", step + 1)
        .with("readers", jobs(&readers))
        .with("r", readers.len())
        .with("writers", jobs(&writers))
        .with("w", writers.len())
        .with("stalled", jobs(&stalled))
        .with("s", stalled.len());
    let waiting = jobs(&iteration.waiting);
    let tail = match held(iteration) {
        Some((slots, by)) => msg("say.held").with("slots", slots).with("by", jobs(by)).with("b", by.len()),
        None if iteration.waiting.is_empty() => return main,
        None => msg("say.wait"),
    };
    let tail = tail.with("waiting", waiting).with("n", iteration.waiting.len());
    msg("say.pair").with("main", main).with("tail", tail)
}

/// Key moments: the first iteration in which a slot is kept empty; the one in which most jobs
/// stall in their slots; the first that reads and writes; the first in which every slot writes,
/// and the next stall after it; the first with an empty slot and nobody left to fill it.
///
/// No run has all six: jobs never stall where an iteration may read and write.
pub(super) fn moments(run: &Run) -> Vec<Moment> {
    let all = &run.iterations;
    let first =
        |from: usize, wanted: &dyn Fn(&Iteration) -> bool| (from..all.len()).find(|i| wanted(&all[*i]));
    let stalled = |i: &Iteration| doing(i, SlotState::Idle).len();
    let worst = all.iter().map(stalled).max().unwrap_or(0);
    let full = first(0, &|i| i.tokens as usize == i.slots.len());
    let last = run.jobs.iter().map(|j| j.admitted).max().unwrap_or(0) as usize;
    let both = |i: &Iteration| i.tokens > 0 && !doing(i, SlotState::Prefill).is_empty();
    let found = [
        ("cue.held", first(0, &|i| held(i).is_some())),
        ("cue.stall", first(0, &|i| worst > 0 && stalled(i) == worst)),
        ("cue.both", first(0, &both)),
        ("cue.full", full),
        ("cue.again", full.and_then(|f| first(f, &|i| stalled(i) > 0))),
        ("cue.tail", first(last, &|i| i.slots.iter().any(|s| s.job.is_none()))),
    ];
    Moment::in_order(found.map(|(key, at)| at.map(|at| (at, cue(key, &all[at])))))
}

fn cue(key: &'static str, iteration: &Iteration) -> Msg {
    let readers = doing(iteration, SlotState::Prefill);
    let writers = doing(iteration, SlotState::Decode);
    let stalled = doing(iteration, SlotState::Idle);
    msg(key)
        .with("readers", jobs(&readers))
        .with("r", readers.len())
        .with("writers", jobs(&writers))
        .with("w", writers.len())
        .with("stalled", jobs(&stalled))
        .with("s", stalled.len())
        .with("waiting", jobs(&iteration.waiting))
        .with("n", iteration.waiting.len())
}
