//! A state in upstream's terms.
#![expect(clippy::disallowed_types, reason = "the interface of upstream's selector is made of them")]

use std::collections::{HashMap, HashSet};

use dynamo_kv_router::protocols::{RoutingConstraints, WorkerConfigLike, WorkerWithDpRank};
use dynamo_kv_router::scheduling::{OverlapSignals, RoutingEligibility, ScheduleMode};
use dynamo_kv_router::{
    DefaultWorkerSelector, KvRouterConfig, KvSchedulerError, RouterConfigOverride, SchedulingRequest,
    SharedCacheHits, WorkerLoadProjection, WorkerSelectionInput, WorkerSelector,
};
use tokenyard_policy::ReplicaIx;
use tokenyard_policy::dynamo::{Params, Refusal, Role};

use crate::listen::{self, Heard};
use crate::state::{State, Worker};

/// Everything that upstream's selector is shown for one decision.
pub struct Upstream {
    workers: HashMap<u64, Labels>,
    request: SchedulingRequest,
    overloaded: HashSet<u64>,
    available: Option<HashSet<u64>>,
    config: KvRouterConfig,
    role: &'static str,
    block_tokens: u32,
}

/// A choice, with what was written of it.
#[derive(Clone, Debug)]
pub struct Pick {
    /// The worker.
    pub to: ReplicaIx,
    /// The line.
    pub heard: Heard,
}

/// One rank, and labels.
struct Labels(HashSet<String>);

impl WorkerConfigLike for Labels {
    fn data_parallel_start_rank(&self) -> u32 {
        0
    }

    fn data_parallel_size(&self) -> u32 {
        1
    }

    fn max_num_batched_tokens(&self) -> Option<u64> {
        None
    }

    fn total_kv_blocks(&self) -> Option<u64> {
        None
    }

    fn taints(&self) -> &HashSet<String> {
        &self.0
    }
}

/// Upstream's name of a worker. Ascending as the numbers are: the seeded selector goes by names.
fn id(number: impl Into<u64>) -> u64 {
    1_000 + 7 * number.into()
}

fn number(id: u64) -> ReplicaIx {
    ((id - 1_000) / 7) as ReplicaIx
}

fn label(label: u32) -> String {
    format!("label-{label}")
}

/// Our settings as upstream's configuration.
#[must_use]
pub fn config(params: &Params) -> KvRouterConfig {
    KvRouterConfig {
        overlap_score_credit: params.overlap_credit,
        overlap_score_credit_decay: params.credit_decay,
        prefill_load_scale: params.prefill_scale,
        decode_active_request_weight: params.request_weight,
        host_cache_hit_weight: params.host_weight,
        disk_cache_hit_weight: params.disk_weight,
        router_temperature: params.temperature,
        // Not set means 0 without a shared tier, which is our default too.
        shared_cache_multiplier: (params.shared_weight != 0.0).then_some(params.shared_weight),
        ..KvRouterConfig::default()
    }
}

/// What a request may override, moved from the configuration to the request.
fn overrides(config: &mut KvRouterConfig) -> RouterConfigOverride {
    let usual = KvRouterConfig::default();
    RouterConfigOverride {
        overlap_score_credit: Some(std::mem::replace(
            &mut config.overlap_score_credit,
            usual.overlap_score_credit,
        )),
        prefill_load_scale: Some(std::mem::replace(&mut config.prefill_load_scale, usual.prefill_load_scale)),
        router_temperature: Some(std::mem::replace(&mut config.router_temperature, usual.router_temperature)),
        shared_cache_multiplier: config.shared_cache_multiplier.take(),
        ..RouterConfigOverride::default()
    }
}

impl Upstream {
    /// Puts a state into upstream's terms.
    #[must_use]
    pub fn new(state: &State) -> Self {
        let mut config = config(&state.params);
        let over = state.by_request.then(|| overrides(&mut config));
        let mut request = request(state, over);
        for (at, worker) in (0_u64..).zip(&state.workers) {
            show(&mut request, WorkerWithDpRank::from_worker_id(id(at)), worker, state.has_tiers);
        }
        let of = |wanted: fn(&Worker) -> bool| -> HashSet<u64> {
            let numbered = (0_u64..).zip(&state.workers);
            numbered.filter(|(_, worker)| wanted(worker)).map(|(at, _)| id(at)).collect()
        };
        let labels = |worker: &Worker| Labels(worker.taints.iter().map(|l| label(*l)).collect());
        let available = of(|worker| !worker.unavailable);
        Self {
            workers: (0_u64..).zip(&state.workers).map(|(at, worker)| (id(at), labels(worker))).collect(),
            request,
            overloaded: of(|worker| worker.overloaded),
            available: (available.len() < state.workers.len()).then_some(available),
            config,
            role: if state.params.role == Role::Decode { "decode" } else { "prefill" },
            block_tokens: state.block_tokens,
        }
    }

    /// The selector with draws from a seed, candidates in the order of their numbers.
    #[must_use]
    pub fn seeded(&self, seed: u64) -> DefaultWorkerSelector {
        DefaultWorkerSelector::new_seeded(Some(self.config.clone()), self.role, seed)
    }

    /// The selector as a router makes it: its draws and the order of candidates are its own.
    #[must_use]
    pub fn unseeded(&self) -> DefaultWorkerSelector {
        DefaultWorkerSelector::new(Some(self.config.clone()), self.role)
    }

