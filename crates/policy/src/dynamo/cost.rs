//! What one candidate costs, in blocks.

use tokenyard_det::math;

/// Settings of the cost function and of the pick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// c: blocks of prefill that a block on the device is worth; 0 or more.
    pub overlap_credit: f64,
    /// d: how fast that credit falls with prefill waiting beyond the least; 0 for not at all.
    pub credit_decay: f64,
    /// p: weight of prefill blocks against decode blocks.
    pub prefill_scale: f64,
    /// h: worth of a block in host memory.
    pub host_weight: f64,
    /// k: worth of a block on disk.
    pub disk_weight: f64,
    /// s: worth of a block that only the tier shared by all has.
    pub shared_weight: f64,
    /// r: decode blocks that an active request counts for.
    pub request_weight: f64,
    /// T: 0 takes the smallest cost, more draws.
    pub temperature: f64,
    /// Sum or product.
    pub selection: Selection,
    /// What the workers do.
    pub role: Role,
    /// Whether the router keeps books of prefill.
    pub track_prefill: bool,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            overlap_credit: 1.0,
            credit_decay: 0.0,
            prefill_scale: 1.0,
            host_weight: 0.75,
            disk_weight: 0.25,
            shared_weight: 0.0,
            request_weight: 0.0,
            temperature: 0.0,
            selection: Selection::Cost,
            role: Role::Any,
            track_prefill: true,
        }
    }
}

/// `router_selection_policy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Selection {
    /// Weighted sum.
    #[default]
    Cost,
    /// Prefill blocks times one more than decode blocks: no weights to choose.
    Lmetric,
}

/// How upstream labels the pool of workers behind the router. With books of prefill the label
/// changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Role {
    /// Upstream's `prefill`: a pool that prefills only, and any pool as long as prefill is tracked.
    #[default]
    Any,
    /// Upstream's `decode`, which is every pool but one of prefill workers, those that prefill and
    /// decode included: without books of prefill, the credit is taken off the decode blocks.
    Decode,
}

/// One candidate's numbers. All at 0, with blocks of one token, is an idle, empty worker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inputs {
    /// Prompt length in tokens.
    pub prompt_tokens: u64,
    /// Tokens of one block, at least 1.
    pub block_tokens: u32,
    /// Prompt tokens on this worker that are not prefilled yet.
    pub active_prefill_tokens: u64,
    /// The smallest of those among the eligible workers. Read only if the credit decays.
    pub least_prefill_tokens: u64,
    /// Tokens of the prompt that the load projection takes as cached. Whatever it takes off is
    /// added again, so this matters only where it is more than the prompt.
    pub cached_tokens: u64,
    /// Blocks of active sequences.
    pub decode_blocks: u64,
    /// Blocks of the prompt that no active sequence there holds.
    pub new_blocks: u64,
    /// Active requests.
    pub active_requests: u64,
    /// Leading blocks of the prompt on the device.
    pub device: f64,
    /// Blocks of the prompt in host memory.
    pub host: f64,
    /// Blocks of the prompt on disk.
    pub disk: f64,
    /// Blocks of the prompt that the shared tier has beyond the device's prefix.
    pub shared_beyond_device: u32,
    /// [`taint_multiplier`]; 1 without preferences.
    pub multiplier: f64,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            prompt_tokens: 0,
            block_tokens: 1,
            active_prefill_tokens: 0,
            least_prefill_tokens: 0,
            cached_tokens: 0,
            decode_blocks: 0,
            new_blocks: 0,
            active_requests: 0,
            device: 0.0,
            host: 0.0,
            disk: 0.0,
            shared_beyond_device: 0,
            multiplier: 1.0,
        }
    }
}

/// A cost with its parts, in blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Active prefill and the whole prompt, before any credit.
    pub raw_prefill: f64,
    /// All credits together.
    pub credit: f64,
    /// What is left of the first after the second, never below 0, unweighted.
    pub prefill: f64,
    /// Active blocks and new ones.
    pub decode: f64,
    /// Weighted active requests.
    pub requests: f64,
    /// The cost, multiplied by the taints' share.
    pub total: f64,
}

/// The cost of one candidate; lower is better.
#[must_use]
pub fn cost(params: &Params, inputs: &Inputs) -> f64 {
    explained(params, inputs).total
}

/// As [`cost`], with its parts.
#[must_use]
#[inline]
pub fn explained(params: &Params, inputs: &Inputs) -> Cost {
    let block = f64::from(inputs.block_tokens.max(1));
    let credit = params.overlap_credit * decay(params, inputs) * inputs.device
        + params.host_weight * inputs.host
        + params.disk_weight * inputs.disk
        + params.shared_weight * f64::from(inputs.shared_beyond_device);
    let raw_prefill = if params.track_prefill { raw_tokens(inputs) as f64 / block } else { 0.0 };
    let prefill = (raw_prefill - credit).max(0.0);
    let decode = inputs.decode_blocks.saturating_add(inputs.new_blocks) as f64;
    let requests = params.request_weight * inputs.active_requests as f64;
    // A decode router sets c to 0 unless it may prefill as well: only then is its credit real.
    let credits_decode = params.role == Role::Decode && !params.track_prefill && params.overlap_credit > 0.0;
    let total = match params.selection {
        Selection::Lmetric => prefill * (decode + 1.0),
        Selection::Cost if credits_decode => (decode - credit).max(0.0) + requests,
        Selection::Cost => params.prefill_scale * prefill + decode + requests,
    };
    Cost { raw_prefill, credit, prefill, decode, requests, total: total * inputs.multiplier }
}

/// Share of the device credit that is left under the prefill waiting there beyond the least,
/// measured in prompts of this size.
fn decay(params: &Params, inputs: &Inputs) -> f64 {
    if !params.track_prefill || params.credit_decay <= 0.0 {
        return 1.0;
    }
    let excess = inputs.active_prefill_tokens.saturating_sub(inputs.least_prefill_tokens);
    let block_tokens = inputs.block_tokens.max(1);
    let excess_blocks = excess as f64 / f64::from(block_tokens);
    // A prompt without tokens has nothing to decay; the bound keeps 0 / 0 away.
    let prompt_blocks = inputs.prompt_tokens.div_ceil(u64::from(block_tokens)).max(1);
    1.0 / (1.0 + params.credit_decay * (excess_blocks / prompt_blocks as f64))
}

fn raw_tokens(inputs: &Inputs) -> u64 {
    let uncached = inputs.prompt_tokens.saturating_sub(inputs.cached_tokens);
    inputs.active_prefill_tokens.saturating_add(uncached).saturating_add(inputs.cached_tokens)
}

/// What the preferences among taints make of a cost: e^(-tanh(sum)) over the weights of the taints
/// that the worker has, in the order given; between 1/e and e, and 1 if it has none.
#[must_use]
pub fn taint_multiplier(preferred: &[(u32, f32)], taints: &[u32]) -> f64 {
    let matched = preferred.iter().filter(|(taint, _)| taints.contains(taint));
    let sum = matched.fold(0.0, |sum, (_, weight)| sum + f64::from(*weight));
    // tanh from the exponential of a number that is not positive, so that nothing overflows.
    let shrunk = math::exp(-2.0 * sum.abs());
    let tanh = (1.0 - shrunk) / (1.0 + shrunk);
    math::exp(-tanh.copysign(sum))
}
