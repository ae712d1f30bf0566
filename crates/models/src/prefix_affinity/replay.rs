//! Replays the trace through both routers.

use std::collections::BTreeMap;

use super::Params;
use super::fleet::Fleet;
use super::record::{Reason, Run, Step};
use super::trace::{Request, TRACE, order};

/// Both routers over the trace in the order of the seed.
///
/// Never fails: see [`Params`] for values out of range.
#[must_use]
pub fn run(params: &Params) -> Run {
    let fleet = Fleet::new(params.replica_count(), params.slot_count());
    let mut state = State { baseline: fleet.clone(), aware: fleet, owners: BTreeMap::new() };
    let mut run = Run {
        steps: Vec::with_capacity(TRACE.len()),
        baseline_hits: 0,
        aware_hits: 0,
        escapes: 0,
        baseline_loads: Vec::new(),
        aware_loads: Vec::new(),
        baseline_prefill: 0,
        aware_prefill: 0,
    };
    for position in order(params.seed) {
        let mut step = state.route(position, &TRACE[position], params.load_gap_threshold);
        run.baseline_hits += u32::from(step.baseline_hit);
        run.aware_hits += u32::from(step.aware_hit);
        run.escapes += u32::from(step.reason == Reason::LoadImbalance);
        run.baseline_prefill += step.baseline_prefill;
        run.aware_prefill += step.aware_prefill;
        step.cumulative_baseline = run.baseline_prefill;
        step.cumulative_aware = run.aware_prefill;
        run.steps.push(step);
    }
    run.baseline_loads = state.baseline.loads;
    run.aware_loads = state.aware.loads;
    run
}

struct State {
    baseline: Fleet,
    aware: Fleet,
    /// The replica chosen last for each prefix, by the prefix-aware router.
    owners: BTreeMap<u32, usize>,
}

impl State {
    /// Routes one request through both routers. The running totals are the caller's.
    fn route(&mut self, position: usize, request: &Request, threshold: Option<u32>) -> Step {
        let before = (self.baseline.clone(), self.aware.clone());
        let owner_before = self.owners.get(&request.prefix).copied();
        let gap = self.aware.gap();
        let least_loaded = self.aware.least_loaded();
        let (reason, aware) = match owner_before {
            None => (Reason::FirstSight, least_loaded),
            Some(_) if threshold.is_some_and(|most| gap > most) => (Reason::LoadImbalance, least_loaded),
            Some(owner) => (Reason::Affinity, owner),
        };
        self.owners.insert(request.prefix, aware);
        let baseline = self.baseline.least_loaded();
        let baseline_hit = self.baseline.assign(baseline, request);
        let aware_hit = self.aware.assign(aware, request);
        Step {
            request: position,
            prefix: request.prefix,
            prefix_tokens: request.prefix_tokens,
            fresh_tokens: request.fresh_tokens,
            baseline,
            baseline_hit,
            baseline_prefill: request.prefill(baseline_hit),
            aware,
            aware_hit,
            aware_prefill: request.prefill(aware_hit),
            reason,
            owner_before,
            gap,
            threshold,
            least_loaded,
            baseline_loads_before: before.0.loads,
            aware_loads_before: before.1.loads,
            baseline_caches_before: before.0.caches,
            aware_caches_before: before.1.caches,
            baseline_loads: self.baseline.loads.clone(),
            aware_loads: self.aware.loads.clone(),
            baseline_caches: self.baseline.caches.clone(),
            aware_caches: self.aware.caches.clone(),
            cumulative_baseline: 0,
            cumulative_aware: 0,
        }
    }
}
