//! What a run leaves behind: every decision with what the router knew when it made it.

use tokenyard_det::Digest;

/// Why the prefix-aware router chose as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The prefix was never seen: least loaded replica.
    FirstSight,
    /// The load gap was above the threshold: least loaded replica. This is an escape, also when
    /// the least loaded replica happens to be the owner.
    LoadImbalance,
    /// The prefix's owner.
    Affinity,
}

impl Reason {
    /// All reasons, in the order in which the router considers them.
    pub const ALL: [Self; 3] = [Self::FirstSight, Self::LoadImbalance, Self::Affinity];

    /// The word that files and the command line use.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::FirstSight => "first-sight",
            Self::LoadImbalance => "load-imbalance",
            Self::Affinity => "affinity",
        }
    }
}

/// One request, routed by both routers. Replicas are counted from 0; lists go by replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Position of the request in [`TRACE`](super::TRACE); equal to the step's own position
    /// under seed 0.
    pub request: usize,
    /// The request's prefix.
    pub prefix: u32,
    /// Tokens of that prefix.
    pub prefix_tokens: u32,
    /// Tokens of the prompt after the prefix.
    pub fresh_tokens: u32,
    /// Replica that the load-only router chose.
    pub baseline: usize,
    /// Whether that replica held the prefix.
    pub baseline_hit: bool,
    /// Tokens prefilled there.
    pub baseline_prefill: u32,
    /// Replica that the prefix-aware router chose.
    pub aware: usize,
    /// Whether that replica held the prefix.
    pub aware_hit: bool,
    /// Tokens prefilled there.
    pub aware_prefill: u32,
    /// Why the prefix-aware router chose that replica.
    pub reason: Reason,
    /// The prefix's owner when the prefix-aware router decided; `None` at first sight.
    pub owner_before: Option<usize>,
    /// Largest minus smallest load that the prefix-aware router saw, in requests.
    pub gap: u32,
    /// The threshold that the gap was compared with; `None`: none.
    pub threshold: Option<u32>,
    /// The replica the prefix-aware router would fall back to: the least loaded.
    pub least_loaded: usize,
    /// Loads of the load-only router before the request.
    pub baseline_loads_before: Vec<u32>,
    /// Loads of the prefix-aware router before the request.
    pub aware_loads_before: Vec<u32>,
    /// Prefixes held under the load-only router before the request, oldest first.
    pub baseline_caches_before: Vec<Vec<u32>>,
    /// Prefixes held under the prefix-aware router before the request, oldest first.
    pub aware_caches_before: Vec<Vec<u32>>,
    /// Loads of the load-only router after the request.
    pub baseline_loads: Vec<u32>,
    /// Loads of the prefix-aware router after the request.
    pub aware_loads: Vec<u32>,
    /// Prefixes held under the load-only router after the request, oldest first.
    pub baseline_caches: Vec<Vec<u32>>,
    /// Prefixes held under the prefix-aware router after the request, oldest first.
    pub aware_caches: Vec<Vec<u32>>,
    /// Tokens prefilled by the load-only router so far, this request included.
    pub cumulative_baseline: u32,
    /// Tokens prefilled by the prefix-aware router so far, this request included.
    pub cumulative_aware: u32,
}

/// Both routers over the whole trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// One step per request, in the order of the seed.
    pub steps: Vec<Step>,
    /// Hits of the load-only router.
    pub baseline_hits: u32,
    /// Hits of the prefix-aware router.
    pub aware_hits: u32,
    /// Requests for which the prefix-aware router gave affinity up.
    pub escapes: u32,
    /// Final loads of the load-only router.
    pub baseline_loads: Vec<u32>,
    /// Final loads of the prefix-aware router.
    pub aware_loads: Vec<u32>,
    /// Tokens prefilled by the load-only router.
    pub baseline_prefill: u32,
    /// Tokens prefilled by the prefix-aware router.
    pub aware_prefill: u32,
}

impl Run {
    /// Share of the load-only router's prefill that the prefix-aware router saves; negative when
    /// it prefills more. The load-only prefill is never zero.
    #[must_use]
    pub fn saved_share(&self) -> f64 {
        1.0 - f64::from(self.aware_prefill) / f64::from(self.baseline_prefill)
    }

    /// Feeds every field of every step, in order, and then the totals.
    pub fn digest(&self, digest: &mut Digest) {
        digest.u64(self.steps.len() as u64);
        self.steps.iter().for_each(|step| step.digest(digest));
        for total in
            [self.baseline_hits, self.aware_hits, self.escapes, self.baseline_prefill, self.aware_prefill]
        {
            digest.u32(total);
        }
        digest.u32s(&self.baseline_loads);
        digest.u32s(&self.aware_loads);
    }
}

impl Step {
    fn digest(&self, digest: &mut Digest) {
        let option = |value: Option<u64>| value.map_or([0, 0], |v| [1, v]);
        for value in [
            self.request as u64,
            u64::from(self.prefix),
            u64::from(self.prefix_tokens),
            u64::from(self.fresh_tokens),
            self.baseline as u64,
            u64::from(self.baseline_hit),
            u64::from(self.baseline_prefill),
            self.aware as u64,
            u64::from(self.aware_hit),
            u64::from(self.aware_prefill),
            u64::from(self.gap),
            self.least_loaded as u64,
            u64::from(self.cumulative_baseline),
            u64::from(self.cumulative_aware),
        ] {
            digest.u64(value);
        }
        digest.bytes(self.reason.id().as_bytes());
        option(self.owner_before.map(|o| o as u64)).into_iter().for_each(|v| digest.u64(v));
        option(self.threshold.map(u64::from)).into_iter().for_each(|v| digest.u64(v));
        for loads in
            [&self.baseline_loads_before, &self.aware_loads_before, &self.baseline_loads, &self.aware_loads]
        {
            digest.u32s(loads);
        }
        for caches in [
            &self.baseline_caches_before,
            &self.aware_caches_before,
            &self.baseline_caches,
            &self.aware_caches,
        ] {
            digest.u64(caches.len() as u64);
            caches.iter().for_each(|cache| digest.u32s(cache));
        }
    }
}
