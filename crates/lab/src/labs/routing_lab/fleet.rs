//! What every replica holds at an arrival, told from the record of each request.

use tokenyard_models::routing_lab::Run;

use super::Race;

/// One replica just before a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// Requests that wait in its queue.
    pub(super) queued: u32,
    /// Requests in prefill, at most one.
    pub(super) prefilling: u32,
    /// Requests in its running batch.
    pub(super) running: u32,
    /// Prefix families in its cache, the freshest last.
    pub(super) cache: Vec<u32>,
    /// Tick of the prefill that left the cache so.
    seen: Option<u32>,
}

impl Held {
    /// All that is not finished.
    pub(super) fn outstanding(&self) -> u32 {
        self.queued + self.prefilling + self.running
    }
}

/// All replicas of a lane just before the decision of a step. Cost: one look at every request
/// that came before.
pub(super) fn held(run: &Run, step: u32) -> Vec<Held> {
    let mut all = vec![Held::default(); run.replicas.len()];
    let Some(now) = run.decisions().get(step as usize) else { return all };
    // Arrivals are routed before the replicas process their tick: only earlier ticks count.
    let past = |tick: Option<u32>| tick.is_some_and(|t| t < now.tick);
    for d in &run.decisions()[..step as usize] {
        let (held, record) = (&mut all[d.replica as usize], &run.requests()[d.request as usize]);
        if past(record.prefilled) && record.prefilled >= held.seen {
            held.seen = record.prefilled;
            held.cache.clear();
            held.cache.extend_from_slice(run.cache_after(d.request as usize));
        }
        match (past(record.finished), past(record.prefilled), past(record.admitted)) {
            (true, ..) => {}
            (_, true, _) => held.running += 1,
            (_, _, true) => held.prefilling += 1,
            _ => held.queued += 1,
        }
    }
    all
}

/// Replicas whose cache holds the family of the step's request.
pub(super) fn warm(race: &Race, held: &[Held], step: u32) -> Vec<u32> {
    let family = race.requests()[step as usize].prefix_id;
    (0..held.len() as u32).filter(|i| held[*i as usize].cache.contains(&family)).collect()
}

/// Outstanding requests of the fullest replica at each arrival, the arrival included.
pub(super) fn fullest(run: &Run) -> Vec<u32> {
    let at = |i: usize| {
        let (loads, to) = (run.loads(i), run.decisions()[i].replica as usize);
        let after = loads.iter().enumerate().map(|(r, load)| load + u32::from(r == to));
        after.max().unwrap_or(0)
    };
    (0..run.decisions().len()).map(at).collect()
}
