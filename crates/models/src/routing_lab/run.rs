//! The full record of a run, for the step player.

use tokenyard_det::Digest;

use super::engine::simulate;
use super::log::Log;
use super::replica::Replica;
use super::{Params, Reason, Rule, Summary, Workload};

/// One routing decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Tick of the decision, which is the request's arrival.
    pub tick: u32,
    /// Index of the request.
    pub request: u32,
    /// Replica chosen.
    pub replica: u32,
    /// What the rule saw.
    pub reason: Reason,
}

/// What became of one request. Everything is `None` or 0 for what did not happen before the cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestRecord {
    /// Replica it was routed to.
    pub replica: Option<u32>,
    /// Tick in which its prefill began.
    pub admitted: Option<u32>,
    /// Tick in which its prefill ended and its first token came.
    pub prefilled: Option<u32>,
    /// Tick in which its last token came.
    pub finished: Option<u32>,
    /// Ticks from arrival to the end of the tick with the first token.
    pub ttft: Option<u32>,
    /// Ticks from arrival to the end of the tick with the last token.
    pub e2e: Option<u32>,
    /// Whether its prefix was cached at admission.
    pub cache_hit: bool,
    /// KV blocks in use on its replica at admission, its own not included.
    pub blocks_at_admission: u32,
    /// Running sequences on its replica at admission.
    pub running_at_admission: u32,
}

/// What one replica did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplicaRecord {
    /// Requests routed to it.
    pub assigned: u32,
    /// Requests it finished.
    pub served: u32,
    /// Ticks spent on prefill.
    pub prefill_ticks: u32,
    /// Ticks spent on decode.
    pub decode_ticks: u32,
    /// Busy ticks over makespan; NaN for an empty workload.
    pub utilisation: f64,
    /// Prefill ticks over busy ticks; 0 for a replica that was never busy.
    pub prefill_share: f64,
}

/// Everything that happened under one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The rule.
    pub rule: Rule,
    /// One record per replica.
    pub replicas: Vec<ReplicaRecord>,
    /// Whether the run was stopped after tick [`super::MAX_TICK`] with work left.
    pub cut: bool,
    summary: Summary,
    log: Log,
}

/// Runs a rule over a workload and keeps everything a step player shows.
#[must_use]
pub fn run(params: &Params, workload: &Workload, rule: Rule) -> Run {
    let mut log = Log::new(workload.requests().len(), params.replicas.max(1));
    let (replicas, tally) = simulate(params, workload, rule, &mut log);
    for (record, request) in log.requests.iter_mut().zip(workload.requests()) {
        record.ttft = record.prefilled.map(|tick| tick + 1 - request.arrival);
        record.e2e = record.finished.map(|tick| tick + 1 - request.arrival);
    }
    let summary = Summary::new(&replicas, &tally, params.ttft_slo);
    let record = |r: &Replica| {
        let busy = r.prefill_ticks + r.decode_ticks;
        ReplicaRecord {
            assigned: r.assigned(),
            served: r.served,
            prefill_ticks: r.prefill_ticks,
            decode_ticks: r.decode_ticks,
            utilisation: f64::from(busy) / f64::from(tally.end),
            prefill_share: f64::from(r.prefill_ticks) / f64::from(busy.max(1)),
        }
    };
    Run { rule, replicas: replicas.iter().map(record).collect(), cut: tally.cut, summary, log }
}

/// The published metrics of a run.
#[must_use]
pub fn summary(run: &Run) -> &Summary {
    &run.summary
}

impl Run {
    /// Decisions, by arrival; fewer than requests only in a cut run.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.log.decisions
    }

    /// One record per request of the workload.
    #[must_use]
    pub fn requests(&self) -> &[RequestRecord] {
        &self.log.requests
    }

    /// Outstanding requests per replica just before a decision. Empty past the last decision.
    #[must_use]
    pub fn loads(&self, decision: usize) -> &[u32] {
        self.log.row(&self.log.loads, decision)
    }

    /// KV blocks in use per replica just before a decision, where the rule read them (least-kv);
    /// empty elsewhere.
    #[must_use]
    pub fn blocks(&self, decision: usize) -> &[u32] {
        self.log.row(&self.log.blocks, decision)
    }

    /// Prefix families on the request's replica right after its prefill, the freshest last; they
    /// stay until the next prefill ends there. Empty if it had none, or with the cache off.
    #[must_use]
    pub fn cache_after(&self, request: usize) -> &[u32] {
        let span = self.log.cache_spans.get(request);
        span.and_then(|(from, to)| self.log.caches.get(*from..*to)).unwrap_or_default()
    }

    /// Ticks after which the timeline was sampled: every `max(1, round(last arrival / 60))`, from
    /// 0 to the last tick of the run.
    #[must_use]
    pub fn sample_ticks(&self) -> &[u32] {
        &self.log.sample_ticks
    }

    /// Outstanding requests per replica after the tick of a sample. Empty past the last sample.
    #[must_use]
    pub fn sampled_loads(&self, sample: usize) -> &[u32] {
        self.log.row(&self.log.sample_loads, sample)
    }

    /// Tokens generated so far by each member of a replica's running batch, the longest in the
    /// batch first, after the tick of a sample. Empty where nothing runs.
    #[must_use]
    pub fn sampled_generated(&self, sample: usize, replica: usize) -> &[f64] {
        let at = sample * self.log.replicas + replica;
        let from = at.checked_sub(1).and_then(|i| self.log.sample_ends.get(i)).copied().unwrap_or(0);
        let to = self.log.sample_ends.get(at).copied().unwrap_or(0);
        self.log.generated.get(from..to).unwrap_or_default()
    }

    /// Feeds the whole run, step by step: every decision with its reason and the loads it saw,
    /// every request, every sample with the bits of all generated counts, and the totals.
    pub fn digest(&self, digest: &mut Digest) {
        digest.bytes(self.rule.id().as_bytes());
        self.log.digest(digest);
        digest.u32(u32::from(self.cut));
        for replica in &self.replicas {
            digest.f64(replica.utilisation);
            digest.f64(replica.prefill_share);
        }
        self.summary.digest(digest);
    }
}
