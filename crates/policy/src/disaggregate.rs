//! Whether a prompt is prefilled by another pool than the one that decodes: the conditions of five
//! projects, and who is the better pair of replicas.
//!
//! No part of the simulator asks them: its replicas prefill and decode, and a pool of one kind of
//! work, with the transfer of KV between two, is left to a lab of its own. Until then these decisions
//! are held by numeric cases alone (`crates/policy/tests/rules/disaggregate.rs`), and
//! `docs/validation.md` says so.
//!
//! Sources: ai-dynamo/dynamo `conditional_prefill.rs` at 0c072ea8; llm-d/llm-d-router at ebab6879,
//! the prefix-based decider; TensorRT-LLM's `conditional_disagg_config`; vllm-project/production-stack
//! at a6c01db0; vllm-project/aibrix at e3e10f9e, the `pd` router.

/// Default of Dynamo's [`exceeds_cap`], in tokens.
pub const TOKEN_CAP: u32 = 5_000;
/// What Dynamo's first releases prefilled where they decode, in tokens.
pub const LEGACY_LOCAL: u32 = 1_000;
/// Effective input in tokens from which Dynamo's [`by_load`] always disaggregates.
pub const LONG_INPUT: u32 = 16_384;

/// Dynamo's token cap: remote if more than `cap` tokens are not in the decode worker's cache. The
/// overlap counts by whole blocks. The first releases had the same test with [`LEGACY_LOCAL`].
#[must_use]
pub fn exceeds_cap(prompt: u32, overlap_blocks: u32, block: u32, cap: u32) -> bool {
    prompt.saturating_sub(overlap_blocks.saturating_mul(block)) > cap
}

/// TensorRT-LLM: a context server is needed unless something matches and no more than `most_local`
/// tokens are missing.
#[must_use]
pub fn needs_context_server(total: u32, matched: u32, most_local: u32) -> bool {
    matched == 0 || total.saturating_sub(matched) > most_local
}

/// vLLM production-stack: whoever wants one token is prefilled by the prefill pool, everybody else
/// is decoded. Nothing of the prompt is looked at.
#[must_use]
pub fn wants_prefill_only(max_tokens: u32) -> bool {
    max_tokens == 1
}

/// llm-d's prefix-based decider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrefixBased {
    /// Least tokens that are not cached; 0 never disaggregates.
    pub non_cached: u32,
    /// Least tokens of the prompt; 0 is not set.
    pub prompt: u32,
}

impl PrefixBased {
    /// Whether an input is prefilled elsewhere, `cached` of it being in the decode pod's cache by
    /// whole blocks of any tier, each counted in full; `None` without prefix information.
    #[must_use]
    pub fn disaggregates(&self, input: u32, cached: Option<u32>) -> bool {
        let Some(cached) = cached else { return false };
        self.non_cached > 0
            && input >= self.prompt
            && input >= self.non_cached
            && input.saturating_sub(cached) >= self.non_cached
    }
}

/// A pool as Dynamo's policy by load sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pool {
    /// Most that it takes.
    pub most: f64,
    /// What it has.
    pub load: f64,
    /// Requests that wait for it.
    pub queued: u32,
}

impl Pool {
    /// At least half free, and nobody waits.
    #[must_use]
    pub fn is_roomy(&self) -> bool {
        (self.most - self.load) / self.most >= 0.5 && self.queued == 0
    }
}

/// Dynamo's policy by load: whether a prompt is prefilled remotely. `predicted` are the times to
/// first token locally and remotely, `None` unless both predictors are warm.
#[must_use]
pub fn by_load(prefill: &Pool, decode: &Pool, effective_input: u32, predicted: Option<[f64; 2]>) -> bool {
    if prefill.is_roomy() || effective_input > LONG_INPUT {
        return true;
    }
    if decode.is_roomy() {
        return false;
    }
    predicted.is_none_or(|[local, remote]| local >= remote)
}

/// AIBrix's score of a prefill replica, the smaller the better: what is not matched, a tenth of a
/// point for each percent, and its requests as a share of the most that any has. `most` of 0 counts
/// as 1.
#[must_use]
pub fn aibrix_prefill(matched_percent: u32, requests: u32, most: u32) -> f64 {
    f64::from(100 - matched_percent.min(100)) * 0.1 + f64::from(requests) / f64::from(most.max(1))
}

/// AIBrix's score of a decode replica, the smaller the better: its running requests and its lack of
/// throughput, each as a share of the largest of all, over the share of its free cache. So it prefers
/// who generates fast, where the fast path of the same router prefers who generates slowly. A largest
/// of 0 counts as 1.
#[must_use]
pub fn aibrix_decode(running: [u32; 2], throughput: [f64; 2], free: [f64; 2]) -> f64 {
    let share = |[own, most]: [f64; 2]| own / if most > 0.0 { most } else { 1.0 };
    let load = share(running.map(f64::from)) + 1.0 - share(throughput);
    load / share(free).max(f64::MIN_POSITIVE)
}

/// AIBrix's pair of prefill and decode replicas with the smallest sum of scores, each over the largest
/// of its kind; the first among equals. A largest of 0 counts as 1.
#[must_use]
pub fn aibrix_pair(scores: &[[f64; 2]]) -> Option<(usize, f64)> {
    let most = |of: usize| scores.iter().map(|pair| pair[of]).fold(0.0, f64::max);
    let over = [most(0), most(1)].map(|most| if most > 0.0 { most } else { 1.0 });
    let sums = scores.iter().map(|[prefill, decode]| prefill / over[0] + decode / over[1]);
    sums.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))
}
