//! A state in our terms.

use tokenyard_det::Stream;
use tokenyard_param::{Value, Values};
use tokenyard_policy::dynamo::{self, Constraints, Inputs, Params, Refusal, Role, Worker};
use tokenyard_policy::explain::Terms;
use tokenyard_policy::rules::by_id;
use tokenyard_policy::{Ask, Choice, Draw, Explain, FleetView, ReplicaIx, RequestView, TieBreak};

use crate::state::{Load, State};

/// The workers that may be chosen, ascending.
///
/// # Errors
/// Why there is none.
pub fn eligible(state: &State) -> Result<Vec<ReplicaIx>, Refusal> {
    let workers: Vec<Worker<'_>> = state
        .workers
        .iter()
        .map(|w| Worker { taints: &w.taints, overloaded: w.overloaded, unavailable: w.unavailable })
        .collect();
    let constraints =
        Constraints { allowed: state.allowed.as_deref(), pinned: state.pinned, required: &state.required };
    dynamo::eligible(&workers, &constraints)
}

/// What each of the eligible workers costs, in their order.
#[must_use]
pub fn costs(state: &State, params: &Params, eligible: &[ReplicaIx]) -> Vec<f64> {
    let load = |number: ReplicaIx| state.workers[usize::from(number)].load.unwrap_or_default();
    let least = eligible.iter().map(|number| load(*number).prefill_tokens).min().unwrap_or(0);
    let cost = |number: &ReplicaIx| dynamo::cost(params, &inputs(state, *number, load(*number), least));
    eligible.iter().map(cost).collect()
}

fn inputs(state: &State, number: ReplicaIx, load: Load, least: u32) -> Inputs {
    let worker = &state.workers[usize::from(number)];
    let tiers = state.tells_tiers();
    let device = if tiers { f64::from(worker.device) } else { worker.effective };
    let tier = |blocks: u32| if tiers { f64::from(blocks) } else { 0.0 };
    // Upstream scores a pinned worker without preferences.
    let multiplier =
        if state.pinned.is_some() { 1.0 } else { dynamo::taint_multiplier(&state.preferred, &worker.taints) };
    Inputs {
        prompt_tokens: state.prompt_tokens.into(),
        block_tokens: state.block_tokens,
        active_prefill_tokens: load.prefill_tokens.into(),
        least_prefill_tokens: least.into(),
        // A worker without an entry in the books has the whole prompt before it.
        cached_tokens: if worker.load.is_some() { worker.cached_tokens.into() } else { 0 },
        decode_blocks: load.decode_blocks.into(),
        new_blocks: load.new_blocks.into(),
        active_requests: load.requests.into(),
        device,
        host: tier(worker.host),
        disk: tier(worker.disk),
        shared_beyond_device: state.shared_beyond(device.round() as u32),
        multiplier,
    }
}

/// Whether a router's view can hold the state: one tier, whole blocks, books for everybody, no
/// preferences, and nothing cached beyond the prompt.
#[must_use]
pub fn fits_a_view(state: &State, eligible: &[ReplicaIx]) -> bool {
    let worker = |number: &ReplicaIx| &state.workers[usize::from(*number)];
    state.tells_tiers()
        && state.shared.is_none()
        && state.preferred.is_empty()
        && eligible.iter().map(worker).all(|w| {
            w.load.is_some()
                && w.host == 0
                && w.disk == 0
                && w.cached_tokens <= state.prompt_tokens
                && w.device * state.block_tokens <= state.prompt_tokens
        })
}

/// What the rule of that id chooses behind a router's view, with its costs: as built from the
/// parameters that a page or a command line sets.
#[must_use]
pub fn rule(
    id: &str,
    state: &State,
    eligible: &[ReplicaIx],
    stream: &mut Stream,
) -> Option<(Choice, Vec<Terms>)> {
    let spec = by_id(id)?;
    let mut rule = (spec.build)(&values(spec.params, &state.params)?);
    let column = |read: fn(Load) -> u32| -> Vec<u32> {
        state.workers.iter().map(|w| read(w.load.unwrap_or_default())).collect()
    };
    let prefill: Vec<u64> = column(|l| l.prefill_tokens).into_iter().map(u64::from).collect();
    let (decode, new, active) =
        (column(|l| l.decode_blocks), column(|l| l.new_blocks), column(|l| l.requests));
    let overlap: Vec<u32> = state.workers.iter().map(|w| w.device).collect();
    let fleet = FleetView {
        routable: eligible,
        replicas: state.workers.len() as ReplicaIx,
        prefill_tokens: &prefill,
        decode_blocks: &decode,
        new_blocks: &new,
        active: &active,
        overlap: &overlap,
        ..FleetView::default()
    };
    let request = RequestView {
        number: state.number,
        prompt_tokens: state.prompt_tokens,
        block_tokens: state.block_tokens,
        blocks: &[],
        family: None,
        session: None,
        tenant: 0,
    };
    let mut explain = Explain::on();
    let draw = Draw { stream, ties: TieBreak::Upstream };
    let choice = rule.choose(&mut Ask { request, fleet, draw, explain: &mut explain });
    Some((choice, explain.rows().to_vec()))
}

/// The parameters as a rule takes them; `None` if one is unknown or out of the rule's range.
fn values(specs: &'static [tokenyard_param::ParamSpec], params: &Params) -> Option<Values> {
    let mut values = Values::defaults(specs);
    let wanted = [
        ("overlap_credit", Value::Real(params.overlap_credit)),
        ("credit_decay", Value::Real(params.credit_decay)),
        ("prefill_scale", Value::Real(params.prefill_scale)),
        ("host_weight", Value::Real(params.host_weight)),
        ("disk_weight", Value::Real(params.disk_weight)),
        ("shared_weight", Value::Real(params.shared_weight)),
        ("request_weight", Value::Real(params.request_weight)),
        ("temperature", Value::Real(params.temperature)),
        ("role", Value::Choice(u8::from(params.role == Role::Decode))),
        ("track_prefill", Value::Switch(params.track_prefill)),
    ];
    for (key, value) in wanted {
        if !values.set(values.position(key)?, value) {
            return None;
        }
    }
    Some(values)
}