    /// One decision.
    ///
    /// # Errors
    /// Why nobody was chosen, or upstream's words if we have no name for it.
    pub fn decide(&self, selector: &DefaultWorkerSelector) -> Result<Pick, Result<Refusal, String>> {
        let eligibility = RoutingEligibility::new(
            self.request.allowed_worker_ids.as_ref(),
            Some(&self.overloaded),
            self.request.pinned_worker,
            &self.request.routing_constraints,
        )
        .with_available_workers(self.available.as_ref());
        let _ = listen::take();
        let input =
            WorkerSelectionInput::configured(&self.workers, &self.request, eligibility, self.block_tokens);
        match selector.select_worker(input) {
            Ok(result) => {
                Ok(Pick { to: number(result.worker.worker_id), heard: listen::take().unwrap_or_default() })
            }
            Err(KvSchedulerError::NoEndpoints) => Err(Ok(Refusal::NoEndpoints)),
            Err(KvSchedulerError::AllEligibleWorkersOverloaded) => Err(Ok(Refusal::AllOverloaded)),
            Err(KvSchedulerError::PinnedWorkerNotAllowed { .. }) => Err(Ok(Refusal::PinnedNotAllowed)),
            Err(KvSchedulerError::PinnedWorkerOverloaded { .. }) => Err(Ok(Refusal::PinnedOverloaded)),
            Err(other) => Err(Err(other.to_string())),
        }
    }

    /// What each worker costs, by its number; `None` for those that are never chosen.
    ///
    /// A cost is shown for the chosen worker only, and does not depend on the temperature: so this
    /// asks at a temperature at which all are alike until `wanted` of them have been chosen.
    ///
    /// # Errors
    /// In words, if a choice is refused or a cost is not shown.
    pub fn costs(&mut self, seed: u64, wanted: usize) -> Result<Vec<Option<f64>>, String> {
        let usual = self.request.router_config_override.clone();
        let hot = RouterConfigOverride { router_temperature: Some(1e9), ..usual.clone().unwrap_or_default() };
        self.request.router_config_override = Some(hot);
        let selector = self.seeded(seed);
        let mut costs = vec![None; self.workers.len()];
        // The last of 8 is missed by 40 draws for each about once in 10^18 states.
        for _ in 0..40 * wanted {
            let pick = self.decide(&selector).map_err(|refused| format!("refused: {refused:?}"))?;
            let cost = pick.heard.cost.ok_or("a choice without a cost in the log")?;
            costs[usize::from(pick.to)] = Some(cost);
            if costs.iter().flatten().count() == wanted {
                break;
            }
        }
        self.request.router_config_override = usual;
        Ok(costs)
    }
}

fn request(state: &State, over: Option<RouterConfigOverride>) -> SchedulingRequest {
    SchedulingRequest {
        mode: ScheduleMode::QueryOnly { request_id: None },
        token_seq: None,
        isl_tokens: state.prompt_tokens as usize,
        lora_name: None,
        expected_output_tokens: None,
        affinity_target: None,
        pinned_worker: state.pinned.map(|number| WorkerWithDpRank::from_worker_id(id(number))),
        allowed_worker_ids: state.allowed.as_ref().map(|all| all.iter().map(|number| id(*number)).collect()),
        routing_constraints: RoutingConstraints {
            required_taints: state.required.iter().map(|l| label(*l)).collect(),
            preferred_taints: state.preferred.iter().map(|(l, weight)| (label(*l), *weight)).collect(),
        },
        router_config_override: over,
        track_prefill_tokens: state.params.track_prefill,
        priority_jump: 0.0,
        strict_priority: 0,
        policy_class: None,
        session_context: None,
        overlap: OverlapSignals {
            tier_overlap_blocks: Default::default(),
            effective_overlap_blocks: Default::default(),
            effective_cached_tokens: Default::default(),
        },
        kv_transfer_candidates: None,
        retain_kv_transfer_chain: false,
        shared_cache_hits: state.shared.clone().map(SharedCacheHits::from_ranges),
        worker_loads: Default::default(),
        resp_tx: None,
    }
}

/// Puts one worker's numbers into a request. Tables hold no zeros, as those of a router.
fn show(request: &mut SchedulingRequest, at: WorkerWithDpRank, worker: &Worker, has_tiers: bool) {
    let overlap = &mut request.overlap;
    if has_tiers {
        let tiers = &mut overlap.tier_overlap_blocks;
        let tables = [
            (&mut tiers.device, worker.device),
            (&mut tiers.host_pinned, worker.host),
            (&mut tiers.disk, worker.disk),
        ];
        for (table, blocks) in tables {
            if blocks > 0 {
                table.insert(at, blocks as usize);
            }
        }
    }
    overlap.effective_overlap_blocks.insert(at, worker.effective);
    overlap.effective_cached_tokens.insert(at, worker.cached_tokens as usize);
    if let Some(load) = worker.load {
        let load = WorkerLoadProjection {
            active_prefill_tokens: load.prefill_tokens as usize,
            active_decode_blocks: load.decode_blocks as usize,
            active_requests: load.requests as usize,
            additional_active_blocks: load.new_blocks as usize,
        };
        request.worker_loads.insert(at, load);
    }
}
