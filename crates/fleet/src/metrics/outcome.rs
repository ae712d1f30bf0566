//! What became of each request.

use tokenyard_policy::ReplicaIx;

use crate::engine::gaps::Gaps;
use crate::time::{Ps, When};
use crate::world::Live;

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// With its whole answer.
    Served,
    /// The gateway refused it, and no retry was left.
    Rejected,
    /// The routing rule refused it, though there were replicas, or the replica did for its own
    /// limit, and no retry was left.
    Refused,
    /// Its client gave up, and no retry was left.
    TimedOut,
    /// Its replica failed, and nothing could be sent again.
    Failed,
    /// Its deadline had passed before it was routed.
    Dropped,
    /// It needs more KV blocks than any replica has.
    TooLong,
}

/// What became of one request. Times are from its first arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Number of the request.
    pub number: u32,
    /// When it arrived.
    pub arrival: Ps,
    /// Its session, if it has one.
    pub session: Option<u32>,
    /// Place in the session.
    pub turn: u32,
    /// Who served it; `None` if nobody did.
    pub replica: Option<ReplicaIx>,
    /// How it ended.
    pub status: Status,
    /// Attempts, hedges included.
    pub attempts: u16,
    /// Until an engine admitted it first; 0 if none did.
    pub queue: Ps,
    /// Until its first token; 0 without one.
    pub ttft: Ps,
    /// Until its end.
    pub e2e: Ps,
    /// Longest time between two of its tokens.
    pub longest_gap: Ps,
    /// Prompt tokens.
    pub prompt: u32,
    /// Output tokens.
    pub output: u32,
    /// Prompt tokens found in the prefix cache at the first admission.
    pub cached: u32,
    /// Tokens computed again after preemptions.
    pub recomputed: u32,
    /// Times it was preempted.
    pub preemptions: u16,
}

impl Outcome {
    pub(crate) fn new(
        live: &Live,
        status: Status,
        now: Ps,
        replica: Option<ReplicaIx>,
        longest_gap: Ps,
    ) -> Self {
        let request = &live.request;
        let since = |when: When| when.get().map_or(0, |at| at - request.arrival);
        Self {
            number: request.number,
            arrival: request.arrival,
            session: request.session,
            turn: request.turn,
            replica,
            status,
            attempts: live.attempts,
            queue: since(live.admitted),
            ttft: since(live.first_token),
            e2e: now - request.arrival,
            longest_gap,
            prompt: request.prompt,
            output: request.output,
            cached: live.cached,
            recomputed: live.recomputed,
            preemptions: live.preemptions,
        }
    }

    /// Time per output token after the first; `None` for one token or without an answer.
    #[must_use]
    pub fn tpot(&self) -> Option<Ps> {
        let tokens = u64::from(self.output).checked_sub(1).filter(|tokens| *tokens > 0)?;
        (self.status == Status::Served).then(|| (self.e2e - self.ttft) / tokens)
    }
}

/// Every request that has ended, in order of its end, and counts of what went wrong on the way.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    all: Vec<Outcome>,
    ttfts: Gaps,
    /// Tokens computed by attempts that came to nothing.
    pub wasted_tokens: u64,
    /// Attempts sent again.
    pub retries: u64,
    /// Retries that a budget refused.
    pub refused_retries: u64,
    /// Second attempts sent beside a first.
    pub hedges: u64,
    /// Refusals of the gateway, retried ones included.
    pub rejections: u64,
    /// Times a breaker opened.
    pub breaker_opens: u64,
    /// Times a replica was ejected as an outlier.
    pub ejections: u64,
}

impl Outcomes {
    pub(crate) fn push(&mut self, outcome: &Outcome) {
        self.all.push(*outcome);
    }

    /// Takes the list of requests out; counts stay.
    pub(crate) fn detach(&mut self) -> Vec<Outcome> {
        std::mem::take(&mut self.all)
    }

    /// Puts a list in.
    pub(crate) fn attach(&mut self, all: Vec<Outcome>) {
        self.all = all;
    }

    pub(crate) fn saw_ttft(&mut self, ttft: Ps) {
        self.ttfts.add(ttft, 1);
    }

    /// Quantile of the times to first token so far; `None` before the first.
    pub(crate) fn ttft_quantile(&self, q: f64) -> Option<Ps> {
        self.ttfts.quantile(q)
    }

    pub(crate) fn wasted(&mut self, tokens: u32) {
        self.wasted_tokens += u64::from(tokens);
    }

    pub(crate) fn retried(&mut self) {
        self.retries += 1;
    }

    pub(crate) fn retry_refused(&mut self) {
        self.refused_retries += 1;
    }

    pub(crate) fn hedged(&mut self) {
        self.hedges += 1;
    }

    pub(crate) fn rejected(&mut self) {
        self.rejections += 1;
    }

    pub(crate) fn ejected(&mut self, replicas: u32) {
        self.ejections += u64::from(replicas);
    }

    pub(crate) fn breaker_opened(&mut self) {
        self.breaker_opens += 1;
    }

    /// The requests, in order of their end.
    #[must_use]
    pub fn all(&self) -> &[Outcome] {
        &self.all
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.all.len() as u32
    }

    /// Whether none has ended.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
